#include "config/time_axis.hpp"

namespace epios::config {

TimeAxis time_axis(std::string_view time_counter, bool any_instant, bool any_centered) {
  TimeAxis axis{CounterTime::none, any_instant, any_centered};
  const CounterTime centered = any_centered ? CounterTime::centered : CounterTime::none;
  const CounterTime instant = any_instant ? CounterTime::instant : CounterTime::none;
  const CounterTime either = any_centered ? centered : instant;
  if (time_counter.empty()) {
    axis.counter = either;
  } else if (time_counter == "centered") {
    axis.counter = centered;
  } else if (time_counter == "instant") {
    axis.counter = instant;
  } else if (time_counter == "centered_exclusive") {
    axis.counter = centered;
    axis.has_centered = false;
  } else if (time_counter == "instant_exclusive") {
    axis.counter = instant;
    axis.has_instant = false;
  } else if (time_counter == "exclusive") {
    axis.counter = either;
    axis.has_instant = any_instant && any_centered;
    axis.has_centered = false;
  } else if (time_counter == "record") {
    axis.counter = CounterTime::record;
  }
  return axis;
}

TimeStamp time_stamp(const Calendar& calendar, const RecordTime& record, bool is_centered,
                     Instant origin, TimeUnits units) {
  const auto unit_ms =
      static_cast<double>(units == TimeUnits::days ? calendar.day_length_s() * 1000 : 1000);
  const std::int64_t begin = record.begin.ms - origin.ms;
  const std::int64_t end = record.end.ms - origin.ms;
  const auto in_units = [unit_ms](std::int64_t ms) { return static_cast<double>(ms) / unit_ms; };
  if (!is_centered) return {in_units(end), {in_units(end), in_units(end)}};
  const std::int64_t last_begin = record.begin_of_last().ms - origin.ms;
  // The sum of two dates is exact, the mean of two quotients may not be.
  return {static_cast<double>(last_begin + end) / (2 * unit_ms), {in_units(begin), in_units(end)}};
}

}  // namespace epios::config
