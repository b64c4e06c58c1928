/// @file
/// A temporal node of the graph during a run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "accumulators.hpp"
#include "config/statistics.hpp"
#include "config/temporal.hpp"
#include "sample_ledger.hpp"
#include "workflow/workflow.hpp"

namespace epios::io {

/// A temporal operation and the takers of its results. Dates are decided first, then samples are
/// added.
class Filter {
 public:
  /// `is_each`: each sample is a result. `is_kept`: another run continues it. `records`: number of
  /// records that samples go into at a time, period by period in turn (config::Sampling).
  struct Kind {
    bool ignores_missing = false;
    bool is_each = false;
    bool is_kept = false;
    bool takes_what_comes = false;  ///< as in FedSchedules
    std::int64_t records = 1;
  };
  Filter(const config::Schedule& schedule, config::Operation operation, const ArrayLayout& layout,
         const Kind& kind);

  std::vector<int> streams;  ///< streams whose records are the results, ascending
  int leaf = -1;  ///< leaf of the workflow that has the results; -1 if no arithmetic uses them
  bool is_chosen = false;   ///< the workflow gives it the current data
  bool is_leaving = false;  ///< its result is on the way to its takers

  /// Keeps results until the next period has samples, also results that are arrays of the model.
  void keep_results() { keeps_results_ = true; }

  /// Returns true if data of this date would have an effect: a sample is taken, or a record is
  /// complete.
  bool wants(config::Instant now) const;
  /// Returns true if a result leaves with data of this date.
  bool would_leave(config::Instant now) const;
  /// Returns the date of the result that data of this date goes into, if it has an effect, and that
  /// of the result which leaves with it because its period is over.
  struct ResultDates {
    config::Instant own;
    std::optional<config::Instant> late;
  };
  ResultDates result_dates_of(config::Instant now) const;
  /// Returns the dates of the results that have data already, or that not all takers have received.
  std::vector<config::Instant> dates_under_way() const;
  /// Returns the first record that can be due at that date or later.
  std::int64_t first_due(config::Instant date) const { return schedule_.first_due(date); }
  /// Returns true if data must be taken even without takers of the result: the first data is the
  /// only one, or the state for the next run would differ.
  bool has_to_know() const;

  /// Returns the record that a sample dated `now` is, if that is its only effect and nobody
  /// computes with it.
  std::optional<std::int64_t> sole_record(config::Instant now) const;

  /// Decides on data dated `now`, which has come.
  void decide(config::Instant now) { settle(foreseen(now)); }
  /// Skips the data, because nobody takes the result.
  void rest() {
    decision_ = {};
    accumulators_.rest();
  }
  /// Decides what is over before `now`.
  void decide_passed(config::Instant now) { settle(schedule_.decide_passed(now, counters_)); }
  /// Decides what is over at the end of the run.
  void decide_end(config::Instant now) {
    settle(kind_.is_kept ? schedule_.decide_pause(now, counters_)
                         : schedule_.decide_end(now, counters_));
  }
  bool takes_sample() const { return decision_.sample; }
  /// Returns true if a record is complete; a record without any sample is none.
  bool is_due() const { return decision_.record >= 0 && has_samples_; }
  /// Returns true if the sample is the record, and nobody reads it again.
  bool passes_through() const;

  Accumulators& accumulators() { return accumulators_; }
  const Accumulators& accumulators() const { return accumulators_; }
  /// Makes the due record from the samples so far.
  void finish(config::Instant now) { leave(decision_.record, now, false); }
  /// Makes the first one of the late records; its date is the one at which it was due.
  void finish_late();
  /// Makes the due record from these values.
  void finish(config::Instant now, const ArrayValues& values);
  /// Leaves the due record to its taker, which computes the sample.
  void finish_for_taker(config::Instant now);
  bool is_left_to_taker() const { return is_left_to_taker_; }
  void end();

  /// The state of the samples of one slot of the accumulators.
  config::OperationState state(std::int64_t slot) const {
    return {counters_, accumulators_.at(slot).samples(), ledger_.misses_some()};
  }
  /// Continues from a state; the arrays of the accumulator belong to it.
  void take_up(const config::OperationState& state, std::int64_t slot);
  /// Makes what an earlier run has written once a result again.
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
  /// Returns true if the next run writes it, too, because it is written once.
  bool is_for_all_runs() const { return kind_.is_kept && operation_ == config::Operation::once; }
  bool keeps_result() const { return keeps_results_ || is_for_all_runs(); }
  /// Returns the decision for data of this date, computed once for several calls.
  const config::Schedule::Decision& foreseen(config::Instant now) const;
  void settle(const config::Schedule::Decision& next);
  void leave(std::int64_t record, config::Instant date, bool is_late);

  void forget_foreseen() {
    for (Foreseen::Known& known : foreseen_.known) known.at.reset();
  }

  config::Operation operation_;
  Kind kind_;
  bool keeps_results_ = false;
  config::Schedule schedule_;
  Accumulators accumulators_;
  SampleLedger ledger_;
  config::Schedule::Counters counters_;
  config::Instant next_effect_;
  config::Schedule::Decision decision_;
  bool has_samples_ = false;  // of the record that decision_ completes
  struct Foreseen {
    struct Known {
      std::optional<config::Instant> at;
      config::Schedule::Decision decision;
    };
    // Decisions with the current counters: besides the current date, that of a result may be asked
    // for.
    std::array<Known, 2> known;
    std::size_t last = 0;
  };
  mutable Foreseen foreseen_;
  // For the last result:
  std::int64_t record_ = -1;
  std::int64_t samples_ = 0;
  config::Instant date_;
  ArrayValues result_;
  bool is_left_to_taker_ = false;
};

}  // namespace epios::io
