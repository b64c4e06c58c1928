/// @file
/// Calendars, dates and durations. Pure: no state, no MPI, thread-safe.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace epios::config {

enum class CalendarType { gregorian, no_leap };

/// A point in model time: milliseconds since 0000-01-01 00:00:00 of the calendar in use.
struct Instant {
  std::int64_t ms = 0;
  // clang-tidy 14 takes the 0 inside a defaulted <=> for a null pointer.
  auto operator<=>(const Instant&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// Civil date. `month` and `day` count from 1.
struct Date {
  std::int64_t year = 0;
  int month = 1, day = 1, hour = 0, minute = 0, second = 0, millisecond = 0;
  auto operator<=>(const Date&) const = default;  // NOLINT(modernize-use-nullptr)
  /// "2000-01-31 12:00:00" (".250" appended when there are milliseconds).
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

/// Date arithmetic of one calendar type with one time step.
class Calendar {
 public:
  /// `timestep` may not contain `ts`; it may be zero as long as no `ts` is resolved.
  Calendar(CalendarType type, const Duration& timestep);

  CalendarType type() const { return type_; }
  const Duration& timestep() const { return timestep_; }
  /// CF name: "gregorian" or "noleap".
  std::string_view cf_name() const;

  /// Throws Error{configuration} for a date that does not exist in this calendar.
  Instant instant(const Date& date) const;
  Date date(Instant instant) const;
  /// "y-m-d h:mi:s", may be cut from the right; optional " + <duration>".
  Instant parse(std::string_view text) const;
  int days_in_month(std::int64_t year, int month) const;
  int days_in_year(std::int64_t year) const;

  /// Adds years and months on the calendar first (a day past the end of the month becomes its last
  /// day), then the rest in milliseconds (rounded once); `ts` counts as `timestep()`.
  Instant add(Instant instant, const Duration& duration) const;
  /// start + step × timestep, computed from the start so that nothing accumulates.
  Instant at_step(Instant start, std::int64_t step) const;

 private:
  CalendarType type_;
  Duration timestep_;
};

}  // namespace epios::config
