/// @file
/// The part of a file that netCDF-C writes: dimensions, variables, attributes.
#pragma once

#include <cstdint>
#include <vector>

#include "disk/posix_file.hpp"
#include "file/output_file.hpp"
#include "hdf5/record_space.hpp"

namespace epios::io {

/// Throws Error{internal} for a description that no file can have: lengths, indices, sizes. Looks
/// only at what is the same on all writers.
void check_spec(const FileSpec& spec);

/// More than the header of a CDF-5 file has.
std::uint64_t header_bytes_at_most(const FileSpec& spec);

/// A whole file without data, made in shared memory and without a name there: netCDF-C never
/// sees a disk, since after a failed write neither it nor HDF5 can close a file or say why it
/// failed. (Not nc_create_mem: its files forget the order of variables.) Throws Error{io}; no MPI
/// call.
PosixFile definitions(const FileSpec& spec, const std::vector<RecordVariable>& variables);

}  // namespace epios::io
