/// @file
/// Temporal rules as pure functions: which steps are sampled, when a record leaves, what its time
/// stamp and bounds are.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "config/calendar.hpp"

namespace epios::config {

enum class Operation { instant, average, accumulate, minimum, maximum, once };

/// Returns the word of attribute `operation`, and the operation of a word; nothing for another
/// word.
std::string_view name(Operation operation);
std::optional<Operation> operation_named(std::string_view word);
/// Returns the word of cell_methods (CF 7.3): point, mean, sum, minimum or maximum; nothing for
/// once.
std::string_view cell_method(Operation operation);
/// Returns true if the time stamp of a record is the middle of its interval (all but instant and
/// once).
bool is_centered(Operation operation);
/// Returns true if records have a time at all (all but once, which has one record without time
/// dimension).
bool has_time(Operation operation);

/// The dates from `first` to `last`, both included.
struct DateWindow {
  Instant first;
  Instant last;
  bool operator==(const DateWindow&) const = default;
};

/// The records of a file that does not have one at the end of each output_freq.
struct OutputDates {
  /// Ends of all records, ascending. If it is not empty, it replaces output_freq.
  std::vector<Instant> ends{};
  /// If it is not empty, only records within one of them are written: instants that are dated
  /// inside, and other records whose period is inside.
  std::vector<DateWindow> windows{};
  /// True if record 0 is the state at the start: an instant without a period before it. Other
  /// operations have nothing for it.
  bool has_initial = false;
  /// If it is set, periods and samples do not count from the start, but from the last date before
  /// it that is some periods from `anchor`. The first record begins with the start and has what
  /// comes after it.
  bool has_anchor = false;
  Instant anchor{};
  /// Number of periods of output_freq in a cycle (a year, a day) of a climatology. If it is not 0,
  /// a record has the samples of all periods of the same place in their cycles, from one multiple
  /// of climatology_freq to the next. It has the number of the last of them. The others are no
  /// records.
  std::int64_t cycle_periods = 0;
  Duration climatology_freq{};
  bool operator==(const OutputDates&) const = default;
  bool is_list() const { return !ends.empty(); }
  bool is_climatology() const { return cycle_periods > 0; }
  /// Returns true if the samples of some periods are not taken.
  bool skips_samples() const { return is_list() || !windows.empty() || has_initial; }
  /// Returns true if some records are in no file.
  bool leaves_out() const { return skips_samples() || is_climatology(); }
};

/// Returns the last date, not after `start`, that is a number of periods from `anchor`.
Instant period_begin(const Calendar& calendar, Instant anchor, Instant start,
                     const Duration& period);

/// The temporal operation of a field in a file. Durations are resolved: defaults are filled in.
struct Sampling {
  Operation operation = Operation::instant;
  Duration freq_op;
  Duration freq_offset;
  Duration output_freq;  ///< zero if the dates of output are a list
  OutputDates dates{};
  /// True for an average whose samples count for the time since the sample before.
  bool is_weighted = false;
  bool operator==(const Sampling&) const = default;
};

/// Returns the number of periods, following each other, whose samples go into different records.
std::int64_t records_at_a_time(const Sampling& sampling);

/// Returns true if each sample is a record of its own.
bool is_each_sample(const Calendar& calendar, const Sampling& sampling);

/// The dates at which a field is read. Durations are resolved.
struct Reading {
  bool is_once = false;  ///< reads the first record, at any date
  Duration period;       ///< time between records
  Duration offset;       ///< time of the first record from the start of the run
  bool operator==(const Reading&) const = default;
};

/// The dates of records that are read: record k is at D0 + offset + k·period.
class ReadSchedule {
 public:
  ReadSchedule(const Calendar& calendar, Instant start, const Reading& reading);

