/// @file
/// The value of points without data, in all arrays between a model and its files.
#pragma once

#include <limits>

namespace epios::io {

/// NaN marks a missing value wherever data is computed. Files contain the default_value of the
/// field instead.
inline constexpr double missing = std::numeric_limits<double>::quiet_NaN();

}  // namespace epios::io
