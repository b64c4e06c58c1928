/// @file
/// Where an instant lies in its year and in its day. All functions are pure, as those of Calendar.
#pragma once

#include "config/calendar.hpp"

namespace epios::config {

/// Returns the seconds since the year of the instant began.
double second_of_year(const Calendar& calendar, Instant instant);
/// Returns the days since the year began, with their fraction.
double day_of_year(const Calendar& calendar, Instant instant);
/// Returns the part of the year that is over, in [0, 1).
double fraction_of_year(const Calendar& calendar, Instant instant);
/// Returns the seconds since the day began.
double second_of_day(const Calendar& calendar, Instant instant);
/// Returns the part of the day that is over, in [0, 1).
double fraction_of_day(const Calendar& calendar, Instant instant);

}  // namespace epios::config