  /// Returns the last record (from 0) whose date is not after `now`, or -1 before the first one.
  std::int64_t latest(Instant now) const;
  /// Returns the date of a record; for a field that is read once, the date of its only record.
  Instant date_of(std::int64_t record) const;
  /// Returns the record of exactly this date, or -1.
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
  /// Of a climatology: the begin of the last one of the periods that its samples are from. `begin`
  /// is that of the first one.
  std::optional<Instant> last_begin{};
  Instant begin_of_last() const { return last_begin.value_or(begin); }
};

/// The times of the records of a stream. They depend on output_freq and on the dates of output
/// alone, not on the dates at which data comes.
class RecordTimes {
 public:
  RecordTimes(const Calendar& calendar, Instant start, const Sampling& sampling);
  /// Returns the interval of record `record` (from 0): [D0 + record·o, D0 + (record+1)·o]; with
  /// dates in a list, from the date before (or the start) to its own; of a climatology, from the
  /// begin of its first period to the end of its last one.
  RecordTime of(std::int64_t record) const;
  /// Returns the time after which samples go into other records than those of the period of
  /// `record`: the period or, in a climatology, the whole time that it is of.
  RecordTime whole_of(std::int64_t record) const;
  /// Returns the number of the first period whose samples record `record` has; its own, unless it
  /// is that of a climatology. The others follow at distances of cycle_periods.
  std::int64_t first_period_of(std::int64_t record) const;
  /// Returns the end of that interval; for a record behind the last date of a list, a date that no
  /// run reaches.
  Instant end_of(std::int64_t record) const;
  /// End of records behind the last date of a list. Some years may be added to it.
  static constexpr Instant never{9'000'000'000'000'000};
  /// Returns true if the dates of output may leave records out.
  bool leaves_out_any() const { return sampling_.dates.leaves_out(); }
  bool skips_samples_any() const { return sampling_.dates.skips_samples(); }
  /// Returns true if no samples are taken in the period of a record.
  bool skips_samples(std::int64_t record) const {
    return sampling_.dates.skips_samples() && leaves_out(record);
  }
  /// Returns true if the dates of output leave a record of this operation out of its file.
  bool leaves_out(std::int64_t record) const;
  /// Returns the first record from `from` on that is not left out; `from` if there is none.
  std::int64_t first_wanted(std::int64_t from) const;
  /// Returns the date that periods count from: the start, or one before it.
  Instant origin() const { return origin_; }

 private:
  RecordTime period(std::int64_t record) const;
  RecordTime climatology_of(std::int64_t record) const;
  std::int64_t first_wanted_of_climatology(std::int64_t from) const;

  Calendar calendar_;
  Instant start_;
  Instant origin_;
  Sampling sampling_;
  Instant climatologies_begin_;  ///< multiples of climatology_freq count from here
};

/// The rules for one field in one file. D0 is the start of the run, off is freq_offset, f is
/// freq_op, o is output_freq and dt is the time step. Sample k (0, 1, ...) is taken at the first
/// date >= D0 + off + k·f + dt. Record n (1, 2, ...) leaves at the first date > D0 + n·o − f + off
/// which is the last of its period. Data from after the period of a record never enters that
/// record: a record without data in its period is missing, and later data counts for its own time.
///
/// This holds where data comes at certain dates only, too (feed()). A sample is then taken at the
/// first of these dates that is not before its own, if the data is from the period of its record;
/// otherwise there is no data for it. Results of other operations are dated by the ends of their
/// periods: a result that comes late (freq_offset) still counts for its own period, and a record
/// waits for it. A record is made of the samples that it has.
///
/// If off = -dt, sample 0 is the data of the start itself, which comes before the first step; data
/// due earlier can never come. The times of records do not depend on off (as in XIOS). With once,
/// record 0 leaves with the first sample and no other follows.
///
/// OutputDates change this. With a list, D0 + n·o is the n-th date, and the samples of an instant
/// are those at the dates. With the initial state, record n ends at D0 + (n−1)·o, and the samples
/// of an instant begin f earlier. A record that is left out takes no sample and never leaves. With
/// an anchor, D0 is the begin of the period of the start, and what is due up to the start is passed
/// over. In a climatology the samples of a period that is left out are taken, too: for the record
/// that the period belongs to.
class Schedule {
 public:
  Schedule(const Calendar& calendar, Instant start, const Sampling& sampling);

