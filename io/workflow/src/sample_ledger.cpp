#include "sample_ledger.hpp"

namespace epios::io {

namespace {

/// How many of the records [begin, end) are not left out.
std::int64_t wanted_within(const config::RecordTimes& times, std::int64_t begin, std::int64_t end) {
  if (!times.leaves_out_any()) return end - begin;
  std::int64_t count = 0;
  for (std::int64_t record = begin; record < end; ++record) {
    record = times.first_wanted(record);
    if (record < end && !times.leaves_out(record)) ++count;
  }
  return count;
}

}  // namespace

void SampleLedger::miss(std::int64_t count, config::Instant first, config::Instant last) {
  if (account_.dates_missed == 0) account_.first_missed = first;
  account_.last_missed = last;
  account_.dates_missed += count;
  misses_some_ = true;
}

void SampleLedger::pass(const config::Schedule& schedule, const config::Schedule::Counters& before,
                        const config::Schedule::Decision& decision) {
  const std::int64_t leaves_now = decision.record >= 0 ? 1 : 0;
  const std::int64_t end = decision.counters.records - leaves_now;
  if (takes_what_comes_) {
    const std::int64_t records = wanted_within(schedule.times(), before.records, end);
    account_.records_missing += records;
    account_.dates += records + leaves_now;
    if (records > 0) miss(records, schedule.due_date(before.records), schedule.due_date(end - 1));
    return;
  }
  if (operation_ == config::Operation::instant) {
    if (end > before.records) pass_instants(schedule, before.records, end);
    account_.dates += schedule.records_with_samples(before.records, decision.counters.records);
    if (decision.sample) served_ = decision.counters.samples;
    return;
  }
  account_.records_missing += schedule.records_with_samples(before.records, end);
  if (decision.counters.samples == before.samples) return;
  // Dates that a weighted sample stands for have data.
  const std::int64_t served = decision.sample ? decision.weight - 1 : 0;
  const std::int64_t dates =
      schedule.samples_within(before.samples, decision.counters.samples) - served;
  account_.dates += dates;
  const std::int64_t samples = dates - (decision.sample ? 1 : 0);
  if (samples == 0) return;
  const std::int64_t last = decision.counters.samples - 1;
  const std::int64_t end_of_missed =
      decision.sample ? schedule.first_sample(schedule.sampling_date(last)) - served
                      : decision.counters.samples;
  const auto date_of = [&](std::int64_t sample) { return schedule.sampling_date(sample); };
  miss(samples, date_of(first_wanted_sample(schedule, before.samples, end_of_missed)),
       date_of(last_wanted_sample(schedule, before.samples, end_of_missed)));
}

/// An instant stands for the last sampling date of its period: the others need no data. A period
/// without any needs none.
void SampleLedger::pass_instants(const config::Schedule& schedule, std::int64_t begin,
                                 std::int64_t end) {
  const std::int64_t expected = schedule.records_with_samples(begin, end);
  account_.records_missing += expected;
  const auto samples = schedule.numbers_of(begin);
  is_served_ = samples.begin < samples.end && served_ >= samples.end;
  const std::int64_t missed = expected - (is_served_ ? 1 : 0);
  if (missed <= 0) return;
  const auto is_expected = [&](std::int64_t record) {
    return schedule.records_with_samples(record, record + 1) > 0;
  };
  std::int64_t first = is_served_ ? begin + 1 : begin;
  while (!is_expected(first)) ++first;
  std::int64_t last = end - 1;
  while (!is_expected(last)) --last;
  const auto date_of = [&](std::int64_t record) {
    return schedule.sampling_date(schedule.numbers_of(record).end - 1);
  };
  miss(missed, date_of(first), date_of(last));
}

void SampleLedger::leave(const config::Schedule& schedule, std::int64_t record,
                         std::int64_t samples, bool is_late) {
  if (is_late) {
    --account_.records_missing;
    if (takes_what_comes_) {
      --account_.dates_missed;
    } else if (operation_ == config::Operation::instant) {
      account_.records_short += is_served_ ? 0 : 1;
    } else if (samples < schedule.samples_of(record)) {
      ++account_.records_short;
    }
    return;
  }
  // Those of a climatology may have been missed long before.
  const bool may_miss_some = misses_some_ || schedule.times().first_period_of(record) < record;
  if (may_miss_some && !counts_records() && samples < schedule.samples_of(record)) {
    ++(samples == 0 ? account_.records_missing : account_.records_short);
  }
  misses_some_ = false;
}

void SampleLedger::end(const config::Schedule& schedule, const config::Schedule::Counters& counters,
                       std::int64_t samples) {
  account_.records = wanted_within(schedule.times(), before_.records, counters.records);
  account_.last_period = counters.records;
  account_.samples_left = samples;
}

}  // namespace epios::io
