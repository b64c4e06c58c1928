/// @file
/// Files of the classic NetCDF formats, before netcdf-c sees them.
#pragma once

#include <string>

namespace epios::io {

/// Whether there is nothing of that name, as far as this user can see.
bool is_nowhere(const std::string& path);

/// What is wrong with a file: it is none (opening a pipe would wait for ever), it is not this
/// user's to read (config::not_allowed), or one in format
/// CDF-1, CDF-2 or CDF-5 whose header makes no sense, which netcdf-c may die of, or speaks of more
/// bytes than there are, of which netcdf-c makes zeros. "" when nothing is, and for files of other
/// formats.
std::string classic_problem(const std::string& path);

}  // namespace epios::io
