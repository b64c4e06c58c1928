/// @file
/// Facts about the kinds of values on file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "file/output_file.hpp"

namespace epios::io {

/// Bytes of one value.
std::int64_t size_bytes(ValueKind kind);
/// NetCDF's external type (nc_type).
int netcdf_type(ValueKind kind);
/// One value of `kind` as it is in a file.
std::vector<std::byte> encode_value(ValueKind kind, double value);
/// What points of a variable hold that nobody wrote: its fill value, else NaN, for integers
/// NetCDF's default.
double unset_value(const VariableSpec& variable);

}  // namespace epios::io
