#include "time/multiples.hpp"

#include <algorithm>
#include <cmath>

namespace epios::config {

namespace {

/// Within so many years all lengths that a month can have follow each other: twice from one leap
/// year to the next, which is eight years on Earth.
int years_to_look_at(const Calendar& calendar) {
  constexpr double most = 1000;
  const UserCalendar& user = calendar.user();
  if (user.leap_month == 0 || user.leap_drift == 0) return 8;
  return static_cast<int>(std::min(most, std::ceil(2 / user.leap_drift)));
}

// Products of fractions of a second are not exact.
constexpr double tolerance = 1e-6;

/// Dates are whole milliseconds: time steps of a third of a second meet full seconds.
constexpr double half_a_millisecond = 5e-4;

/// What may be left does not grow with the number of units.
bool is_whole_number_of(double seconds, double unit) {
  const double rest = seconds - std::round(seconds / unit) * unit;
  const double room = tolerance * std::max(std::abs(unit), std::abs(seconds));
  return std::abs(rest) <= std::min(room, half_a_millisecond);
}

}  // namespace

bool is_multiple(const Calendar& calendar, Instant start, const Duration& period,
                 const Duration& unit) {
  const Calendar::Parts whole = calendar.parts(period);
  const Calendar::Parts part = calendar.parts(unit);
  if (part.months != 0) {
    const double count = whole.months / part.months;
    return std::abs(count - std::round(count)) <= tolerance &&
           std::abs(whole.seconds - count * part.seconds) <= tolerance;
  }
  if (whole.months == 0) return is_whole_number_of(whole.seconds, part.seconds);
  const double months = std::abs(whole.months);
  const int reach = calendar.months_per_year() * years_to_look_at(calendar);
  for (int n = 1; n == 1 || n * months <= reach; ++n) {
    const Instant end = calendar.add(start, period * n);
    if (!is_whole_number_of(seconds_between(start, end), part.seconds)) return false;
  }
  return true;
}

}  // namespace epios::config
