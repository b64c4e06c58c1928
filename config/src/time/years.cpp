#include "time/years.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "config/index.hpp"

namespace epios::config {

namespace {

using Lengths = std::array<std::int64_t, 12>;
constexpr Lengths common_year{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
constexpr Lengths leap_year{31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
constexpr Lengths year_of_360{30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30};

/// Sums of a drift such as 0.1 meet whole numbers only so far.
constexpr double drift_tolerance = 1e-9;

}  // namespace

Years::Years(CalendarType type, const UserCalendar& user) : type_(type), user_(user) {
  lengths_ = common_year;
  switch (type) {
    case CalendarType::gregorian:
      leap_month_ = 2;
      leap_days_per_year_ = 0.2425;
      break;
    case CalendarType::julian:
      leap_month_ = 2;
      leap_days_per_year_ = 0.25;
      break;
    case CalendarType::no_leap:
      break;
    case CalendarType::all_leap:
      lengths_ = leap_year;
      break;
    case CalendarType::d360:
      lengths_ = year_of_360;
      break;
    case CalendarType::user_defined:
      lengths_ = user.month_lengths;
      leap_month_ = static_cast<int>(user.leap_month);
      leap_days_per_year_ = user.leap_month > 0 ? user.leap_drift : 0;
      day_ms_ = user.day_length_s * 1000;
      year_ms_ = user.year_length_s * 1000;
      break;
  }
  common_days_ = std::accumulate(lengths_.begin(), lengths_.end(), std::int64_t{0});
  const std::int64_t longest_ms = has_months() ? (common_days_ + 1) * day_ms_ : year_ms_;
  largest_ms_ = (largest_year + 1) * longest_ms;
}

std::int64_t Years::whole_drift(std::int64_t year) const {
  const auto years = static_cast<double>(year - user_.origin_year);
  return static_cast<std::int64_t>(
      std::floor(user_.leap_drift_offset + years * user_.leap_drift + drift_tolerance));
}

std::int64_t Years::leap_days_before(std::int64_t year) const {
  if (leap_month_ == 0) return 0;
  if (type_ == CalendarType::user_defined) return whole_drift(year) - whole_drift(0);
  const std::int64_t y = year - 1;
  // Year 0 is a leap year itself, hence the one.
  if (type_ == CalendarType::julian) return floor_div(y, 4) + 1;
  return floor_div(y, 4) - floor_div(y, 100) + floor_div(y, 400) + 1;
}

int Years::days_in_month(std::int64_t year, int month) const {
  const std::int64_t leap_days = month == leap_month_ ? days_in_year(year) - common_days_ : 0;
  return static_cast<int>(nth(lengths_, month - 1) + leap_days);
}

std::int64_t Years::start(std::int64_t year, int month) const {
  std::int64_t day = start(year);
  for (int m = 1; m < month; ++m) day += nth(lengths_, m - 1);
  return leap_month_ > 0 && month > leap_month_ ? day + days_in_year(year) - common_days_ : day;
}

int Years::equal_months() const {
  if (!has_months() || leap_days_per_year_ > 0) return 0;
  const bool is_one =
      std::adjacent_find(lengths_.begin(), lengths_.end(), std::not_equal_to<>()) == lengths_.end();
  return is_one ? 1 : month_count();
}

std::int64_t Years::containing(std::int64_t day) const {
  // An estimate from the mean length, wrong by little.
  const double mean = static_cast<double>(common_days_) + leap_days_per_year_;
  auto year = static_cast<std::int64_t>(std::floor(static_cast<double>(day) / mean));
  while (start(year) > day) --year;
  while (start(year + 1) <= day) ++year;
  return year;
}

}  // namespace epios::config
