/// @file
/// A file cut in time (split_freq): which record goes into which part, and what parts are called.
/// Pure: no state, thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "config/calendar.hpp"
#include "config/temporal.hpp"

namespace epios::config {

/// The attributes split_* of a file.
struct SplitRule {
  Duration freq;       ///< zero: the file is not cut
  std::string format;  ///< of Calendar::format(); empty: down to the smallest unit of `freq`
  Duration start_offset;
  Duration end_offset{0, 0, 0, 0, 0, -1, 0};
  std::optional<Instant> last_date;  ///< no name has an end after it
  std::optional<Instant>
      first_date{};  ///< no name has a start before it: the run before wrote that
};

/// What belongs into one part: records dated after `begin`, up to `end`.
struct SplitPeriod {
  Instant begin;
  Instant end;
};

class FileSeries {
 public:
  /// Parts are counted from `reference`: the start of the run, or of the run that this one goes on
  /// from. %S and %D in names count from `origin`. Throws Error{configuration} for a `freq` that
  /// does not move time forward.
  FileSeries(const Calendar& calendar, Instant reference, Instant origin, SplitRule rule);

  bool is_split() const { return !rule_.freq.is_zero(); }
  /// Part, from 0, of a record by the end of its interval.
  std::int64_t part_of(Instant record) const;
  /// Of a file that is not cut: from the reference, without end (the same instant again).
  SplitPeriod period(std::int64_t part) const;
  /// The first record of `schedule` that is in a part; it is number 0 there.
  std::int64_t first_record(const Schedule& schedule, std::int64_t part) const;

  /// Name without rank and extension: `base` with the dates of the part at the places %start_date%
  /// and %end_date%, else "<base>_<start>-<end>". Of a file that is not cut: without_dates().
  std::string name(std::string_view base, std::int64_t part) const;
  /// "%y%mo" when parts are months.
  std::string format() const;

 private:
  Instant boundary(std::int64_t part) const;

  Calendar calendar_;
  Instant reference_;
  Instant origin_;
  SplitRule rule_;
};

/// The name of a file that is not cut: %start_date% and %end_date% have no dates to stand for.
std::string without_dates(std::string name);

/// Suffix of the files of several writers: "_<rank>", as wide as the largest rank and `min_digits`.
std::string rank_suffix(int rank, int writers, int min_digits);
/// "<path without .nc>_<rank>.nc".
std::string path_of_writer(std::string_view path, std::string_view rank_suffix);

}  // namespace epios::config
