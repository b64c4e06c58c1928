/// @file
/// Time coordinates of files from other sources. Pure: no state, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/calendar.hpp"

namespace epios::config {

/// Returns true if units are those of dates: "hours since 1900-01-01", in upper or lower case.
bool say_dates(std::string_view units);

/// How dates of a file in another calendar become dates of the run (attribute calendar_mapping).
enum class CalendarMapping {
  none,  ///< not at all: both calendars must have the same dates
  date,  ///< same year, month, day and time of day
  year   ///< same year, and same share of it
};

/// How values between records are made (attribute interpolate_time).
enum class TimeInterpolation { none, linear, nearest };

/// A time coordinate (CF 4.4) on the calendar of the run.
class FileDates {
 public:
  /// `units` reads "hours since 1900-01-01 00:00:00 UTC"; `calendar` is "" without the attribute.
  /// Throws Error{io} if the coordinate gives no dates on the calendar of the run; the text says
  /// why, but does not name the file.
  FileDates(const Calendar& run, std::string_view units, std::string_view calendar,
            CalendarMapping mapping = CalendarMapping::none);

  /// Converts a value. A day that the calendar of the run does not have becomes the last one of its
  /// month. Throws Error{io} for a value that is no date.
  Instant at(double value) const;
  /// Returns the date one period of the file's calendar behind a value: a day after 30 December is
  /// the next year in a calendar of 360 days. Days as in at().
  Instant after(double value, const Duration& period) const;
  /// Returns true if the calendar of the run has the date of a value.
  bool has(double value) const;
  /// Returns the date of the run whose record stands for `date`: itself, unless it is on a day that
  /// the calendar of the file does not have. Then it is the last day of that month in the file.
  Instant stand_in(Instant date) const;

 private:
  Instant in_file(double value) const;
  Instant in_run(Instant there) const;

  Calendar run_;
  Calendar own_;  ///< of the file; that of the run if nothing is mapped
  CalendarMapping mapping_;
  std::string units_;
  Instant epoch_;  ///< on the file's calendar
  double unit_ms_ = 1;
};

/// The dates of the records of a file.
class RecordDates {
 public:
  /// `stamps` are the values in the file. Throws Error{io} for a value that is no date.
  RecordDates(const FileDates& dates, std::span<const double> stamps);

  std::size_t size() const { return by_record_.size(); }
  /// Returns the record of a date, to the second, or -1. In a file of another calendar it may be
  /// that of another day (FileDates::stand_in).
  std::int64_t find(Instant date) const;
  /// A record, and its date.
  struct Dated {
    Instant date;
    std::int64_t record = 0;
    bool operator==(const Dated&) const = default;
  };
  /// Return the last record dated at `date` or before, and the first one at `date` or after, to the
  /// second.
  std::optional<Dated> latest(Instant date) const;
  std::optional<Dated> earliest(Instant date) const;
  /// Returns the only record dated in [begin, end), or -1 if there is none or several.
  std::int64_t only_one(Instant begin, Instant end) const;
  Instant of(std::int64_t record) const { return by_record_.at(static_cast<std::size_t>(record)); }
  /// Return the earliest and the latest date of a file with records.
  Instant first() const { return by_date_.front().date; }
  Instant last() const { return by_date_.back().date; }
  /// Returns the end of what the latest record of such a file stands for, if that is one `period`.
  Instant end(const Duration& period) const { return dates_.after(latest_stamp_, period); }

 private:
  std::vector<Dated> by_date_;  ///< those that the calendar of the run has
  std::vector<Instant> by_record_;
  FileDates dates_;
  double latest_stamp_ = 0;  ///< of all
};

/// Two records of a file, and where between them a date lies: 0 is the first one, 1 the second one.
/// At the date of a record both are the same.
struct RecordsAround {
  RecordDates::Dated before, after;
  double share = 0;
};
/// Returns the place of a date between two records around it.
RecordsAround records_around(const RecordDates::Dated& before, const RecordDates::Dated& after,
                             Instant date);

/// Returns the mean time between the records of a file, as a duration; a second if it has fewer
/// than two.
Duration mean_spacing(const RecordDates& dates);

/// A file whose records repeat in a cycle and are found by their dates: a climatological year for
/// all years, a day for all days.
class DateCycle {
 public:
  /// The cycle ends one `period` after the last date. Its length is whole years if that end is an
  /// anniversary of the first date, within half a period; whole months if `period` is in months;
  /// and a fixed time otherwise. `dates` must have at least one record.
  DateCycle(const Calendar& calendar, const RecordDates& dates, const Duration& period);

  /// Returns the date in the file that stands for `date`. In a cycle of whole years it is the same
  /// day of the year; 29 February becomes the 28th if the year of the file has no leap day.
  Instant within(Instant date) const;
  /// Returns the record that stands for a date, or -1. `dates` must be those of the constructor. It
  /// is the record with the time stamp of the date within the cycle. If each record stands for a
  /// month, it is the only record of that month, because stamps mostly lie in the middle of the
  /// month.
  std::int64_t find(const RecordDates& dates, Instant date) const;
  /// Returns the records around a date; the first one follows the last one.
  RecordsAround around(const RecordDates& dates, Instant date) const;
  /// Returns the length, "1y", for messages.
  std::string text() const;

 private:
  std::int64_t turns_until(Instant date) const;
  /// Returns the end of the first cycle, at which the first record comes again.
  Instant end() const;
  Instant back(Instant date, std::int64_t turns) const;

  Calendar calendar_;
  Instant first_;
  bool is_monthly_ = false;  ///< true if the period is a month
  std::int64_t months_ = 0;  ///< length in months; 0 if the cycle has the length `ms_`
  std::int64_t ms_ = 0;
};

}  // namespace epios::config
