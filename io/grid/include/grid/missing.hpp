/// @file
/// The value of points that have none, in all arrays between a model and its files.
#pragma once

#include <limits>

namespace epios::io {

/// NaN stands for "no value here" wherever data is computed; files get the field's default_value.
inline constexpr double missing = std::numeric_limits<double>::quiet_NaN();

}  // namespace epios::io
