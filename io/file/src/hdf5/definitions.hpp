/// @file
/// The part of a file that netCDF-C writes: dimensions, variables, attributes.
#pragma once

#include <cstdint>
#include <vector>

#include "contract/record_variables.hpp"
#include "disk/posix_file.hpp"
#include "file/output_file.hpp"

namespace epios::io {

/// More than the header of a CDF-5 file has.
std::uint64_t header_bytes_at_most(const FileSpec& spec);

/// A whole file without data, made in shared memory and without a name there: netCDF-C never
/// sees a disk, since after a failed write neither it nor HDF5 can close a file or say why it
/// failed. (Not nc_create_mem: its files forget the order of variables.) Throws Error{io}; no MPI
/// call.
PosixFile definitions(const FileSpec& spec, const std::vector<RecordVariable>& variables);

}  // namespace epios::io
