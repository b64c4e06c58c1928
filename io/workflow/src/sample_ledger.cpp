#include "sample_ledger.hpp"

namespace epios::io {

void SampleLedger::miss(std::int64_t count, config::Instant first, config::Instant last) {
  if (account_.dates_missed == 0) account_.first_missed = first;
  account_.last_missed = last;
  account_.dates_missed += count;
  misses_some_ = true;
}

void SampleLedger::pass(const config::Schedule& schedule, const config::Schedule::Counters& before,
                        const config::Schedule::Decision& decision) {
  const std::int64_t leaves_now = decision.record >= 0 ? 1 : 0;
  const std::int64_t records = decision.counters.records - leaves_now - before.records;
  account_.records_missing += records;
  // An instant stands for the last date of its period: the others need no data.
  if (operation_ == config::Operation::instant) {
    if (records == 0) return;
    miss(records, schedule.due_date(before.records),
         schedule.due_date(before.records + records - 1));
    return;
  }
  const std::int64_t sampled = decision.sample ? 1 : 0;
  const std::int64_t samples = decision.counters.samples - sampled - before.samples;
  if (samples == 0) return;
  miss(samples, schedule.sampling_date(before.samples),
       schedule.sampling_date(before.samples + samples - 1));
}

void SampleLedger::leave(const config::Schedule& schedule, std::int64_t record,
                         std::int64_t samples, bool is_late) {
  if (is_late) {
    --account_.records_missing;
    ++account_.records_short;
    return;
  }
  if (misses_some_ && operation_ != config::Operation::instant &&
      samples < schedule.samples_of(record)) {
    ++(samples == 0 ? account_.records_missing : account_.records_short);
  }
  misses_some_ = false;
}

void SampleLedger::end(const config::Schedule::Counters& counters, std::int64_t samples) {
  account_.records = counters.records - before_.records;
  account_.dates = operation_ == config::Operation::instant ? account_.records
                                                            : counters.samples - before_.samples;
  account_.samples_left = samples;
}

}  // namespace epios::io
