#include "accumulators.hpp"

#include <algorithm>
#include <numeric>

namespace epios::io {

Accumulators::Accumulators(const ArrayLayout& layout, config::Operation operation,
                           bool ignores_missing, std::int64_t records) {
  for (std::int64_t n = 0; n < records; ++n) all_.emplace_back(layout, operation, ignores_missing);
}

std::int64_t Accumulators::samples() const {
  return std::accumulate(
      all_.begin(), all_.end(), std::int64_t{0},
      [](std::int64_t sum, const Accumulator& one) { return sum + one.samples(); });
}

/// With one record at a time, all samples are those of the first one that has not left.
std::vector<std::int64_t> Accumulators::late(const config::RecordTimes& times,
                                             const config::Schedule::Decision& decision) const {
  std::vector<std::int64_t> out;
  if (decision.late_record < 0 || samples() == 0) return out;
  if (count() == 1) return {decision.late_record};
  const std::int64_t end = decision.counters.records - (decision.record >= 0 ? 1 : 0);
  for (std::int64_t record = times.first_wanted(decision.late_record); record < end;
       record = times.first_wanted(record + 1)) {
    const bool is_taken = std::any_of(out.begin(), out.end(), [&](std::int64_t earlier) {
      return slot_of(earlier) == slot_of(record);
    });
    if (!is_taken && has_samples(record)) out.push_back(record);
  }
  return out;
}

bool Accumulators::has_samples_with(const config::RecordTimes& times,
                                    const config::Schedule::Decision& decision) const {
  if (decision.sample) return true;
  if (decision.record < 0 || !has_samples(decision.record)) return false;
  const std::vector<std::int64_t> before = late(times, decision);
  return std::none_of(before.begin(), before.end(), [&](std::int64_t record) {
    return slot_of(record) == slot_of(decision.record);
  });
}

void Accumulators::go_on(const config::RecordTimes& times,
                         const config::Schedule::Decision& decision) {
  late_ = late(times, decision);
  period_ = decision.period;
}

std::int64_t Accumulators::take_late() {
  const std::int64_t record = late_.front();
  late_.erase(late_.begin());
  return record;
}

}  // namespace epios::io
