/// @file
/// Records of continued runs: those of one number leave together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "config/index.hpp"
#include "config/model_fwd.hpp"
#include "config/model_ids.hpp"
#include "config/temporal.hpp"

namespace epios::io {

/// Streams of one file may be due at different dates of a period (freq_offset). If another run
/// continues this one, a record waits for the last record of its number, so that a cut between
/// their dates leaves all of them to the next run, and the file has none partly. The values wait
/// where they were made: no sample of the next period is taken before. Without such files, and in
/// runs that are not continued, nothing waits.
class WaitingRecords {
 public:
  /// `schedules`: those of the filters of the streams, which know already what a second set would
  /// have to work out again.
  WaitingRecords(const config::Model& model, std::vector<config::Schedule> schedules);

  bool is_idle() const { return schedules_.empty(); }
  bool may_wait(int stream) const { return group_of(stream) >= 0; }
  bool waits(int stream) const { return may_wait(stream) && nth(held_, stream) >= 0; }
  /// Returns the record of a stream that waits.
  std::int64_t held(int stream) const { return nth(held_, stream); }
  /// Returns true if the record, made at `date`, has to wait, and makes it wait.
  bool hold(int stream, std::int64_t record, config::Instant date);
  /// Returns a stream in the file of `stream` whose record need not wait any more at `date`, and
  /// releases it; -1 if there is none.
  int next_of_file(int stream, config::Instant date);
  /// Releases `stream` alone. Returns true if it waited.
  bool release(int stream, config::Instant date);
  /// Restores a record that waited at the end of an earlier run, at `end`, if it had to.
  void take_up(int stream, std::int64_t record, config::Instant end);

 private:
  /// Returns -1 also for results, which are numbered behind the streams.
  int group_of(int stream) const {
    return is_idle() || std::cmp_greater_equal(stream, group_of_.size()) ? -1
                                                                         : nth(group_of_, stream);
  }
  config::Instant last_date(int stream, std::int64_t record) const;

  std::vector<std::vector<config::StreamId>> groups_;  ///< streams
  std::vector<int> group_of_;                          ///< per stream; -1 if it never waits
  std::vector<config::Schedule> schedules_;            ///< per stream; empty if nothing ever waits
  std::vector<std::int64_t> held_;                     ///< per stream: the record, or -1
};

}  // namespace epios::io
