/// @file
/// Calendars, dates and durations. Pure: no state, no MPI, thread-safe.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace epios::config {

enum class CalendarType { gregorian, julian, no_leap, all_leap, d360, user_defined };

/// CF name: gregorian, julian, noleap, all_leap, 360_day, user_defined (CF, "Calendar").
std::string_view cf_name(CalendarType type);

/// What type user_defined needs: the days and years of another world. Either months or a length of
/// the year.
struct UserCalendar {
  std::int64_t day_length_s = 86'400;
  std::vector<std::int64_t> month_lengths;  ///< days of each month; empty: there are no months
  std::int64_t year_length_s = 0;           ///< of a year without months
  std::int64_t leap_month = 0;              ///< from 1: the month of the leap day; 0: none
  /// Days per year, in [0, 1), that a common year lacks. A year is leap when the sum, which is
  /// `leap_drift_offset` as year `origin_year` begins, passes a whole number during it.
  double leap_drift = 0;
  double leap_drift_offset = 0;
  std::int64_t origin_year = 0;
  bool operator==(const UserCalendar&) const = default;

  /// The first thing wrong with it; `attribute` is the XML attribute to blame.
  struct Complaint {
    std::string attribute;
    std::string why;
  };
  std::optional<Complaint> complaint() const;
};

/// A point in model time: milliseconds since 0000-01-01 00:00:00 of the calendar in use.
struct Instant {
  std::int64_t ms = 0;
  // clang-tidy 14 takes the 0 inside a defaulted <=> for a null pointer.
  auto operator<=>(const Instant&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// Seconds from one instant to a later one; negative the other way round.
inline double seconds_between(Instant from, Instant to) {
  return static_cast<double>(to.ms - from.ms) / 1000;
}

/// Civil date. `month` and `day` count from 1. In a calendar without months `month` is 1 and `day`
/// is that of the year; an hour has 3600 seconds, and as many of them fit into a day as it is long.
struct Date {
  std::int64_t year = 0;
  int month = 1, day = 1, hour = 0, minute = 0, second = 0, millisecond = 0;
  auto operator<=>(const Date&) const = default;  // NOLINT(modernize-use-nullptr)
  /// "2000-01-31 12:00:00" (".250" appended when there are milliseconds); of a calendar with
  /// months.
  std::string text() const;
};

/// Units are kept apart, since a month has no fixed length and `ts` is the model's time step.
struct Duration {
  double year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, timestep = 0;
  bool operator==(const Duration&) const = default;
  bool is_zero() const { return *this == Duration{}; }
  /// Parses "<number><unit>..." with y mo d h mi s ts, each unit at most once, spaces optional.
  /// Throws Error{configuration} that says what is wrong and lists the units.
  static Duration parse(std::string_view text);
  /// Shortest text that parses back, "1d 6h".
  std::string text() const;
};

Duration operator*(const Duration& d, double factor);
Duration operator+(const Duration& a, const Duration& b);

/// Date arithmetic of one calendar with one time step.
class Calendar {
 public:
  /// `timestep` may not contain `ts`; it may be zero as long as no `ts` is resolved. Type
  /// user_defined takes `user`, which others ignore; throws Error{configuration} if it complains.
  Calendar(CalendarType type, const Duration& timestep, UserCalendar user = {});

  CalendarType type() const { return type_; }
  const Duration& timestep() const { return timestep_; }
  const UserCalendar& user() const { return user_; }
  std::string_view cf_name() const { return config::cf_name(type_); }

  /// Throws Error{configuration} for a date that does not exist in this calendar.
  Instant instant(const Date& date) const;
  Date date(Instant instant) const;
  /// "y-m-d h:mi:s", without months "y-d h:mi:s" or, if the day is longer than the year,
  /// "y h:mi:s"; may be cut from the right; optional " + <duration>".
  Instant parse(std::string_view text) const;
  /// What parse() reads.
  std::string text(Instant instant) const;
  /// Replaces %y %mo %d %h %mi %s by the parts of the date (years have four digits, the rest two),
  /// %S and %D by whole seconds and days since `origin`. Other text, also "%x", stays.
  std::string format(Instant instant, std::string_view pattern, Instant origin = {}) const;

  bool has_months() const { return months_per_year() > 0; }
  int months_per_year() const;  ///< 0 without months
  /// Throw Error{argument} for a month that does not exist.
  int days_in_month(std::int64_t year, int month) const;
  int days_in_year(std::int64_t year) const;  ///< whole days
  std::int64_t year_length_s(std::int64_t year) const;
  std::int64_t day_length_s() const;

  double second_of_year(Instant instant) const;  ///< since the year began
  double day_of_year(Instant instant) const;     ///< days since the year began, with their fraction
  double fraction_of_year(Instant instant) const;  ///< in [0, 1)
  double second_of_day(Instant instant) const;     ///< since the day began
  double fraction_of_day(Instant instant) const;   ///< in [0, 1)

  /// A duration as what is counted in months and what is counted in seconds. Time steps are
  /// resolved; years are months, or seconds where there are no months.
  struct Parts {
    double months = 0, seconds = 0;
  };
  /// Throws Error{configuration} for months in a calendar that has none.
  Parts parts(const Duration& duration) const;
  /// One spelling, in months and seconds, for all durations that this calendar takes for equal at
  /// every date, however often they are repeated: 1d, 24h and 1440mi; 1y and 12mo; 30d and 1mo
  /// where every month has 30 days, 365d and 1y where every year has 365. Time steps are resolved
  /// if their length is known; months stay where the calendar has none. Not for humans.
  Duration normal(const Duration& duration) const;
  bool are_equal(const Duration& a, const Duration& b) const { return normal(a) == normal(b); }
  /// Adds months on the calendar first (a day past the end of the month becomes its last day; a
  /// fraction of a month is dropped), then the rest in milliseconds (rounded once).
  Instant add(Instant instant, const Duration& duration) const;
  /// start + step × timestep, computed from the start so that nothing accumulates.
  Instant at_step(Instant start, std::int64_t step) const;

 private:
  CalendarType type_;
  Duration timestep_;
  UserCalendar user_;
};

}  // namespace epios::config
