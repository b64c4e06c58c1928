// The times of records, and which of them the dates of output leave out.
#include <algorithm>
#include <optional>

#include "config/index.hpp"
#include "config/temporal.hpp"
#include "time/first_not_over.hpp"

namespace epios::config {

Instant RecordTimes::end_of(std::int64_t record) const {
  const OutputDates& dates = sampling_.dates;
  if (dates.is_list()) {
    const bool is_there = record < static_cast<std::int64_t>(dates.ends.size());
    return is_there ? nth(dates.ends, record) : never;
  }
  const std::int64_t periods = dates.has_initial ? record : record + 1;
  return calendar_.add(dates.origin.value_or(start_),
                       sampling_.output_freq * static_cast<double>(periods));
}

RecordTime RecordTimes::of(std::int64_t record) const {
  const Instant end = end_of(record);
  if (record == 0) return {std::min(start_, end), end};
  const Instant before = end_of(record - 1);
  return {end < start_ ? before : std::max(before, start_), end};
}

std::int64_t RecordTimes::first_wanted(std::int64_t from) const {
  if (!sampling_.dates.leaves_out() || !leaves_out(from)) return from;
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

bool RecordTimes::leaves_out(std::int64_t record) const {
  const OutputDates& dates = sampling_.dates;
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
  if (!schedule.times().leaves_out_any()) return begin;
  while (begin < end) {
    const std::int64_t record = schedule.first_due(schedule.sampling_date(begin));
    if (!schedule.times().leaves_out(record)) return begin;
    begin = std::max(begin + 1, schedule.numbers_of(record).end);
  }
  return end;
}

std::int64_t last_wanted_sample(const Schedule& schedule, std::int64_t begin, std::int64_t end) {
  if (!schedule.times().leaves_out_any()) return end - 1;
  while (begin < end) {
    const std::int64_t record = schedule.first_due(schedule.sampling_date(end - 1));
    if (!schedule.times().leaves_out(record)) return end - 1;
    end = std::min(end - 1, schedule.numbers_of(record).begin);
  }
  return begin - 1;
}

}  // namespace epios::config
