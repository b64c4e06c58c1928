#include "config/date_position.hpp"

#include <cstdint>

namespace epios::config {

namespace {

struct PlaceInYear {
  std::int64_t year = 0;
  std::int64_t ms = 0;  ///< since the year began
};

PlaceInYear place_in_year(const Calendar& calendar, Instant instant) {
  const std::int64_t year = calendar.date(instant).year;
  return {year, instant.ms - calendar.instant({year}).ms};
}

}  // namespace

double second_of_year(const Calendar& calendar, Instant instant) {
  return static_cast<double>(place_in_year(calendar, instant).ms) / 1000;
}

double day_of_year(const Calendar& calendar, Instant instant) {
  const std::int64_t days = place_in_year(calendar, instant).ms / (calendar.day_length_s() * 1000);
  return static_cast<double>(days) + fraction_of_day(calendar, instant);
}

double fraction_of_year(const Calendar& calendar, Instant instant) {
  const PlaceInYear at = place_in_year(calendar, instant);
  return static_cast<double>(at.ms) / 1000 / static_cast<double>(calendar.year_length_s(at.year));
}

double second_of_day(const Calendar& calendar, Instant instant) {
  const std::int64_t ms = place_in_year(calendar, instant).ms % (calendar.day_length_s() * 1000);
  return static_cast<double>(ms) / 1000;
}

double fraction_of_day(const Calendar& calendar, Instant instant) {
  return second_of_day(calendar, instant) / static_cast<double>(calendar.day_length_s());
}

}  // namespace epios::config
