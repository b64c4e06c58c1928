/// @file
/// How dates are written so that readers of CF decode the same dates. Pure.
#pragma once

#include <string>

#include "config/calendar.hpp"

namespace epios::config {

/// The units and the calendar of a time coordinate.
struct TimeReference {
  Instant epoch;         ///< date from which the units count
  std::string calendar;  ///< CF name; "user_defined" if CF has none
};

/// Returns the reference for a calendar with the requested origin and the first date of the data.
///
/// CF's "standard" changes from Julian to Gregorian dates in 1582, ours does not: dates before the
/// change make it "proleptic_gregorian". Readers differ about years before 1 (the Julian year 0 and
/// all negative years): such an origin is written as the beginning of year 1. A user-defined
/// calendar with the years of a CF calendar gets the name of that calendar.
TimeReference time_reference(const Calendar& calendar, Instant origin, Instant start);

}  // namespace epios::config
