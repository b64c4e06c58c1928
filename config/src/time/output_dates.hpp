/// @file
/// The text of attribute output_dates.
#pragma once

#include <string_view>

#include "config/calendar.hpp"
#include "config/temporal.hpp"

namespace epios::config {

/// Returns true if the text has windows ("a .. b"), which do not replace output_freq.
bool has_windows(std::string_view text);

/// Parses dates or windows, separated by commas. "+6h" is a date from `start`; without the first or
/// the last date a window has no end there. Throws TimeError for text that is neither, for dates
/// that do not follow each other, and for windows that end before they begin.
OutputDates parse_output_dates(const Calendar& calendar, Instant start, std::string_view text);

}  // namespace epios::config
