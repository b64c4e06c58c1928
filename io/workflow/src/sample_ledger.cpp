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
  if (operation_ == config::Operation::instant || takes_what_comes_) {
    if (records == 0) return;
    miss(records, schedule.due_date(before.records),
         schedule.due_date(before.records + records - 1));
    return;
  }
  if (decision.counters.samples == before.samples) return;
  const std::int64_t dates = schedule.samples_within(before.samples, decision.counters.samples);
  account_.dates += dates;
  const std::int64_t samples = dates - (decision.sample ? 1 : 0);
  if (samples == 0) return;
  const std::int64_t last = decision.counters.samples - 1;
  const std::int64_t missed =
      decision.sample ? schedule.first_sample(schedule.sampling_date(last)) - 1 : last;
  miss(samples, schedule.sampling_date(before.samples), schedule.sampling_date(missed));
}

void SampleLedger::leave(const config::Schedule& schedule, std::int64_t record,
                         std::int64_t samples, bool is_late) {
  if (is_late) {
    --account_.records_missing;
    if (takes_what_comes_) {
      --account_.dates_missed;
    } else if (operation_ == config::Operation::instant || samples < schedule.samples_of(record)) {
      ++account_.records_short;
    }
    return;
  }
  const bool counts = operation_ != config::Operation::instant && !takes_what_comes_;
  if (misses_some_ && counts && samples < schedule.samples_of(record)) {
    ++(samples == 0 ? account_.records_missing : account_.records_short);
  }
  misses_some_ = false;
}

void SampleLedger::end(const config::Schedule::Counters& counters, std::int64_t samples) {
  account_.records = counters.records - before_.records;
  if (operation_ == config::Operation::instant || takes_what_comes_) {
    account_.dates = account_.records;
  }
  account_.samples_left = samples;
}

}  // namespace epios::io
