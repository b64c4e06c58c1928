#include "config/temporal.hpp"

#include <fmt/format.h>

#include "config/error.hpp"

namespace epios::config {

namespace {

void require_positive(const Calendar& calendar, Instant start, const Duration& duration,
                      std::string_view name) {
  if (calendar.add(start, duration) > start) return;
  throw Error(ErrorCode::configuration,
              fmt::format("{} '{}' does not move time forward (a period must be positive, and a "
                          "fraction of a month has no length).",
                          name, duration.text()));
}

/// The smallest n >= `from` that is not over; `is_over` holds up to some number and not beyond.
/// Doubling, then halving: late data costs a few calendar sums, not one per missed period.
template <class IsOver>
std::int64_t first_not_over(std::int64_t from, const IsOver& is_over) {
  if (!is_over(from)) return from;
  std::int64_t over = from;
  std::int64_t reach = 1;
  while (is_over(over + reach)) {
    over += reach;
    reach *= 2;
  }
  for (; reach > 0; reach /= 2) {
    if (is_over(over + reach)) over += reach;
  }
  return over + 1;
}

}  // namespace

std::string_view cell_method(Operation operation) {
  switch (operation) {
    case Operation::instant:
      return "point";
    case Operation::average:
      return "mean";
    case Operation::accumulate:
      return "sum";
    case Operation::minimum:
      return "minimum";
    case Operation::maximum:
      break;
  }
  return "maximum";
}

bool is_centered(Operation operation) { return operation != Operation::instant; }

Schedule::Schedule(const Calendar& calendar, Instant start, const Sampling& sampling)
    : calendar_(calendar), start_(start), sampling_(sampling) {
  require_positive(calendar, start, sampling.freq_op, "freq_op");
  require_positive(calendar, start, sampling.output_freq, "output_freq");
}

// Durations are summed before the calendar sees them: months first, the rest after.
Instant Schedule::sampling_date(std::int64_t sample) const {
  return calendar_.add(start_, sampling_.freq_offset + calendar_.timestep() +
                                   sampling_.freq_op * static_cast<double>(sample));
}

Instant Schedule::last_before_leaving(std::int64_t record) const {
  return calendar_.add(start_, sampling_.output_freq * static_cast<double>(record + 1) +
                                   sampling_.freq_offset + sampling_.freq_op * -1.0);
}

Instant Schedule::last_of_period(std::int64_t record) const {
  return calendar_.add(start_, sampling_.output_freq * static_cast<double>(record + 1) +
                                   sampling_.freq_offset + sampling_.freq_op * -1.0 +
                                   calendar_.timestep());
}

Schedule::Decision Schedule::decide(Instant now, const Counters& so_far) const {
  Decision decision;
  Counters& counters = decision.counters;
  counters.records =
      first_not_over(so_far.records, [&](std::int64_t n) { return now > last_of_period(n); });
  if (counters.records > so_far.records) decision.late_record = so_far.records;
  // One date may be the first one after several sampling dates; it is fed once, unless all of them
  // were in the periods of earlier records.
  counters.samples =
      first_not_over(so_far.samples, [&](std::int64_t k) { return now >= sampling_date(k); });
  decision.sample = counters.samples > so_far.samples &&
                    (counters.records == so_far.records ||
                     sampling_date(counters.samples - 1) > last_of_period(counters.records - 1));
  if (now > last_before_leaving(counters.records)) decision.record = counters.records++;
  return decision;
}

RecordTime Schedule::record_time(std::int64_t record) const {
  const auto at = [&](std::int64_t n) {
    return calendar_.add(start_, sampling_.output_freq * static_cast<double>(n));
  };
  return {at(record), at(record + 1)};
}

}  // namespace epios::config
