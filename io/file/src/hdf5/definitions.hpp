/// @file
/// The part of a file that netCDF-C writes: dimensions, variables, attributes.
#pragma once

#include <cstdint>
#include <vector>

#include "contract/record_variables.hpp"
#include "disk/posix_file.hpp"
#include "file/output_file.hpp"

namespace epios::io {

/// Returns an upper bound for the size of the header of a CDF-5 file.
std::uint64_t header_bytes_at_most(const FileSpec& spec);

/// Makes a whole file without data, in shared memory and without a name there. NetCDF-C never
/// accesses a disk, because after a failed write neither it nor HDF5 can close a file or say why it
/// failed. (nc_create_mem is not an option: its files lose the order of variables.) Throws
/// Error{io}; makes no MPI call.
PosixFile definitions(const FileSpec& spec, const std::vector<RecordVariable>& variables);

}  // namespace epios::io
