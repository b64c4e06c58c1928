#include "config/calendar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "config/error.hpp"
#include "duration_text.hpp"
#include "text.hpp"
#include "time_error.hpp"

namespace epios::config {

namespace {

constexpr std::int64_t day_ms = 86'400'000;
/// Years and instants beyond are refused, so that no sum below can overflow.
constexpr std::int64_t largest_year = 1'000'000;
constexpr std::int64_t largest_ms = (largest_year + 1) * 366 * day_ms;

constexpr std::array<int, 12> month_lengths{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
/// Days before each month of a year without leap day.
constexpr std::array<int, 13> month_starts{0,   31,  59,  90,  120, 151, 181,
                                           212, 243, 273, 304, 334, 365};

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

bool is_leap(std::int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

/// Days before 1 January of a year, counted from year 0.
std::int64_t year_start(CalendarType type, std::int64_t year) {
  const std::int64_t days = year * 365;
  if (type == CalendarType::no_leap) return days;
  const std::int64_t y = year - 1;
  // Year 0 is a leap year itself, hence the one.
  return days + floor_div(y, 4) - floor_div(y, 100) + floor_div(y, 400) + 1;
}

int leap_shift(CalendarType type, std::int64_t year, int month) {
  return type == CalendarType::gregorian && month > 2 && is_leap(year) ? 1 : 0;
}

std::int64_t day_number(CalendarType type, std::int64_t year, int month, int day) {
  return year_start(type, year) + month_starts[static_cast<std::size_t>(month - 1)] +
         leap_shift(type, year, month) + day - 1;
}

/// The year that contains a day number: an estimate from the mean length, wrong by one at most.
std::int64_t year_of(CalendarType type, std::int64_t days) {
  if (type == CalendarType::no_leap) return floor_div(days, 365);
  std::int64_t year = floor_div(days * 400, 146'097);
  while (year_start(type, year) > days) --year;
  while (year_start(type, year + 1) <= days) ++year;
  return year;
}

[[noreturn]] void refuse(std::string_view text, std::string why) {
  throw TimeError(fmt::format("'{}' is not a date", text), std::move(why),
                  "Use 'year-month-day hour:minute:second', which may be cut from the right.");
}

std::int64_t checked_ms(double ms) {
  if (!(std::abs(ms) <= static_cast<double>(largest_ms))) {
    throw TimeError("date out of range",
                    fmt::format("more than {} years from year 0", largest_year), {});
  }
  return std::llround(ms);
}

Instant checked(std::int64_t ms) {
  if (ms > largest_ms || ms < -largest_ms) checked_ms(static_cast<double>(ms));
  return {ms};
}

/// The whole months of a duration. A fraction of a year is spread to months, a fraction of a month
/// has no length and is dropped; the tolerance is for sums of fractions such as 12 × (1/12) y.
std::int64_t whole_months(const Duration& d) {
  const double months = d.year * 12 + d.month;
  if (!(std::abs(months) <= 12.0 * static_cast<double>(largest_year))) checked_ms(INFINITY);
  return static_cast<std::int64_t>(months + (months < 0 ? -1e-6 : 1e-6));
}

/// One number of a date: digits up to a separator.
struct Part {
  char separator;  ///< in front
  std::int64_t Date::*wide;
  int Date::*narrow;
};
constexpr std::array<Part, 6> parts{{{'\0', &Date::year, nullptr},
                                     {'-', nullptr, &Date::month},
                                     {'-', nullptr, &Date::day},
                                     {' ', nullptr, &Date::hour},
                                     {':', nullptr, &Date::minute},
                                     {':', nullptr, &Date::second}}};

std::size_t digits(std::string_view text) {
  return std::min(text.find_first_not_of("0123456789"), text.size());
}

/// ".250" -> 250; more than three digits are refused.
int take_milliseconds(std::string_view whole, std::string_view& rest) {
  rest.remove_prefix(1);
  const std::size_t length = digits(rest);
  if (length == 0 || length > 3) refuse(whole, "a fraction of a second has one to three digits");
  std::string padded(rest.substr(0, length));
  padded.resize(3, '0');
  rest.remove_prefix(length);
  return static_cast<int>(*parse_integer(padded));
}

Date parse_date(std::string_view text) {
  Date date;
  std::string_view rest = trimmed(text);
  if (rest.empty()) refuse(text, "it is empty");
  for (std::size_t i = 0; i < parts.size() && !rest.empty(); ++i) {
    const Part& part = parts[i];
    const bool negative = i == 0 && rest.starts_with('-');
    if (i > 0 && rest.front() != part.separator) {
      refuse(text, fmt::format("'{}' where '{}' was expected", rest.front(), part.separator));
    }
    if (i > 0 || negative) rest.remove_prefix(1);
    if (i > 0 && part.separator == ' ') rest = trimmed(rest);
    const std::size_t length = digits(rest);
    if (length == 0 || length > 9) refuse(text, "a number is missing or too long");
    const std::int64_t number = *parse_integer(rest.substr(0, length));
    rest.remove_prefix(length);
    if (part.narrow != nullptr) {
      date.*part.narrow = static_cast<int>(number);
    } else {
      date.*part.wide = negative ? -number : number;
    }
    if (i + 1 == parts.size() && rest.starts_with('.')) {
      date.millisecond = take_milliseconds(text, rest);
    }
  }
  if (!rest.empty()) refuse(text, fmt::format("'{}' after its end", rest));
  return date;
}

}  // namespace

std::string Date::text() const {
  const std::string result =
      fmt::format("{}{:04d}-{:02d}-{:02d} {:02d}:{:02d}:{:02d}", year < 0 ? "-" : "",
                  year < 0 ? -year : year, month, day, hour, minute, second);
  return millisecond == 0 ? result : fmt::format("{}.{:03d}", result, millisecond);
}

Calendar::Calendar(CalendarType type, const Duration& timestep) : type_(type), timestep_(timestep) {
  if (timestep.timestep != 0) {
    throw Error(ErrorCode::configuration,
                fmt::format("time step '{}' contains 'ts' (a time step cannot be measured in time "
                            "steps). Use y, mo, d, h, mi and s.",
                            timestep.text()));
  }
}

std::string_view Calendar::cf_name() const {
  return type_ == CalendarType::gregorian ? "gregorian" : "noleap";
}

int Calendar::days_in_month(std::int64_t year, int month) const {
  if (month < 1 || month > 12) {
    throw Error(ErrorCode::argument, fmt::format("month {} does not exist (1 to 12).", month));
  }
  const int leap_day = month == 2 && type_ == CalendarType::gregorian && is_leap(year) ? 1 : 0;
  return month_lengths[static_cast<std::size_t>(month - 1)] + leap_day;
}

int Calendar::days_in_year(std::int64_t year) const {
  return type_ == CalendarType::gregorian && is_leap(year) ? 366 : 365;
}

Instant Calendar::instant(const Date& date) const {
  const auto in = [](std::int64_t value, std::int64_t low, std::int64_t high) {
    return value >= low && value <= high;
  };
  if (!in(date.year, -largest_year, largest_year)) refuse(date.text(), "year out of range");
  if (!in(date.month, 1, 12)) refuse(date.text(), "months are 1 to 12");
  const int last = days_in_month(date.year, date.month);
  if (!in(date.day, 1, last)) {
    refuse(date.text(), fmt::format("that month has days 1 to {} in calendar {}", last, cf_name()));
  }
  if (!in(date.hour, 0, 23) || !in(date.minute, 0, 59) || !in(date.second, 0, 59) ||
      !in(date.millisecond, 0, 999)) {
    refuse(date.text(), "times are 00:00:00 to 23:59:59");
  }
  const std::int64_t seconds = (date.hour * 60 + date.minute) * 60 + date.second;
  return {day_number(type_, date.year, date.month, date.day) * day_ms + seconds * 1000 +
          date.millisecond};
}

Date Calendar::date(Instant instant) const {
  checked(instant.ms);
  const std::int64_t days = floor_div(instant.ms, day_ms);
  const auto ms = static_cast<int>(instant.ms - days * day_ms);
  Date date;
  date.year = year_of(type_, days);
  const auto day_of_year = static_cast<int>(days - year_start(type_, date.year));
  date.month = std::min(day_of_year / 29 + 1, 12);
  const auto first_day = [&](int month) {
    return month_starts[static_cast<std::size_t>(month - 1)] + leap_shift(type_, date.year, month);
  };
  while (first_day(date.month) > day_of_year) --date.month;
  date.day = day_of_year - first_day(date.month) + 1;
  date.hour = ms / 3'600'000;
  date.minute = ms / 60'000 % 60;
  date.second = ms / 1000 % 60;
  date.millisecond = ms % 1000;
  return date;
}

Instant Calendar::parse(std::string_view text) const {
  const std::size_t plus = text.find('+');
  const Instant start = instant(parse_date(text.substr(0, plus)));
  if (plus == std::string_view::npos) return start;
  const ParsedDuration after = parse_duration(text.substr(plus + 1));
  if (!after.why.empty()) refuse(text, after.why + " after '+'");
  return add(start, after.duration);
}

Instant Calendar::add(Instant instant, const Duration& duration) const {
  Duration d = duration;
  if (d.timestep != 0) {
    d.timestep = 0;
    d = d + timestep_ * duration.timestep;
  }
  const std::int64_t rest = checked_ms(d.day * 86'400'000.0 + d.hour * 3'600'000.0 +
                                       d.minute * 60'000.0 + d.second * 1000.0);
  const std::int64_t months = whole_months(d);
  std::int64_t ms = checked(instant.ms).ms;
  if (months != 0) {
    const Date from = date(instant);
    const std::int64_t total = from.year * 12 + from.month - 1 + months;
    const std::int64_t year = floor_div(total, 12);
    const auto month = static_cast<int>(total - year * 12) + 1;
    const int day = std::min(from.day, days_in_month(year, month));
    const std::int64_t of_day = ms - floor_div(ms, day_ms) * day_ms;
    ms = checked(day_number(type_, year, month, day) * day_ms + of_day).ms;
  }
  return checked(ms + rest);
}

Instant Calendar::at_step(Instant start, std::int64_t step) const {
  return add(start, timestep_ * static_cast<double>(step));
}

}  // namespace epios::config
