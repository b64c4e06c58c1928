/// @file
/// A file that is split in time (split_freq): which record belongs to which part, and the names of
/// the parts. Pure: no state, thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "config/calendar.hpp"
#include "config/temporal.hpp"

namespace epios::config {

/// The split_* attributes of a file.
struct SplitRule {
  Duration freq;       ///< zero if the file is not split
  std::string format;  ///< format of Calendar::format(); if empty, dates down to the smallest unit
                       ///< of `freq`
  Duration start_offset;
  Duration end_offset{0, 0, 0, 0, 0, -1, 0};
  std::optional<Instant> last_date;     ///< latest end in a name
  std::optional<Instant> first_date{};  ///< earliest start in a name; what is before it was written
                                        ///< by the previous run
};

/// The period of one part: records dated after `begin`, up to `end`.
struct SplitPeriod {
  Instant begin;
  Instant end;
};

class FileSeries {
 public:
  /// Counts parts from `reference`: the start of the run, or of the run that this one continues. %S
  /// and %D in names count from `origin`. Throws Error{configuration} for a `freq` that does not
  /// move time forward.
  FileSeries(const Calendar& calendar, Instant reference, Instant origin, SplitRule rule);

  bool is_split() const { return !rule_.freq.is_zero(); }
  /// Returns the number, from 0, of the part of a record, given the end of its interval.
  std::int64_t part_of(Instant record) const;
  /// Returns the period of a part. A file that is not split starts at the reference and has no end
  /// (the same instant again).
  SplitPeriod period(std::int64_t part) const;
  /// Returns the first record of these times that is in a part; its number in the part is 0.
  std::int64_t first_record(const RecordTimes& times, std::int64_t part) const;

  /// Returns the name without rank and extension: `base` with the dates of the part in place of
  /// %start_date% and %end_date%, or "<base>_<start>-<end>" without placeholders. A file that is
  /// not split has the name of without_dates().
  std::string name(std::string_view base, std::int64_t part) const;
  /// Returns the format of the dates: "%y%mo" if parts are months.
  std::string format() const;

 private:
  Instant boundary(std::int64_t part) const;

  Calendar calendar_;
  Instant reference_;
  Instant origin_;
  SplitRule rule_;
};

/// Returns the name of a file that is not split, without the placeholders %start_date% and
/// %end_date%.
std::string without_dates(std::string name);

/// Returns the suffix of the files of several writers: "_<rank>", as wide as the largest rank and
/// at least `min_digits`.
std::string rank_suffix(int rank, int writers, int min_digits);
/// Returns "<path without suffix>_<rank><suffix>".
std::string path_of_writer(std::string_view path, std::string_view rank_suffix);

}  // namespace epios::config
