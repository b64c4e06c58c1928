#include "filter.hpp"

#include <optional>

namespace epios::io {

Filter::Filter(const config::Schedule& schedule, config::Operation operation,
               const ArrayLayout& layout, const Kind& kind)
    : operation_(operation),
      kind_(kind),
      schedule_(schedule),
      accumulators_(layout, operation, kind.ignores_missing, kind.records),
      ledger_(operation, schedule.before_start(), kind.takes_what_comes),
      counters_(schedule.before_start()),
      next_effect_(schedule_.next_effect(counters_)) {}

const config::Schedule::Decision& Filter::foreseen(config::Instant now) const {
  if (foreseen_.known.at(foreseen_.last).at != now) {
    foreseen_.last = 1 - foreseen_.last;
    Foreseen::Known& other = foreseen_.known.at(foreseen_.last);
    if (other.at != now) other = {now, schedule_.decide(now, counters_)};
  }
  return foreseen_.known.at(foreseen_.last).decision;
}

Filter::ResultDates Filter::result_dates_of(config::Instant now) const {
  const auto& decision = foreseen(now);
  ResultDates out;
  out.own = decision.record >= 0 ? now : schedule_.due_date(decision.counters.records);
  const std::vector<std::int64_t> late = accumulators_.late(schedule_.times(), decision);
  if (!late.empty()) out.late = schedule_.due_date(late.front());
  return out;
}

std::vector<config::Instant> Filter::dates_under_way() const {
  std::vector<config::Instant> out;
  if (is_leaving) out.push_back(date_);
  for (const std::int64_t record : accumulators_.late()) {
    out.push_back(schedule_.due_date(record));
  }
  if (operation_ == config::Operation::once) return out;
  const std::int64_t end = counters_.records + accumulators_.count();
  for (std::int64_t record = counters_.records; record < end; ++record) {
    if (!accumulators_.has_samples(record) || schedule_.times().leaves_out(record)) continue;
    out.push_back(schedule_.due_date(record));
  }
  return out;
}

bool Filter::has_to_know() const {
  return operation_ == config::Operation::once || (kind_.is_kept && !kind_.is_each);
}

// A record that is late anyway leaves with the next data that are of use.
bool Filter::wants(config::Instant now) const {
  if (now < next_effect_) return false;
  const auto& decision = foreseen(now);
  return decision.sample || decision.record >= 0;
}

bool Filter::would_leave(config::Instant now) const {
  if (now < next_effect_) return false;
  const auto& decision = foreseen(now);
  return decision.record >= 0 && accumulators_.has_samples_with(schedule_.times(), decision);
}

void Filter::settle(const config::Schedule::Decision& next) {
  accumulators_.go_on(schedule_.times(), next);
  ledger_.pass(schedule_, counters_, next);
  has_samples_ = accumulators_.has_samples_with(schedule_.times(), next);
  if (next.record >= 0 && !has_samples_) ledger_.leave(schedule_, next.record, 0, false);
  decision_ = next;
  if (next.sample) accumulators_.current().set_weight(next.weight);
  counters_ = next.counters;
  next_effect_ = schedule_.next_effect(counters_);
  forget_foreseen();
}

bool Filter::passes_through() const {
  return is_single() && decision_.sample && decision_.record >= 0 && leaf < 0 && !keeps_result();
}

std::optional<std::int64_t> Filter::sole_record(config::Instant now) const {
  const auto& decision = foreseen(now);
  const bool is_late = !accumulators_.late(schedule_.times(), decision).empty();
  const bool is_record =
      is_single() && decision.sample && decision.record >= 0 && leaf < 0 && !keeps_result();
  return is_late || !is_record ? std::nullopt : std::optional(decision.record);
}

void Filter::leave(std::int64_t record, config::Instant date, bool is_late) {
  is_left_to_taker_ = false;
  record_ = record;
  date_ = date;
  samples_ = accumulators_.of(record).samples();
  result_ = {accumulators_.of(record).finish(), std::nullopt};
  ledger_.leave(schedule_, record_, samples_, is_late);
}

void Filter::finish_late() {
  const std::int64_t record = accumulators_.take_late();
  leave(record, schedule_.due_date(record), true);
}

void Filter::finish_for_taker(config::Instant now) {
  finish(now, {});
  is_left_to_taker_ = true;
}

void Filter::finish(config::Instant now, const ArrayValues& values) {
  is_left_to_taker_ = false;
  record_ = decision_.record;
  date_ = now;
  samples_ = accumulators_.of(record_).samples() + 1;
  result_ = values;
  ledger_.leave(schedule_, record_, samples_, false);
  accumulators_.of(record_).forget();
}

void Filter::take_up(const config::OperationState& state, std::int64_t slot) {
  counters_ = state.counters;
  next_effect_ = schedule_.next_effect(counters_);
  forget_foreseen();
  accumulators_.at(slot).take_up(state.samples);
  ledger_.take_up(state.counters, state.misses_some);
  if (state.held_samples == 0) return;
  is_left_to_taker_ = false;
  date_ = schedule_.due_date(counters_.records - 1);
  record_ =
      schedule_.first_due(date_);  // several records of one date: the first one has the samples
  samples_ = state.held_samples;
  result_ = {accumulators_.at(slot).kept_values(), std::nullopt};
}

bool Filter::finish_again() {
  if (!is_for_all_runs() || counters_.records == 0) return false;
  is_left_to_taker_ = false;
  record_ = 0;
  samples_ = 1;
  result_ = {accumulators_.at(0).kept_values(), std::nullopt};
  return true;
}

void Filter::end() { ledger_.end(schedule_, counters_, accumulators_.samples()); }

}  // namespace epios::io
