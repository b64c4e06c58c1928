/// @file
/// The time coordinates of a file and their values. Pure: no state, thread-safe.
#pragma once

#include <array>
#include <string_view>

#include "config/calendar.hpp"
#include "config/temporal.hpp"

namespace epios::config {

/// What the coordinate `time_counter` holds, if there is one.
enum class CounterTime { none, instant, centered, record };

/// Which variables of time a file has.
struct TimeAxis {
  CounterTime counter = CounterTime::none;
  bool has_instant = false;   ///< variable time_instant
  bool has_centered = false;  ///< variable time_centered
  bool operator==(const TimeAxis&) const = default;
};

/// By attribute `time_counter` of the file ("" when it is not given) and by whether it has fields
/// of operation instant and such whose records stand for an interval.
TimeAxis time_axis(std::string_view time_counter, bool any_instant, bool any_centered);

/// Time of a record and its bounds.
struct TimeStamp {
  double value = 0;
  std::array<double, 2> bounds{};
  bool operator==(const TimeStamp&) const = default;
};

enum class TimeUnits { seconds, days };

/// In `units` since `origin`. Instant: the end of the interval, as bounds too. Centered: the middle
/// of the interval, which is the bounds.
TimeStamp time_stamp(const Calendar& calendar, const RecordTime& record, bool is_centered,
                     Instant origin, TimeUnits units);

}  // namespace epios::config
