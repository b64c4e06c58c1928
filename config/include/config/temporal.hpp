/// @file
/// Temporal rules as pure functions: which steps are sampled, when a record leaves, what its time
/// stamp and bounds are.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "config/calendar.hpp"

namespace epios::config {

enum class Operation { instant, average, accumulate, minimum, maximum, once };

/// The word of attribute `operation`, and back; none for another word.
std::string_view name(Operation operation);
std::optional<Operation> operation_named(std::string_view word);
/// CF cell_methods word: point, mean, sum, minimum, maximum; none for once.
std::string_view cell_method(Operation operation);
/// Whether the time stamp of a record is the middle of its interval (all but instant and once).
bool is_centered(Operation operation);
/// Whether records have a time at all (all but once, which is one record without time dimension).
bool has_time(Operation operation);

/// What a field in a file does in time. Durations are resolved: defaults filled in.
struct Sampling {
  Operation operation = Operation::instant;
  Duration freq_op;
  Duration freq_offset;
  Duration output_freq;
  bool operator==(const Sampling&) const = default;
};

/// When a field is read. Durations are resolved.
struct Reading {
  bool is_once = false;  ///< its first record, at any date
  Duration period;       ///< between records
  Duration offset;       ///< of the first record from the start of the run
  bool operator==(const Reading&) const = default;
};

/// The dates of records that are read: record k at D0 + offset + k·period.
class ReadSchedule {
 public:
  ReadSchedule(const Calendar& calendar, Instant start, const Reading& reading);

  /// The last record (from 0) whose date is not after `now`; -1 before the first.
  std::int64_t latest(Instant now) const;
  /// Of a field that is read once that of its only record.
  Instant date_of(std::int64_t record) const;
  /// The record of exactly this date, -1: there is none.
  std::int64_t record_at(Instant now) const;
  bool is_once() const { return reading_.is_once; }

 private:
  Calendar calendar_;
  Instant start_;
  Reading reading_;
};

/// Start and end of the interval of a record, on the calendar.
struct RecordTime {
  Instant begin;
  Instant end;
};

/// The rules for one field in one file. D0 = start of the run, off = freq_offset, f = freq_op,
/// o = output_freq, dt = time step. Sample k (0, 1, ...) is taken at the first date
/// >= D0 + off + k·f + dt; record n (1, 2, ...) leaves at the first date > D0 + n·o − f + off,
/// which is the last of its period. Data that comes after the period of a record never enters that
/// record: a record without data in its period is missing, later data stand under their own time.
/// Of off = -dt sample 0 is the data of the start itself, which come before the first step; what is
/// due before that can never come. The times of records do not depend on off (as in XIOS).
/// With once, record 0 leaves with the first sample and no other follows.
class Schedule {
 public:
  Schedule(const Calendar& calendar, Instant start, const Sampling& sampling);

  /// The first date, not before `date`, at which data come.
  using NextDate = std::function<Instant(Instant date)>;
  /// Data come at certain dates only. A sample is taken at the first of them that is not before its
  /// own date, and a record waits for its last sample; but where freq_op is one time step whatever
  /// comes until the end of the period is a sample. Copies share what is worked out: they belong to
  /// one thread.
  void feed(NextDate next);
  Operation operation() const { return sampling_.operation; }

  /// The caller's counters so far: the schedule itself has no state.
  struct Counters {
    std::int64_t samples = 0;  ///< sampling dates that are over
    std::int64_t records = 0;  ///< records that have left or were passed over
    bool operator==(const Counters&) const = default;
  };
  /// What happens to data dated `now`, in this order.
  struct Decision {
    std::int64_t late_record = -1;  ///< record from 0 whose period ended without data on its last
                                    ///< date: it leaves with the samples it has, if any; or -1
    bool sample = false;            ///< feed the data to the operation
    std::int64_t record = -1;       ///< number from 0 of the record that leaves now, or -1
    Counters counters;              ///< the caller's counters from now on
  };
  Decision decide(Instant now, const Counters& so_far) const;
  /// What is over before `now`, of which data may still come: `late_record` is the first record
  /// that has not left by then. A later decide(now) finds what it would have found without this.
  Decision decide_passed(Instant now, const Counters& so_far) const;
  /// What is over at the end of the run, at `now`, when no more data come: `late_record` is the
  /// first record that has not left by then.
  Decision decide_end(Instant now, const Counters& so_far) const;
  /// What is over at the end of a run that another one goes on from: `late_record` as decide_end()
  /// says. Samples that the next data may still be stay open.
  Decision decide_pause(Instant now, const Counters& so_far) const;

  /// Before this date decide() has no effect: no sample is taken, no record leaves.
  Instant next_effect(const Counters& so_far) const;

  /// The date that sample `sample` (from 0) is due at.
  Instant sampling_date(std::int64_t sample) const;
  /// The date that record `record` (from 0) is due at: the last of its period.
  Instant due_date(std::int64_t record) const;
  /// The first record that is due at `date` or later.
  std::int64_t first_due(Instant date) const;
  /// What is due before the run starts, of which no data can come: counters to begin with.
  Counters before_start() const;
  /// How many samples of the run the period of a record has.
  std::int64_t samples_of(std::int64_t record) const;
  /// How many samples numbers [begin, end) are: several may be due at one date.
  std::int64_t samples_within(std::int64_t begin, std::int64_t end) const;
  /// The first sample number that is due at `date` or later.
  std::int64_t first_sample(Instant date) const;

  /// Interval of record `record` (from 0): [D0 + record·o, D0 + (record+1)·o].
  RecordTime record_time(std::int64_t record) const;

  // What happens if data come at the start (step 0) and at every time step of the run. Cost: some
  // calendar sums, whatever the length of the run.

  /// The step that sample `sample` (from 0) is taken at.
  std::int64_t step_of_sample(std::int64_t sample) const;
  /// The step that record `record` (from 0) leaves at.
  std::int64_t step_of_record(std::int64_t record) const;
  /// How many records leave up to step `steps`, those due before the start included.
  std::int64_t records_within(std::int64_t steps) const;

 private:
  Instant unfed_sampling_date(std::int64_t sample) const;
  Instant fed_due_date(std::int64_t record) const;
  /// Whether data dated `now` make a record leave, if it has not left before.
  bool leaves(std::int64_t record, Instant now) const;
  Instant last_before_leaving(std::int64_t record) const;
  Instant date_of_record(std::int64_t record, std::int64_t steps) const;
  Decision decide_once(Instant now, const Counters& so_far) const;
  /// The first step, from 0, that `is_before` is false for.
  template <class IsBefore>
  std::int64_t first_step(const IsBefore& is_before) const;

  Calendar calendar_;
  Instant start_;
  Sampling sampling_;
  struct Fed;
  std::shared_ptr<Fed> fed_;     ///< shared by copies; null: data come at every time step
  bool waits_for_data_ = false;  ///< records leave when data come
  /// Without months a date is a sum of milliseconds, which models wait for at every call.
  struct Milliseconds {
    bool are_whole = false;
    std::int64_t freq_op = 0, freq_offset = 0, output_freq = 0, timestep = 0;
  } ms_;
  /// Searches begin near their ends.
  struct About {
    double freq_op = 1, output_freq = 1;
  } about_ms_;
};

}  // namespace epios::config
