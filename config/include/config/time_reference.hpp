/// @file
/// How dates are written into files so that readers of CF decode the same ones. Pure.
#pragma once

#include <string>

#include "config/calendar.hpp"

namespace epios::config {

/// What the units and the calendar of a time coordinate say.
struct TimeReference {
  Instant epoch;         ///< that the units count from
  std::string calendar;  ///< CF name; "user_defined" where CF has none
};

/// Of a calendar with the origin that was asked for and the first date of the data.
///
/// CF's "standard" changes from Julian to Gregorian dates in 1582; ours does not: what reaches
/// before is "proleptic_gregorian". Readers differ about years before 1 (the Julian year 0, all
/// negative ones): such an origin is written as the beginning of year 1. A user-defined calendar
/// with the years of a CF calendar gets its name.
TimeReference time_reference(const Calendar& calendar, Instant origin, Instant start);

}  // namespace epios::config
