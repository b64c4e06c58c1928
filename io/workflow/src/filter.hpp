/// @file
/// A temporal node of the graph during a run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "accumulator.hpp"
#include "config/statistics.hpp"
#include "config/temporal.hpp"
#include "sample_ledger.hpp"
#include "workflow/workflow.hpp"

namespace epios::io {

/// A temporal operation and who takes its results. Dates are decided first, then samples fed.
class Filter {
 public:
  /// `is_each`: each sample is a result. `is_kept`: another run goes on with it.
  struct Kind {
    bool ignores_missing = false;
    bool is_each = false;
    bool is_kept = false;
    bool takes_what_comes = false;  ///< as FedSchedules say
  };
  Filter(const config::Schedule& schedule, config::Operation operation, const ArrayLayout& layout,
         const Kind& kind);

  std::vector<int> streams;  ///< that the results are records of, ascending
  int leaf = -1;             ///< of the workflow, that the results are; -1: of nobody's arithmetic
  bool is_chosen = false;    ///< the workflow lets it have the data under way
  bool is_leaving = false;   ///< its result is on the way to those who take it

  /// Results are there until the next period has samples, also those that are data of the model.
  void keep_results() { keeps_results_ = true; }

  /// Whether data dated so would have an effect: a sample is taken, or a record is complete.
  bool wants(config::Instant now) const;
  /// Whether a result leaves with data dated so.
  bool would_leave(config::Instant now) const;
  /// The dates of the result that data dated so go into, if they have an effect, and of the one
  /// that leaves with them because its period is over.
  struct ResultDates {
    config::Instant own;
    std::optional<config::Instant> late;
  };
  ResultDates result_dates_of(config::Instant now) const;
  /// The date of the result that it has data of, or that not all have got; none: there is none.
  std::optional<config::Instant> date_under_way() const;
  /// The first record that can be due at that date or later.
  std::int64_t first_due(config::Instant date) const { return schedule_.first_due(date); }
  /// Whether data have to be taken whoever takes the result: the first data are the only ones, or
  /// what the next run takes up would be another.
  bool has_to_know() const;

  /// The record that a sample dated `now` is, if that is all that it does and nobody works on with
  /// it.
  std::optional<std::int64_t> sole_record(config::Instant now) const;

  /// What happens to data dated `now`, which have come.
  void decide(config::Instant now) { settle(foreseen(now)); }
  /// Nobody takes what they would go into: nothing happens to them.
  void rest() { decision_ = {}; }
  /// What is over before `now`.
  void decide_passed(config::Instant now) { settle(schedule_.decide_passed(now, counters_)); }
  /// What is over at the end of the run.
  void decide_end(config::Instant now) {
    settle(kind_.is_kept ? schedule_.decide_pause(now, counters_)
                         : schedule_.decide_end(now, counters_));
  }
  bool takes_sample() const { return decision_.sample; }
  /// A record is complete; one without any sample is none.
  bool is_due() const { return decision_.record >= 0 && has_samples_; }
  /// A record whose period is over leaves with the samples it has.
  bool is_late() const { return decision_.late_record >= 0 && accumulator_.samples() > 0; }
  /// The sample is the record, and nobody looks at it again.
  bool passes_through() const;

  Accumulator& accumulator() { return accumulator_; }
  /// The record that is due is made of the samples so far.
  void finish(config::Instant now) { leave(decision_.record, now, false); }
  /// The same of the record that is late: its date is the one that it was due at.
  void finish_late() {
    leave(decision_.late_record, schedule_.due_date(decision_.late_record), true);
  }
  /// The record that is due is these values.
  void finish(config::Instant now, const ArrayValues& values);
  /// The record that is due is the sample, which whoever takes it works out.
  void finish_for_taker(config::Instant now);
  bool is_left_to_taker() const { return is_left_to_taker_; }
  void end();

  config::OperationState state() const {
    return {counters_, accumulator_.samples(), ledger_.misses_some()};
  }
  /// Goes on from there; the arrays of the accumulator are those of that state.
  void take_up(const config::OperationState& state);
  /// What was written once in a run before is a result again.
  bool finish_again();

  std::int64_t record() const { return record_; }
  std::int64_t samples() const { return samples_; }
  const ArrayValues& result() const { return result_; }
  config::Instant result_date() const { return date_; }
  const StreamAccount& account() const { return ledger_.account(); }

 private:
  bool is_single() const {
    return operation_ == config::Operation::instant || operation_ == config::Operation::once;
  }
  /// What is written once is written by the next run, too.
  bool is_for_all_runs() const { return kind_.is_kept && operation_ == config::Operation::once; }
  bool keeps_result() const { return keeps_results_ || is_for_all_runs(); }
  /// What data dated so would do: asked several times, worked out once.
  const config::Schedule::Decision& foreseen(config::Instant now) const;
  /// Whether a record that leaves with it has any sample.
  bool has_samples_with(const config::Schedule::Decision& next) const {
    return next.sample || (next.late_record < 0 && accumulator_.samples() > 0);
  }
  void settle(const config::Schedule::Decision& next);
  void leave(std::int64_t record, config::Instant date, bool is_late);

  void forget_foreseen() {
    for (Foreseen::Known& known : foreseen_.known) known.at.reset();
  }

  config::Operation operation_;
  Kind kind_;
  bool keeps_results_ = false;
  config::Schedule schedule_;
  Accumulator accumulator_;
  SampleLedger ledger_;
  config::Schedule::Counters counters_;
  config::Instant next_effect_;
  config::Schedule::Decision decision_;
  bool has_samples_ = false;  // the record that decision_ makes complete
  struct Foreseen {
    struct Known {
      std::optional<config::Instant> at;
      config::Schedule::Decision decision;
    };
    // With the counters of now. Beside the date at hand, somebody may ask for that of a result.
    std::array<Known, 2> known;
    std::size_t last = 0;
  };
  mutable Foreseen foreseen_;
  // Of the last result:
  std::int64_t record_ = -1;
  std::int64_t samples_ = 0;
  config::Instant date_;
  ArrayValues result_;
  bool is_left_to_taker_ = false;
};

}  // namespace epios::io
