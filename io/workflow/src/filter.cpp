#include "filter.hpp"

#include <optional>

namespace epios::io {

Filter::Filter(const config::Schedule& schedule, config::Operation operation,
               const ArrayLayout& layout, const Kind& kind)
    : operation_(operation),
      kind_(kind),
      schedule_(schedule),
      accumulator_(layout, operation, kind.ignores_missing),
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
  const bool has_late = decision.late_record >= 0 && accumulator_.samples() > 0;
  if (has_late) out.late = schedule_.due_date(decision.late_record);
  return out;
}

std::optional<config::Instant> Filter::date_under_way() const {
  if (is_leaving) return date_;
  if (accumulator_.samples() == 0 || operation_ == config::Operation::once) return std::nullopt;
  return schedule_.due_date(counters_.records);
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
  return decision.record >= 0 && has_samples_with(decision);
}

void Filter::settle(const config::Schedule::Decision& next) {
  ledger_.pass(schedule_, counters_, next);
  has_samples_ = has_samples_with(next);
  if (next.record >= 0 && !has_samples_) ledger_.leave(schedule_, next.record, 0, false);
  decision_ = next;
  if (next.sample) accumulator_.set_weight(next.weight);
  counters_ = next.counters;
  next_effect_ = schedule_.next_effect(counters_);
  forget_foreseen();
}

bool Filter::passes_through() const {
  return is_single() && decision_.sample && decision_.record >= 0 && leaf < 0 && !keeps_result();
}

std::optional<std::int64_t> Filter::sole_record(config::Instant now) const {
  const auto& decision = foreseen(now);
  const bool is_late = decision.late_record >= 0 && accumulator_.samples() > 0;
  const bool is_record =
      is_single() && decision.sample && decision.record >= 0 && leaf < 0 && !keeps_result();
  return is_late || !is_record ? std::nullopt : std::optional(decision.record);
}

void Filter::leave(std::int64_t record, config::Instant date, bool is_late) {
  is_left_to_taker_ = false;
  record_ = record;
  date_ = date;
  samples_ = accumulator_.samples();
  result_ = {accumulator_.finish(), std::nullopt};
  ledger_.leave(schedule_, record_, samples_, is_late);
}

void Filter::finish_for_taker(config::Instant now) {
  finish(now, {});
  is_left_to_taker_ = true;
}

void Filter::finish(config::Instant now, const ArrayValues& values) {
  is_left_to_taker_ = false;
  record_ = decision_.record;
  date_ = now;
  samples_ = accumulator_.samples() + 1;
  result_ = values;
  ledger_.leave(schedule_, record_, samples_, false);
  accumulator_.forget();
}

void Filter::take_up(const config::OperationState& state) {
  counters_ = state.counters;
  next_effect_ = schedule_.next_effect(counters_);
  forget_foreseen();
  accumulator_.take_up(state.samples);
  ledger_.take_up(state.counters, state.misses_some);
  if (state.held_samples == 0) return;
  is_left_to_taker_ = false;
  date_ = schedule_.due_date(counters_.records - 1);
  record_ =
      schedule_.first_due(date_);  // several records of one date: the first one has the samples
  samples_ = state.held_samples;
  result_ = {accumulator_.kept_values(), std::nullopt};
}

bool Filter::finish_again() {
  if (!is_for_all_runs() || counters_.records == 0) return false;
  is_left_to_taker_ = false;
  record_ = 0;
  samples_ = 1;
  result_ = {accumulator_.kept_values(), std::nullopt};
  return true;
}

void Filter::end() { ledger_.end(counters_, accumulator_.samples()); }

}  // namespace epios::io
