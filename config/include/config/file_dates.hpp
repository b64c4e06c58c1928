/// @file
/// Time coordinates of files that others made. Pure: no state, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/calendar.hpp"

namespace epios::config {

/// Whether units are those of dates: "hours since 1900-01-01", in any case.
bool say_dates(std::string_view units);

/// A time coordinate (CF 4.4) on the calendar of the run.
class FileDates {
 public:
  /// `units`: "hours since 1900-01-01 00:00:00 UTC"; `calendar`: "" without the attribute. Throws
  /// Error{io} whose text says why they have no dates of the run, without the file.
  FileDates(const Calendar& run, std::string_view units, std::string_view calendar);

  /// Throws Error{io} for a value that is no date.
  Instant at(double value) const;

 private:
  std::string units_;
  Instant epoch_;
  double unit_ms_ = 1;
};

/// The dates of the records of a file.
class RecordDates {
 public:
  /// `stamps`: as they stand in the file. Throws Error{io} for one that is no date.
  RecordDates(const FileDates& dates, std::span<const double> stamps);

  std::size_t size() const { return by_record_.size(); }
  /// The record of a date, to the second; -1: there is none.
  std::int64_t find(Instant date) const;
  /// The only record dated from `begin` on and before `end`; -1: there is none, or several.
  std::int64_t only_one(Instant begin, Instant end) const;
  Instant of(std::int64_t record) const { return by_record_.at(static_cast<std::size_t>(record)); }
  /// Of a file with records, the earliest and the latest date.
  Instant first() const { return by_date_.front().date; }
  Instant last() const { return by_date_.back().date; }

 private:
  struct Stamp {
    Instant date;
    std::int64_t record = 0;
  };
  std::vector<Stamp> by_date_;
  std::vector<Instant> by_record_;
};

/// A file whose records begin again after the last one, found by their dates: a climatological year
/// for all years, a day for all days.
class DateCycle {
 public:
  /// The cycle ends a `period` after the last date. It is of whole years if that is an anniversary
  /// of the first date, give or take half a period; of months, if `period` is; else so much time.
  /// `dates`: of at least one record.
  DateCycle(const Calendar& calendar, const RecordDates& dates, const Duration& period);

  /// The date in the file that stands for `date`. Of whole years: the same day of a year; 29
  /// February is the 28th where the year of the file has none.
  Instant within(Instant date) const;
  /// The record that stands for a date, of `dates` as above: with its time stamp in the cycle, or,
  /// where records are of a month each, the only one of that month, since stamps mostly stand in
  /// its middle. -1: there is none.
  std::int64_t find(const RecordDates& dates, Instant date) const;
  /// "1y": for messages.
  std::string text() const;

 private:
  std::int64_t turns_until(Instant date) const;
  Instant back(Instant date, std::int64_t turns) const;

  Calendar calendar_;
  Instant first_;
  bool is_monthly_ = false;  ///< the period is a month
  std::int64_t months_ = 0;  ///< 0: it is `ms_` long
  std::int64_t ms_ = 0;
};

}  // namespace epios::config
