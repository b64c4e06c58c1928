/// @file
/// Duration syntax with the reason of a refusal apart, so that callers say where it happened.
#pragma once

#include <string>
#include <string_view>

#include "config/calendar.hpp"

namespace epios::config {

struct ParsedDuration {
  Duration duration;
  std::string why;  ///< empty when the text is a duration
};

ParsedDuration parse_duration(std::string_view text);
/// "Use units y, mo, ..., as in '1d 6h'."
std::string_view duration_hint();

}  // namespace epios::config
