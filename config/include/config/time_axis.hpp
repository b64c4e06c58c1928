/// @file
/// The time coordinates of a file and their values. Pure: no state, thread-safe.
#pragma once

#include <array>
#include <string_view>

#include "config/calendar.hpp"
#include "config/temporal.hpp"

namespace epios::config {

/// Contents of the coordinate `time_counter`, if it exists.
enum class CounterTime { none, instant, centered, record };

/// The time variables of a file.
struct TimeAxis {
  CounterTime counter = CounterTime::none;
  bool has_instant = false;   ///< the file has variable time_instant
  bool has_centered = false;  ///< the file has variable time_centered
  bool operator==(const TimeAxis&) const = default;
};

/// Returns the time variables, given the attribute `time_counter` of the file ("" if it is not
/// set), and whether the file has fields of operation instant and fields whose records stand for an
/// interval.
TimeAxis time_axis(std::string_view time_counter, bool any_instant, bool any_centered);

/// The time of a record and its bounds.
struct TimeStamp {
  double value = 0;
  std::array<double, 2> bounds{};
  bool operator==(const TimeStamp&) const = default;
};

enum class TimeUnits { seconds, days };

/// Returns the stamp in `units` since `origin`. An instant has the end of the interval, also as
/// both bounds. A centered one has the middle of the interval (in a climatology, of its
/// last period), and the interval as bounds.
TimeStamp time_stamp(const Calendar& calendar, const RecordTime& record, bool is_centered,
                     Instant origin, TimeUnits units);

}  // namespace epios::config
