/// @file
/// Account of the samples that a temporal operation should have had and did have.
#pragma once

#include <cstdint>

#include "config/temporal.hpp"
#include "workflow/workflow.hpp"

namespace epios::io {

/// Counts what a model did not send. As long as all data comes, it costs a comparison of numbers
/// per date.
class SampleLedger {
 public:
  /// `before` is what is over when the run begins. `takes_what_comes` means that the dates of
  /// samples are not known.
  SampleLedger(config::Operation operation, const config::Schedule::Counters& before,
               bool takes_what_comes)
      : operation_(operation), before_(before), takes_what_comes_(takes_what_comes) {}

  /// Counts what `decision` passes over, before the data of its date is added.
  void pass(const config::Schedule& schedule, const config::Schedule::Counters& before,
            const config::Schedule::Decision& decision);
  /// Counts a record that leaves with so many samples, either with data of its last date or late.
  void leave(const config::Schedule& schedule, std::int64_t record, std::int64_t samples,
             bool is_late);
  /// Ends the run; `samples` are in no record.
  void end(const config::Schedule& schedule, const config::Schedule::Counters& counters,
           std::int64_t samples);

  const StreamAccount& account() const { return account_; }

  // A continued run reports only its own part.
  bool misses_some() const { return misses_some_; }
  void take_up(const config::Schedule::Counters& before, bool misses_some) {
    before_ = before;
    misses_some_ = misses_some;
    served_ = misses_some ? 0 : before.samples;
  }

 private:
  void miss(std::int64_t count, config::Instant first, config::Instant last);
  void pass_instants(const config::Schedule& schedule, std::int64_t begin, std::int64_t end);
  /// Returns true if each record has one sample, which one is not counted beforehand.
  bool counts_records() const {
    return operation_ == config::Operation::instant || takes_what_comes_;
  }

  config::Operation operation_;
  config::Schedule::Counters before_;  // at the beginning of the run
  bool takes_what_comes_;
  bool misses_some_ = false;  // since the last record that left in time
  std::int64_t served_ = 0;   // number of the samples up to the last one taken
  bool is_served_ = false;    // the first record passed over has its instant
  StreamAccount account_;
};

}  // namespace epios::io
