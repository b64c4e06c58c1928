#include "multiples.hpp"

#include <algorithm>
#include <cmath>

namespace epios::config {

namespace {

// All lengths of a month, and of a leap year, follow within so many.
constexpr int years_to_look_at = 8;
// Products of fractions of a second are not exact.
constexpr double tolerance = 1e-6;

double months_of(const Duration& d) { return 12 * d.year + d.month; }

double seconds_of(const Duration& d) {
  return 86400 * d.day + 3600 * d.hour + 60 * d.minute + d.second;
}

bool is_whole(double number) {
  return std::abs(number - std::round(number)) <= tolerance * std::max(1.0, std::abs(number));
}

}  // namespace

bool is_multiple(const Calendar& calendar, Instant start, const Duration& period,
                 const Duration& unit) {
  const double unit_months = months_of(unit);
  if (unit_months != 0) {
    const double count = months_of(period) / unit_months;
    return is_whole(count) && std::abs(seconds_of(period) - count * seconds_of(unit)) <= tolerance;
  }
  const double unit_seconds = seconds_of(unit);
  if (months_of(period) == 0) return is_whole(seconds_of(period) / unit_seconds);
  const double months = std::abs(months_of(period));
  for (int n = 1; n == 1 || n * months <= 12 * years_to_look_at; ++n) {
    const Instant end = calendar.add(start, period * n);
    const auto seconds = static_cast<double>(end.ms - start.ms) / 1000;
    if (!is_whole(seconds / unit_seconds)) return false;
  }
  return true;
}

}  // namespace epios::config
