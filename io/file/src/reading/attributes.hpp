// Attributes of files from other sources, in any of the types that they may have.
#pragma once

#include <netcdf.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace epios::io {

/// Returns the text of an attribute, stored as characters or as strings (the first one counts), or
/// "" if there is none that can be read.
std::string text_attribute(int file, int variable, const char* name);

/// Returns an attribute that is one number.
std::optional<double> number_attribute(int file, int variable, const char* name);

/// Applies the variable's scale_factor and add_offset.
void unpack(int file, int variable, std::span<double> values);

/// Reads the values of a variable that mark missing data (_FillValue and missing_value, which may
/// have several), rounded to the type of the variable. Returns a status of NetCDF.
int read_marks(int file, int variable, nc_type type, std::vector<double>& marks);

/// Returns the number of values of an integer type without sign, which negative values of one with
/// a sign are to be raised by where the attribute `_Unsigned` of the NetCDF Users' Guide is "true";
/// 0 for other texts and types.
double unsigned_span(std::string_view is_unsigned, bool is_integer, std::int64_t value_bytes);

/// Returns true if a value is one of the marks; NaN is one if a mark is.
bool is_mark(std::span<const double> marks, double value);

}  // namespace epios::io
