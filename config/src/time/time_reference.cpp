#include "config/time_reference.hpp"

#include <algorithm>
#include <array>

namespace epios::config {

namespace {

/// Returns true if years always have the same months and days. Leap years of a user-defined
/// calendar repeat after 400 years if they repeat after 4.
bool has_years_of(const Calendar& calendar, CalendarType type) {
  const Calendar known(type, {});
  if (calendar.day_length_s() != known.day_length_s()) return false;
  if (calendar.months_per_year() != known.months_per_year()) return false;
  constexpr std::int64_t years = 400;
  for (std::int64_t year = 0; year < years; ++year) {
    for (int month = 1; month <= known.months_per_year(); ++month) {
      if (calendar.days_in_month(year, month) != known.days_in_month(year, month)) return false;
    }
  }
  return true;
}

/// The calendar of CF that has the same years; else user_defined.
CalendarType known_type(const Calendar& calendar) {
  if (calendar.type() != CalendarType::user_defined) return calendar.type();
  constexpr std::array<CalendarType, 4> known{CalendarType::no_leap, CalendarType::all_leap,
                                              CalendarType::d360, CalendarType::julian};
  const auto same = std::find_if(known.begin(), known.end(),
                                 [&](CalendarType type) { return has_years_of(calendar, type); });
  return same == known.end() ? CalendarType::user_defined : *same;
}

}  // namespace

TimeReference time_reference(const Calendar& calendar, Instant origin, Instant start) {
  const CalendarType type = known_type(calendar);
  if (type == CalendarType::user_defined) return {origin, std::string(cf_name(type))};
  const std::int64_t first_year = type == CalendarType::julian ? 1 : 0;
  TimeReference out{origin, std::string(cf_name(type))};
  if (calendar.date(origin).year < first_year) out.epoch = calendar.instant({1, 1, 1});
  if (type == CalendarType::gregorian) {
    const Instant change = calendar.instant({1582, 10, 15});
    out.calendar = std::min(out.epoch, start) < change ? "proleptic_gregorian" : "standard";
  }
  return out;
}

}  // namespace epios::config
