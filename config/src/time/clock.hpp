/// @file
/// The known time settings of a context while it is being resolved.
#pragma once

#include "config/calendar.hpp"

namespace epios::config {

/// The calendar that resolves durations of a context. Without time step (in a check) only their
/// syntax can be checked.
struct Clock {
  bool is_known = false;
  Calendar calendar{CalendarType::gregorian, {}};
  Instant start;
  Instant origin;
};

}  // namespace epios::config
