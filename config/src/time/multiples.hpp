/// @file
/// Tests whether periods of a run are multiples of each other.
#pragma once

#include "config/calendar.hpp"

namespace epios::config {

/// Returns true if some number of `period`s from `start` is a whole number of `unit`s from there.
/// Months have the lengths that follow `start`. Neither contains time steps; `unit` is positive.
/// Throws TimeError if the calendar ends before.
bool is_multiple(const Calendar& calendar, Instant start, const Duration& period,
                 const Duration& unit);

}  // namespace epios::config
