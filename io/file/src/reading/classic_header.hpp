/// @file
/// Checks of files in the classic NetCDF formats, before netcdf-c sees them.
#pragma once

#include <string>

namespace epios::io {

/// Returns true if nothing with that name exists, as far as this user can see.
bool is_nowhere(const std::string& path);

/// Returns what is wrong with a file, or "". It is no regular file (opening a pipe would wait for
/// ever), this user may not read it (config::not_allowed), or it is a CDF-1, CDF-2 or CDF-5 file
/// whose header is invalid, which may crash netcdf-c, or promises more bytes than there are, which
/// netcdf-c would read as zeros. Does not check files of other formats.
std::string classic_problem(const std::string& path);

}  // namespace epios::io
