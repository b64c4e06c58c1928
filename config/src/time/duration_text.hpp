/// @file
/// Parses durations and returns the reason of a failure separately, so that callers can add the
/// place.
#pragma once

#include <string>
#include <string_view>

#include "config/calendar.hpp"

namespace epios::config {

struct ParsedDuration {
  Duration duration;
  std::string why;  ///< empty if the text is a duration
};

ParsedDuration parse_duration(std::string_view text);
/// Returns "Use units y, mo, ..., as in '1d 6h'."
std::string_view duration_hint();

}  // namespace epios::config
