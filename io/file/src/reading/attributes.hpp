// Attributes of files that others made, by any of the types that they come in.
#pragma once

#include <netcdf.h>

#include <span>
#include <string>
#include <vector>

namespace epios::io {

/// The text of an attribute, whether it is stored as characters or as strings (of which the first
/// counts). "" when there is none, or none that can be read.
std::string text_attribute(int file, int variable, const char* name);

/// Values of a variable that stand for none (_FillValue and missing_value, of which there may be
/// several), as they look among its values: rounded to its own type. A status of NetCDF.
int read_marks(int file, int variable, nc_type type, std::vector<double>& marks);

/// Returns true if a value is one of the marks; NaN is one if a mark is.
bool is_mark(std::span<const double> marks, double value);

}  // namespace epios::io
