/// @file
/// How a file wants to be cut in time, from its attributes. Pure: no state, thread-safe.
#pragma once

#include "config/attributes.hpp"
#include "config/calendar.hpp"
#include "config/file_series.hpp"

namespace epios::config {

/// The attributes of a file. Throws Error{configuration} for a split_last_date that is no date.
SplitRule split_rule(const FileAttributes& file, const Calendar& calendar);

}  // namespace epios::config
