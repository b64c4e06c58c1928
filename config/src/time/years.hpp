/// @file
/// The years and months of a calendar, counted in days.
#pragma once

#include <cstdint>
#include <span>

#include "config/calendar.hpp"

namespace epios::config {

/// Divides and rounds down, also below zero.
inline std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

/// Larger years and later instants are refused, so that the sum of two cannot overflow.
constexpr std::int64_t largest_year = 1'000'000;
/// Longest year and day that a user may define.
constexpr std::int64_t largest_year_length_s = 1'000'000'000;

/// A view; `user` must outlive it.
class Years {
 public:
  Years(CalendarType type, const UserCalendar& user);

  bool has_months() const { return !lengths_.empty(); }
  int month_count() const { return static_cast<int>(lengths_.size()); }
  std::int64_t day_ms() const { return day_ms_; }
  /// Returns the length of a year without months.
  std::int64_t year_ms() const { return year_ms_; }
  /// Returns the limit beyond which instants are refused, counted from year 0.
  std::int64_t largest_ms() const { return largest_ms_; }

  // Only for calendars with months.
  int days_in_month(std::int64_t year, int month) const;
  std::int64_t days_in_year(std::int64_t year) const {
    return common_days_ + leap_days_before(year + 1) - leap_days_before(year);
  }
  /// Return the days from the beginning of year 0 to the beginning of a year or month.
  std::int64_t start(std::int64_t year) const {
    return year * common_days_ + leap_days_before(year);
  }
  std::int64_t start(std::int64_t year, int month) const;
  /// Returns the smallest number of months with a fixed length wherever they begin: 1 if all months
  /// are equal, a year's if all years are, 0 with leap days.
  int equal_months() const;
  /// Returns the year that contains a day number.
  std::int64_t containing(std::int64_t day) const;

 private:
  /// Returns the leap days from the beginning of year 0 to that of `year`.
  std::int64_t leap_days_before(std::int64_t year) const;
  std::int64_t whole_drift(std::int64_t year) const;

  CalendarType type_;
  const UserCalendar& user_;
  std::span<const std::int64_t> lengths_;
  int leap_month_ = 0;
  double leap_days_per_year_ = 0;
  std::int64_t common_days_ = 0;
  std::int64_t day_ms_ = 86'400'000;
  std::int64_t year_ms_ = 0;
  std::int64_t largest_ms_ = 0;
};

}  // namespace epios::config
