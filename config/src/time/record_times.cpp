// The times of records, and which of them the dates of output leave out.
#include <algorithm>
#include <optional>

#include "config/index.hpp"
#include "config/temporal.hpp"
#include "time/first_not_over.hpp"

namespace epios::config {

Instant period_begin(const Calendar& calendar, Instant anchor, Instant start,
                     const Duration& period) {
  const auto at = [&](std::int64_t n) {
    return calendar.add(anchor, period * static_cast<double>(n));
  };
  const std::int64_t length_ms = at(1).ms - anchor.ms;
  if (length_ms <= 0) return start;  // reported where it is said
  // Months differ in length, so that a search begins near the date.
  if (anchor > start) {
    const std::int64_t about = (anchor.ms - start.ms) / length_ms;
    return at(-first_not_over_near(about, [&](std::int64_t n) { return at(-n) > start; }));
  }
  const std::int64_t about = (start.ms - anchor.ms) / length_ms;
  return at(first_not_over_near(about, [&](std::int64_t n) { return at(n + 1) <= start; }));
}

RecordTimes::RecordTimes(const Calendar& calendar, Instant start, const Sampling& sampling)
    : calendar_(calendar), start_(start), origin_(start), sampling_(sampling) {
  const OutputDates& dates = sampling.dates;
  if (dates.has_anchor) {
    origin_ = period_begin(calendar, dates.anchor, start, sampling.output_freq);
  }
  climatologies_begin_ = start;
  if (dates.is_climatology() && dates.has_anchor) {
    climatologies_begin_ = period_begin(calendar, dates.anchor, start, dates.climatology_freq);
  }
}

Instant RecordTimes::end_of(std::int64_t record) const {
  const OutputDates& dates = sampling_.dates;
  if (dates.is_list()) {
    const bool is_there = record < static_cast<std::int64_t>(dates.ends.size());
    return is_there ? nth(dates.ends, record) : never;
  }
  const std::int64_t periods = dates.has_initial ? record : record + 1;
  return calendar_.add(origin_, sampling_.output_freq * static_cast<double>(periods));
}

RecordTime RecordTimes::of(std::int64_t record) const {
  RecordTime out = period(record);
  if (!sampling_.dates.is_climatology()) return out;
  out.last_begin = out.begin;
  out.begin = period(first_period_of(record)).begin;
  return out;
}

RecordTime RecordTimes::whole_of(std::int64_t record) const {
  return sampling_.dates.is_climatology() ? climatology_of(record) : of(record);
}

/// The time between two multiples of climatology_freq that the period of `record` is in. Periods
/// differ in length, so that the search begins near the date.
RecordTime RecordTimes::climatology_of(std::int64_t record) const {
  const Instant end = end_of(record);
  const auto boundary = [&](std::int64_t n) {
    return calendar_.add(climatologies_begin_,
                         sampling_.dates.climatology_freq * static_cast<double>(n));
  };
  const std::int64_t length_ms = std::max<std::int64_t>(boundary(1).ms - boundary(0).ms, 1);
  const std::int64_t about = (end.ms - climatologies_begin_.ms) / length_ms;
  const std::int64_t n =
      first_not_over_near(about, [&](std::int64_t k) { return boundary(k + 1) < end; });
  return {boundary(n), boundary(n + 1)};
}

std::int64_t RecordTimes::first_period_of(std::int64_t record) const {
  if (!sampling_.dates.is_climatology()) return record;
  const Instant begin = climatology_of(record).begin;
  const std::int64_t distance = sampling_.dates.cycle_periods;
  return record % distance +
         distance * first_not_over_near(record / distance, [&](std::int64_t cycle) {
           return end_of(record % distance + distance * cycle) <= begin;
         });
}

RecordTime RecordTimes::period(std::int64_t record) const {
  const Instant end = end_of(record);
  if (record == 0) return {std::min(start_, end), end};
  const Instant before = end_of(record - 1);
  return {end < start_ ? before : std::max(before, start_), end};
}

std::int64_t RecordTimes::first_wanted(std::int64_t from) const {
  if (!sampling_.dates.leaves_out() || !leaves_out(from)) return from;
  if (sampling_.dates.is_climatology()) return first_wanted_of_climatology(from);
  const bool is_instant = sampling_.operation == Operation::instant;
  std::optional<std::int64_t> best;
  const auto take = [&](std::int64_t record) {
    if (!leaves_out(record)) best = std::min(best.value_or(record), record);
  };
  if (sampling_.dates.windows.empty()) take(from + 1);  // behind the initial state
  for (const DateWindow& window : sampling_.dates.windows) {
    take(first_not_over(from, [&](std::int64_t record) {
      const RecordTime time = of(record);
      return (is_instant ? time.end : time.begin) < window.first;
    }));
  }
  return best.value_or(from);
}

std::int64_t RecordTimes::first_wanted_of_climatology(std::int64_t from) const {
  const Instant end = climatology_of(from).end;
  const std::int64_t distance = sampling_.dates.cycle_periods;
  const std::int64_t length_ms = std::max<std::int64_t>(end_of(0).ms - origin_.ms, 1);
  return first_not_over_near((end.ms - origin_.ms) / length_ms - distance,
                             [&](std::int64_t n) { return end_of(n + distance) <= end; });
}

bool RecordTimes::leaves_out(std::int64_t record) const {
  const OutputDates& dates = sampling_.dates;
  if (dates.is_climatology()) {
    return end_of(record + dates.cycle_periods) <= climatology_of(record).end;
  }
  const bool is_instant = sampling_.operation == Operation::instant;
  if (dates.is_list() && record >= static_cast<std::int64_t>(dates.ends.size())) return true;
  if (dates.has_initial && record == 0) return !is_instant;
  if (dates.windows.empty()) return false;
  const RecordTime time = of(record);
  return std::none_of(dates.windows.begin(), dates.windows.end(), [&](const DateWindow& window) {
    const Instant first = is_instant ? time.end : time.begin;
    return window.first <= first && time.end <= window.last;
  });
}

std::int64_t first_wanted_sample(const Schedule& schedule, std::int64_t begin, std::int64_t end) {
  if (!schedule.times().skips_samples_any()) return begin;
  while (begin < end) {
    const std::int64_t record = schedule.first_due(schedule.sampling_date(begin));
    if (!schedule.times().skips_samples(record)) return begin;
    begin = std::max(begin + 1, schedule.numbers_of(record).end);
  }
  return end;
}

std::int64_t last_wanted_sample(const Schedule& schedule, std::int64_t begin, std::int64_t end) {
  if (!schedule.times().skips_samples_any()) return end - 1;
  while (begin < end) {
    const std::int64_t record = schedule.first_due(schedule.sampling_date(end - 1));
    if (!schedule.times().skips_samples(record)) return end - 1;
    end = std::min(end - 1, schedule.numbers_of(record).begin);
  }
  return begin - 1;
}

}  // namespace epios::config
