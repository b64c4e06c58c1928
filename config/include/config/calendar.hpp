/// @file
/// Calendars, dates and durations. All functions are pure: no state, no MPI, thread-safe.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace epios::config {

enum class CalendarType { gregorian, julian, no_leap, all_leap, d360, user_defined };

/// Returns the CF name: gregorian, julian, noleap, all_leap, 360_day or user_defined (CF,
/// "Calendar").
std::string_view cf_name(CalendarType type);

/// Parameters of a calendar of type user_defined: the days and years of another planet. It has
/// either months or a length of the year.
struct UserCalendar {
  std::int64_t day_length_s = 86'400;
  std::vector<std::int64_t> month_lengths;  ///< days of each month; empty if there are no months
  std::int64_t year_length_s = 0;           ///< length of a year without months
  std::int64_t leap_month = 0;              ///< month of the leap day, from 1; 0 if there is none
  /// Days per year, in [0, 1), that a common year lacks. The missing days add up, from
  /// `leap_drift_offset` at the start of `origin_year`. A year in which the sum reaches a whole
  /// number is a leap year.
  double leap_drift = 0;
  double leap_drift_offset = 0;
  std::int64_t origin_year = 0;
  bool operator==(const UserCalendar&) const = default;

  /// The first mistake found. `attribute` is the XML attribute that causes it.
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

/// Returns the seconds from one instant to another, negative if `to` is earlier.
inline double seconds_between(Instant from, Instant to) {
  return static_cast<double>(to.ms - from.ms) / 1000;
}

/// A civil date. `month` and `day` count from 1. In a calendar without months, `month` is 1 and
/// `day` is the day of the year. An hour has 3600 seconds; the day has as many hours as fit into
/// its length.
struct Date {
  std::int64_t year = 0;
  int month = 1, day = 1, hour = 0, minute = 0, second = 0, millisecond = 0;
  auto operator<=>(const Date&) const = default;  // NOLINT(modernize-use-nullptr)
  /// Returns "2000-01-31 12:00:00", followed by ".250" if there are milliseconds. For calendars
  /// with months.
  std::string text() const;
};

/// A duration. Its units stay separate, because a month has no fixed length and `ts` is the time
/// step of the model.
struct Duration {
  double year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, timestep = 0;
  bool operator==(const Duration&) const = default;
  bool is_zero() const { return *this == Duration{}; }
  /// Parses "<number><unit>..." with the units y mo d h mi s ts, each at most once; spaces are
  /// optional. Throws Error{configuration}, which says what is wrong and lists the units.
  static Duration parse(std::string_view text);
  /// Returns the shortest text that parses back, such as "1d 6h".
  std::string text() const;
};

Duration operator*(const Duration& d, double factor);
Duration operator+(const Duration& a, const Duration& b);

/// Date arithmetic of one calendar with one time step.
class Calendar {
 public:
  /// `timestep` must not contain `ts`; it may be zero as long as no `ts` is resolved. Type
  /// user_defined takes `user`, other types ignore it. Throws Error{configuration} if `user`
  /// contains a mistake.
  Calendar(CalendarType type, const Duration& timestep, UserCalendar user = {});

  CalendarType type() const { return type_; }
  const Duration& timestep() const { return timestep_; }
  const UserCalendar& user() const { return user_; }
  std::string_view cf_name() const { return config::cf_name(type_); }

  /// Throws Error{configuration} for a date that does not exist in this calendar.
  Instant instant(const Date& date) const;
  Date date(Instant instant) const;
  /// Parses "y-m-d h:mi:s". Without months it is "y-d h:mi:s", or "y h:mi:s" if the day is longer
  /// than the year. The text may be cut from the right, and " + <duration>" may follow.
  Instant parse(std::string_view text) const;
  /// Returns the text that parse() reads.
  std::string text(Instant instant) const;
  /// Replaces %y %mo %d %h %mi %s by the parts of the date (years have four digits, the others
  /// two), and %S and %D by whole seconds and days since `origin`. Leaves other text unchanged,
  /// including "%x".
  std::string format(Instant instant, std::string_view pattern, Instant origin = {}) const;

  bool has_months() const { return months_per_year() > 0; }
  int months_per_year() const;  ///< 0 without months
  /// Throw Error{argument} for a month that does not exist.
  int days_in_month(std::int64_t year, int month) const;
  int days_in_year(std::int64_t year) const;  ///< number of whole days
  std::int64_t year_length_s(std::int64_t year) const;
  std::int64_t day_length_s() const;

  /// A duration, split into what counts in months and what counts in seconds. Time steps are
  /// resolved. Years become months, or seconds if there are no months.
  struct Parts {
    double months = 0, seconds = 0;
  };
  /// Throws Error{configuration} for months in a calendar without months.
  Parts parts(const Duration& duration) const;
  /// Returns one spelling, in months and seconds, for all durations that are equal in this calendar
  /// at every date, also when repeated: 1d, 24h and 1440mi; 1y and 12mo; 30d and 1mo if every month
  /// has 30 days; 365d and 1y if every year has 365. Resolves time steps if their length is known.
  /// Keeps months if the calendar has none. The result is not meant for display.
  Duration normal(const Duration& duration) const;
  bool are_equal(const Duration& a, const Duration& b) const { return normal(a) == normal(b); }
  /// Adds months first (a day past the end of the month becomes its last day; a fraction of a month
  /// is dropped), then the rest in milliseconds (rounded once).
  Instant add(Instant instant, const Duration& duration) const;
  /// Returns start + step × timestep, computed from the start so that no error accumulates.
  Instant at_step(Instant start, std::int64_t step) const;

 private:
  CalendarType type_;
  Duration timestep_;
  UserCalendar user_;
};

}  // namespace epios::config
