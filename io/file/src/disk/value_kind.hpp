/// @file
/// Properties of the kinds of values in files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "file/output_file.hpp"

namespace epios::io {

/// Returns the bytes of one value.
std::int64_t size_bytes(ValueKind kind);
/// Returns NetCDF's external type (nc_type).
int netcdf_type(ValueKind kind);
/// Returns one value of `kind` as a file contains it.
std::vector<std::byte> encode_value(ValueKind kind, double value);
/// Returns the value of points of a variable that nobody wrote: its fill value, or else NaN,
/// NetCDF's default for integers, nothing for text.
std::vector<std::byte> unset_bytes(const VariableSpec& variable);
/// Numbers as they are in a file, rounded to nearest, NaN as `unset`; `out` has size_bytes(kind)
/// bytes for each. Returns the position of the first one that the kind cannot hold, if any. Not for
/// text.
std::optional<std::size_t> encode_numbers(ValueKind kind, std::span<const double> numbers,
                                          std::span<const std::byte> unset,
                                          std::span<std::byte> out);

}  // namespace epios::io