  /// Data that comes at a date.
  struct Data {
    Instant date;  ///< when it comes
    Instant of;    ///< its own date, not after `date`: what happened later is not in it
  };
  /// Returns the first data that comes at `date` or later.
  using NextData = std::function<Data(Instant date)>;
  /// Restricts data to certain dates. A sample is then taken when the first data comes that is not
  /// before its date, unless that data is from after its record; a record waits for its last
  /// sample. If freq_op is one time step, all data until the end of the period is sampled instead.
  /// Copies share cached results, so one thread uses them.
  void feed(NextData next);
  /// Returns when data comes; nullptr if it comes at every time step.
  const NextData* fed_by() const;
  Operation operation() const { return sampling_.operation; }

  /// Progress of the caller; the schedule itself has no state.
  struct Counters {
    std::int64_t samples = 0;  ///< number of sampling dates that are over
    std::int64_t records = 0;  ///< number of records that have left or were passed over
    bool operator==(const Counters&) const = default;
  };
  /// The effects of data dated `now`, in this order.
  struct Decision {
    std::int64_t late_record = -1;  ///< record from 0 whose period ended without data on its last
                                    ///< date, or -1; it leaves with the samples it has, if any
    bool sample = false;            ///< the operation takes the data
    std::int64_t record = -1;       ///< record from 0 that leaves now, or -1
    std::int64_t period = 0;        ///< number of the period that the data is in
    /// Number of sampling dates that the sample stands for: those since the sample before, in the
    /// period of its record. 1 unless samples are weighted.
    std::int64_t weight = 1;
    Counters counters;  ///< progress of the caller from now on
  };
  Decision decide(Instant now, const Counters& so_far) const;
  /// Decides what is over before `now`, although data for `now` may still come. `late_record` is
  /// the first record that has not left by then. A later decide(now) gives the same result as
  /// without this call.
  Decision decide_passed(Instant now, const Counters& so_far) const;
  /// Decides what is over at the end of the run, at `now`, when no more data comes. `late_record`
  /// is the first record that has not left by then.
  Decision decide_end(Instant now, const Counters& so_far) const;
  /// Decides what is over at the end of a run that another run continues. `late_record` is that of
  /// decide_end. Samples that the next data may still provide stay open.
  Decision decide_pause(Instant now, const Counters& so_far) const;

  /// Returns a date before which decide() has no effect: no sample is taken and no record leaves.
  Instant next_effect(const Counters& so_far) const;

  /// Returns the date at which sample `sample` (from 0) is due.
  Instant sampling_date(std::int64_t sample) const;
  /// Returns the date at which record `record` (from 0) is due: the last date of its period.
  Instant due_date(std::int64_t record) const;
  /// Returns the first record that is due at `date` or later.
  std::int64_t first_due(Instant date) const;
  /// Returns the initial progress, which passes over what is due before the run starts and can have
  /// no data.
  Counters before_start() const;
  /// Returns the number of samples of the run in the period of a record (in a climatology, in all
  /// of its periods), which may include some that no data comes for; 0 for a record that is left
  /// out.
  std::int64_t samples_of(std::int64_t record) const;
  /// Numbers of samples, from `begin` up to but not including `end`.
  struct Samples {
    std::int64_t begin = 0;
    std::int64_t end = 0;
  };
  /// Returns the samples of the run in the period of a record.
  Samples numbers_of(std::int64_t record) const;
  /// Returns true if data comes for some sample of a record. Nothing is written of others.
  bool has_data(std::int64_t record) const;
  /// Returns the first date, not before `date`, at which data comes that is a sample. Among very
  /// many without data it looks no further.
  Instant next_sample(Instant date) const;
  /// Returns true if all records have data as long as it comes at every date.
  bool always_has_data() const;
  /// Returns how many of the records [begin, end) have samples.
  std::int64_t records_with_samples(std::int64_t begin, std::int64_t end) const;
  /// Returns the number of samples among the numbers [begin, end): several may be due at one date.
  /// If freq_op is one time step, samples that no data comes for do not count. Samples of records
  /// that are left out do not count.
  std::int64_t samples_within(std::int64_t begin, std::int64_t end) const;
  /// Returns the first sample that is due at `date` or later.
  std::int64_t first_sample(Instant date) const;

