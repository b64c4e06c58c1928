// Dates and durations of module xios.

#include "fortran/xios_dates.hpp"

#include <optional>
#include <string>

#include "config/calendar.hpp"
#include "config/date_position.hpp"
#include "config/error.hpp"
#include "handles/c_arguments.hpp"
#include "handles/c_guard.hpp"

namespace config = epios::config;
using epios::client::copy_text;
using epios::client::guarded;
using epios::client::put_date;
using epios::client::target;

namespace {

config::Duration duration_of(const double parts[7]) {
  return {parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], parts[6]};
}

config::Date date_of(const int parts[6]) {
  return {parts[0], parts[1], parts[2], parts[3], parts[4], parts[5]};
}

config::Definitions::ContextCalendar calendar() { return epios::client::xios_calendar(); }

/// As the calendar of the current context reads it, which may have no months. Dates have texts
/// without a context, too.
std::string text_of(const config::Date& date) {
  std::optional<config::Calendar> its;
  try {
    its = calendar().calendar;
  } catch (const epios::Error&) {
  }
  return !its || its->has_months() ? date.text() : its->text(its->instant(date));
}

}  // namespace

void epios::client::put_date(const config::Date& date, int* out) {
  target(out, "date") = static_cast<int>(date.year);
  out[1] = date.month;
  out[2] = date.day;
  out[3] = date.hour;
  out[4] = date.minute;
  out[5] = date.second;
}

extern "C" {

int epios_xios_duration_text(const double duration[7], char* text, size_t capacity) {
  return guarded([&] {
    const config::Duration value = duration_of(duration);
    copy_text(value.is_zero() ? "0s" : value.text(), text, capacity);
  });
}

int epios_xios_duration_parse(const char* text, double* duration) {
  return guarded([&] {
    const config::Duration value = config::Duration::parse(text);
    target(duration, "duration") = value.year;
    duration[1] = value.month;
    duration[2] = value.day;
    duration[3] = value.hour;
    duration[4] = value.minute;
    duration[5] = value.second;
    duration[6] = value.timestep;
  });
}

int epios_xios_date_text(const int date[6], char* text, size_t capacity) {
  return guarded([&] { copy_text(text_of(date_of(date)), text, capacity); });
}

int epios_xios_date_parse(const char* text, int* date) {
  return guarded([&] {
    const auto its = calendar();
    put_date(its.calendar.date(its.calendar.parse(text)), date);
  });
}

int epios_xios_date_add(const int* date, const double* duration, int* sum) {
  return guarded([&] {
    const config::Calendar its = calendar().calendar;
    put_date(its.date(its.add(its.instant(date_of(date)), duration_of(duration))), sum);
  });
}

int epios_xios_date_number(const int* date, int which, double* number) {
  return guarded([&] {
    const auto its = calendar();
    const config::Instant instant = its.calendar.instant(date_of(date));
    switch (which) {
      case 0:
        *number = config::seconds_between(its.time_origin, instant);
        break;
      case 1:
        *number = config::second_of_year(its.calendar, instant);
        break;
      case 2:
        *number = config::day_of_year(its.calendar, instant);
        break;
      case 3:
        *number = config::fraction_of_year(its.calendar, instant);
        break;
      case 4:
        *number = config::second_of_day(its.calendar, instant);
        break;
      default:
        *number = config::fraction_of_day(its.calendar, instant);
    }
  });
}

int epios_xios_calendar_lengths(int year, int64_t* day_seconds, int64_t* year_seconds) {
  return guarded([&] {
    const config::Calendar its = calendar().calendar;
    *day_seconds = its.day_length_s();
    *year_seconds = its.year_length_s(year);
  });
}

}  // extern "C"
