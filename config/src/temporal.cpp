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

Schedule::Decision Schedule::decide(Instant now, std::int64_t samples_taken,
                                    std::int64_t records_out) const {
  const Duration& f = sampling_.freq_op;
  // Durations are summed before the calendar sees them: months first, the rest after.
  const Duration first = sampling_.freq_offset + calendar_.timestep();
  const auto sample_date = [&](std::int64_t k) {
    return calendar_.add(start_, first + f * static_cast<double>(k));
  };
  Decision decision;
  decision.samples_taken = samples_taken;
  if (now >= sample_date(samples_taken)) {
    decision.sample = true;
    // One date may be the first one after several sampling dates; it is fed once. Doubling, then
    // halving: late data costs a few calendar sums, not one per missed period.
    std::int64_t taken = samples_taken;
    std::int64_t reach = 1;
    while (now >= sample_date(taken + reach)) {
      taken += reach;
      reach *= 2;
    }
    for (; reach > 0; reach /= 2) {
      if (now >= sample_date(taken + reach)) taken += reach;
    }
    decision.samples_taken = taken + 1;
  }
  const Duration before = sampling_.freq_offset + f * -1.0;
  const Duration period = sampling_.output_freq * static_cast<double>(records_out + 1);
  if (now > calendar_.add(start_, period + before)) decision.record = records_out;
  return decision;
}

RecordTime Schedule::record_time(std::int64_t record) const {
  const auto at = [&](std::int64_t n) {
    return calendar_.add(start_, sampling_.output_freq * static_cast<double>(n));
  };
  return {at(record), at(record + 1)};
}

}  // namespace epios::config
