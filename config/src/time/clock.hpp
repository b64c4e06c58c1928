/// @file
/// What is known of time while a context is being resolved.
#pragma once

#include "config/calendar.hpp"

namespace epios::config {

/// What the calendar says about the durations of a context; without time step (in a check) only
/// their syntax is known.
struct Clock {
  bool is_known = false;
  Calendar calendar{CalendarType::gregorian, {}};
  Instant start;
  Instant origin;
};

}  // namespace epios::config