  /// Returns the intervals of the records.
  const RecordTimes& times() const { return times_; }

  // The following functions assume that data comes at the start (step 0) and at every time step of
  // the run. They cost a few calendar operations, whatever the length of the run.

  /// Returns the step at which sample `sample` (from 0) is taken.
  std::int64_t step_of_sample(std::int64_t sample) const;
  /// Returns the step at which record `record` (from 0) leaves.
  std::int64_t step_of_record(std::int64_t record) const;
  /// Returns the number of records that leave up to step `steps`, including those due before the
  /// start.
  std::int64_t records_within(std::int64_t steps) const;

 private:
  Instant unfed_sampling_date(std::int64_t sample) const;
  /// Returns true if the samples are the dates of a list.
  bool samples_at_dates() const {
    return sampling_.dates.is_list() && sampling_.operation == Operation::instant;
  }
  bool leaves_out(std::int64_t record) const {
    return times_.leaves_out_any() && times_.leaves_out(record);
  }
  /// Returns true if `is_there` holds for some period that the samples of a record are from.
  template <class IsThere>
  bool any_period(std::int64_t record, const IsThere& is_there) const;
  bool period_has_data(std::int64_t period) const;
  std::int64_t count_samples(std::int64_t begin, std::int64_t end) const;
  struct SampleDate {
    Instant date;
    Instant end;  ///< of what may enter the record of the sample; of a fed schedule
    bool has_data = true;
  };
  SampleDate sample(std::int64_t number) const;
  SampleDate fed_sample(std::int64_t number) const;
  /// Returns the end of what may enter the record of a sample whose own date is `own`.
  Instant end_of_data(Instant own) const;
  /// Returns true if data that comes at `now` may be a sample.
  bool may_take(std::int64_t number, Instant now) const;
  std::int64_t first_with_data(std::int64_t begin, std::int64_t end) const;
  bool takes_what_comes() const { return fed_ != nullptr && !waits_for_data_; }
  Instant fed_due_date(std::int64_t record) const;
  /// Returns true if data dated `now` makes a record leave that has not left before.
  bool leaves(std::int64_t record, Instant now) const;
  Instant last_before_leaving(std::int64_t record) const;
  Instant date_of_record(std::int64_t record, std::int64_t steps) const;
  Decision decide_once(Instant now, const Counters& so_far) const;
  /// Returns the first step, from 0, for which `is_before` is false.
  template <class IsBefore>
  std::int64_t first_step(const IsBefore& is_before) const;

  Calendar calendar_;
  Instant start_;
  Sampling sampling_;
  RecordTimes times_;
  Instant origin_;  ///< periods and samples count from here
  struct Fed;
  std::shared_ptr<Fed> fed_;     ///< shared by copies; null if data comes at every time step
  bool waits_for_data_ = false;  ///< records leave when data comes
  /// Dates of a calendar without months, as sums of milliseconds. They are faster, and models wait
  /// for them at every call.
  struct Milliseconds {
    bool are_whole = false;
    std::int64_t freq_op = 0, freq_offset = 0, output_freq = 0, timestep = 0;
  } ms_;
  /// Positions near which searches begin.
  struct About {
    double freq_op = 1, output_freq = 1;
  } about_ms_;
};

/// Returns the first sample of those [begin, end) whose record is not left out; `end` if there is
/// none.
std::int64_t first_wanted_sample(const Schedule& schedule, std::int64_t begin, std::int64_t end);
/// Returns the last one of them, or `begin` - 1.
std::int64_t last_wanted_sample(const Schedule& schedule, std::int64_t begin, std::int64_t end);

}  // namespace epios::config
