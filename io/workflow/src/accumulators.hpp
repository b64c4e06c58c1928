/// @file
/// The samples of one temporal operation, for all records that they go into at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "accumulator.hpp"
#include "config/index.hpp"
#include "config/temporal.hpp"
#include "grid/layout.hpp"

namespace epios::io {

/// Accumulators of records that follow each other: one, or for a climatology one for each period of
/// a cycle, which takes the samples of that period in all cycles. Each has a number, its slot.
class Accumulators {
 public:
  /// `records`: config::records_at_a_time().
  Accumulators(const ArrayLayout& layout, config::Operation operation, bool ignores_missing,
               std::int64_t records);

  std::int64_t count() const { return std::ssize(all_); }
  std::int64_t slot_of(std::int64_t record) const { return record % count(); }
  Accumulator& at(std::int64_t slot) { return nth(all_, slot); }
  const Accumulator& at(std::int64_t slot) const { return nth(all_, slot); }
  /// Returns what has the samples of a record.
  Accumulator& of(std::int64_t record) { return at(slot_of(record)); }
  const Accumulator& of(std::int64_t record) const { return at(slot_of(record)); }
  bool has_samples(std::int64_t record) const { return of(record).samples() > 0; }
  /// Returns the number of samples that are in no record yet.
  std::int64_t samples() const;

  /// Returns the records that a decision passes over and that have samples, ascending.
  std::vector<std::int64_t> late(const config::RecordTimes& times,
                                 const config::Schedule::Decision& decision) const;
  /// Returns true if the record that leaves with a decision has samples then: those that late ones
  /// of its slot take along are not its own.
  bool has_samples_with(const config::RecordTimes& times,
                        const config::Schedule::Decision& decision) const;

  /// Goes on to what a decision says: the record that the next sample goes into, and the late ones.
  void go_on(const config::RecordTimes& times, const config::Schedule::Decision& decision);
  /// Forgets the late ones, because nobody takes them.
  void rest() { late_.clear(); }
  /// Returns what has the samples of the record that the sample of the last decision goes into.
  Accumulator& current() { return of(period_); }
  /// The records of the last decision that have still to leave.
  const std::vector<std::int64_t>& late() const { return late_; }
  /// Takes the first one of them out.
  std::int64_t take_late();

 private:
  std::vector<Accumulator> all_;  // by slot
  std::int64_t period_ = 0;
  std::vector<std::int64_t> late_;
};

}  // namespace epios::io
