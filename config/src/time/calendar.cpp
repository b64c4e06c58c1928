// Calendars of all types: dates to instants and back, text, and arithmetic with months. Days and
// years are delegated to Years; all sums are checked for overflow, because configurations may
// contain any number.
#include "config/calendar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "config/error.hpp"
#include "time/date_text.hpp"
#include "time/duration_text.hpp"
#include "time/time_error.hpp"
#include "time/years.hpp"

namespace epios::config {

namespace {

[[noreturn]] void refuse_range() {
  throw TimeError("date out of range", fmt::format("more than {} years from year 0", largest_year),
                  {});
}

std::int64_t checked_ms(const Years& years, double ms) {
  if (!(std::abs(ms) <= static_cast<double>(years.largest_ms()))) refuse_range();
  return std::llround(ms);
}

Instant checked(const Years& years, std::int64_t ms) {
  if (ms > years.largest_ms() || ms < -years.largest_ms()) refuse_range();
  return {ms};
}

/// The tolerance is for sums of fractions such as 12 × (1/12) y.
std::int64_t whole_months(const Years& years, double months) {
  const auto largest = static_cast<double>(largest_year * years.month_count());
  if (!(std::abs(months) <= largest)) refuse_range();
  return static_cast<std::int64_t>(months + (months < 0 ? -1e-6 : 1e-6));
}

/// The beginning of a year, and what has passed of it.
struct YearPosition {
  std::int64_t year = 0;
  std::int64_t ms = 0;
};

YearPosition position(const Years& years, Instant instant) {
  checked(years, instant.ms);
  if (!years.has_months()) {
    const std::int64_t year = floor_div(instant.ms, years.year_ms());
    return {year, instant.ms - year * years.year_ms()};
  }
  const std::int64_t year = years.containing(floor_div(instant.ms, years.day_ms()));
  return {year, instant.ms - years.start(year) * years.day_ms()};
}

std::string time_range(std::int64_t length_ms) {
  const std::int64_t last = length_ms / 1000 - 1;
  return fmt::format("times are 00:00:00 to {:02d}:{:02d}:{:02d}", last / 3600, last / 60 % 60,
                     last % 60);
}

/// Milliseconds since the day began.
std::int64_t time_ms(const Date& date) {
  const std::int64_t seconds = (std::int64_t{date.hour} * 60 + date.minute) * 60 + date.second;
  return seconds * 1000 + date.millisecond;
}

bool has_clock_time(const Date& date) {
  const auto in = [](int value, int largest) { return value >= 0 && value <= largest; };
  return date.hour >= 0 && in(date.minute, 59) && in(date.second, 59) && in(date.millisecond, 999);
}

}  // namespace

std::string_view cf_name(CalendarType type) {
  constexpr std::array<std::string_view, 6> names{"gregorian", "julian",  "noleap",
                                                  "all_leap",  "360_day", "user_defined"};
  return names.at(static_cast<std::size_t>(type));
}

std::optional<UserCalendar::Complaint> UserCalendar::complaint() const {
  const auto longest = static_cast<double>(largest_year_length_s);
  const std::string too_long = fmt::format("a year has at most {} seconds", largest_year_length_s);
  if (day_length_s < 1) return {{"day_length", "a day has one second or more"}};
  if (static_cast<double>(day_length_s) > longest) return {{"day_length", too_long}};
  double days = 0;
  for (const std::int64_t length : month_lengths) {
    if (length < 1) return {{"month_lengths", "a month has one day or more"}};
    days += static_cast<double>(length);
  }
  if (days * static_cast<double>(day_length_s) > longest) return {{"month_lengths", too_long}};
  const bool has_months = !month_lengths.empty();
  if (has_months && year_length_s != 0) {
    return {{"year_length", "the year is as long as its months"}};
  }
  if (!has_months && year_length_s < 1) {
    return {{"year_length", "a year without months has one second or more"}};
  }
  if (static_cast<double>(year_length_s) > longest) return {{"year_length", too_long}};
  if (leap_month == 0) return std::nullopt;
  if (!has_months) return {{"leap_year_month", "the calendar has no months"}};
  if (leap_month < 1 || leap_month > static_cast<std::int64_t>(month_lengths.size())) {
    return {{"leap_year_month", fmt::format("months are 1 to {}", month_lengths.size())}};
  }
  if (!(leap_drift >= 0 && leap_drift < 1)) {
    return {{"leap_year_drift", "it is a fraction of a day, from 0 to less than 1"}};
  }
  if (!(leap_drift_offset >= 0 && leap_drift_offset < 1)) {
    return {{"leap_year_drift_offset", "it is a fraction of a day, from 0 to less than 1"}};
  }
  return std::nullopt;
}

Calendar::Calendar(CalendarType type, const Duration& timestep, UserCalendar user)
    : type_(type), timestep_(timestep) {
  if (type == CalendarType::user_defined) {
    user_ = std::move(user);
    if (const auto complaint = user_.complaint()) {
      throw TimeError(fmt::format("{} of the calendar", complaint->attribute), complaint->why, {});
    }
  }
  if (timestep.timestep != 0) {
    throw Error(ErrorCode::configuration,
                fmt::format("time step '{}' contains 'ts' (a time step cannot be measured in time "
                            "steps). Use y, mo, d, h, mi and s.",
                            timestep.text()));
  }
}

int Calendar::months_per_year() const { return Years(type_, user_).month_count(); }

int Calendar::days_in_month(std::int64_t year, int month) const {
  const Years years(type_, user_);
  if (month < 1 || month > years.month_count()) {
    throw Error(ErrorCode::argument,
                fmt::format("month {} does not exist (1 to {}).", month, years.month_count()));
  }
  return years.days_in_month(year, month);
}

int Calendar::days_in_year(std::int64_t year) const {
  const Years years(type_, user_);
  return static_cast<int>(years.has_months() ? years.days_in_year(year)
                                             : years.year_ms() / years.day_ms());
}

std::int64_t Calendar::year_length_s(std::int64_t year) const {
  const Years years(type_, user_);
  const std::int64_t ms =
      years.has_months() ? years.days_in_year(year) * years.day_ms() : years.year_ms();
  return ms / 1000;
}

std::int64_t Calendar::day_length_s() const { return Years(type_, user_).day_ms() / 1000; }

Instant Calendar::instant(const Date& date) const {
  const Years years(type_, user_);
  const DateForm form = date_form(*this);
  const auto complain = [&](std::string why) {
    refuse_date(date_text(date, form), std::move(why), {});
  };
  if (date.year < -largest_year || date.year > largest_year) {
    complain(fmt::format("years are {} to {}", -largest_year, largest_year));
  }
  std::int64_t day = date.day - 1;
  std::int64_t length_ms = years.day_ms();
  if (years.has_months()) {
    if (date.month < 1 || date.month > years.month_count()) {
      complain(fmt::format("months are 1 to {}", years.month_count()));
    }
    const int last = years.days_in_month(date.year, date.month);
    if (date.day < 1 || date.day > last) {
      complain(fmt::format("that month has days 1 to {} in calendar {}", last, cf_name()));
    }
    day += years.start(date.year, date.month);
  } else {
    // The last day of a year may be shorter, and counts.
    const std::int64_t last = (years.year_ms() + years.day_ms() - 1) / years.day_ms();
    if (date.day < 1 || date.day > last) complain(fmt::format("a year has days 1 to {}", last));
    length_ms = std::min(length_ms, years.year_ms() - day * years.day_ms());
  }
  if (!has_clock_time(date) || time_ms(date) >= length_ms) complain(time_range(length_ms));
  const std::int64_t year_ms = years.has_months() ? 0 : date.year * years.year_ms();
  return {year_ms + day * years.day_ms() + time_ms(date)};
}

Date Calendar::date(Instant instant) const {
  const Years years(type_, user_);
  const YearPosition at = position(years, instant);
  Date date;
  date.year = at.year;
  std::int64_t day = at.ms / years.day_ms();
  const std::int64_t ms = at.ms - day * years.day_ms();
  for (int last = 0; years.has_months(); ++date.month, day -= last) {
    last = years.days_in_month(date.year, date.month);
    if (day < last) break;
  }
  date.day = static_cast<int>(day) + 1;
  date.hour = static_cast<int>(ms / 3'600'000);
  date.minute = static_cast<int>(ms / 60'000 % 60);
  date.second = static_cast<int>(ms / 1000 % 60);
  date.millisecond = static_cast<int>(ms % 1000);
  return date;
}

Instant Calendar::parse(std::string_view text) const {
  const DateForm form = date_form(*this);
  const std::size_t plus = text.find('+');
  const Instant start = instant(parse_date(text.substr(0, plus), form));
  if (plus == std::string_view::npos) return start;
  const ParsedDuration after = parse_duration(text.substr(plus + 1));
  if (!after.why.empty()) {
    refuse_date(text, after.why + " after '+'", std::string(duration_hint()));
  }
  return add(start, after.duration);
}

std::string Calendar::text(Instant instant) const {
  return date_text(date(instant), date_form(*this));
}

std::string Calendar::format(Instant instant, std::string_view pattern, Instant origin) const {
  const Date d = date(instant);
  const std::int64_t since_ms = instant.ms - origin.ms;
  const std::array<std::pair<std::string_view, std::string>, 8> tokens{{
      {"%mo", fmt::format("{:02d}", d.month)},
      {"%mi", fmt::format("{:02d}", d.minute)},
      {"%y", fmt::format("{}{:04d}", d.year < 0 ? "-" : "", d.year < 0 ? -d.year : d.year)},
      {"%d", fmt::format("{:02d}", d.day)},
      {"%h", fmt::format("{:02d}", d.hour)},
      {"%s", fmt::format("{:02d}", d.second)},
      {"%S", fmt::format("{}", floor_div(since_ms, 1000))},
      {"%D", fmt::format("{}", floor_div(since_ms, day_length_s() * 1000))},
  }};
  std::string result;
  while (!pattern.empty()) {
    const auto token = std::find_if(tokens.begin(), tokens.end(), [pattern](const auto& t) {
      return pattern.starts_with(t.first);
    });
    if (token == tokens.end()) {
      result += pattern.front();
      pattern.remove_prefix(1);
    } else {
      result += token->second;
      pattern.remove_prefix(token->first.size());
    }
  }
  return result;
}

Calendar::Parts Calendar::parts(const Duration& duration) const {
  const Years years(type_, user_);
  Duration d = duration;
  if (d.timestep != 0) {
    d.timestep = 0;
    d = d + timestep_ * duration.timestep;
  }
  Parts result;
  result.seconds =
      d.day * static_cast<double>(day_length_s()) + d.hour * 3600 + d.minute * 60 + d.second;
  if (years.has_months()) {
    result.months = d.year * years.month_count() + d.month;
  } else if (d.month != 0) {
    throw TimeError(fmt::format("duration '{}' has months", duration.text()),
                    "the calendar has no months", "Use y, d, h, mi, s and ts.");
  } else {
    result.seconds += d.year * static_cast<double>(years.year_ms()) / 1000;
  }
  return result;
}

Duration Calendar::normal(const Duration& duration) const {
  const Years years(type_, user_);
  Duration d = duration;
  if (!timestep_.is_zero()) {
    d.timestep = 0;
    d = d + timestep_ * duration.timestep;
  }
  Duration result;
  result.timestep = d.timestep;
  result.month = years.has_months() ? d.year * years.month_count() + d.month : d.month;
  double ms =
      (d.day * static_cast<double>(day_length_s()) + d.hour * 3600 + d.minute * 60 + d.second) *
      1000;
  if (!years.has_months()) ms += d.year * static_cast<double>(years.year_ms());
  // Fractions of a month stay, because addition depends on their sum only.
  const std::int64_t cycle = years.equal_months();
  if (cycle > 0 && std::fmod(result.month, static_cast<double>(cycle)) == 0) {
    const double length =
        static_cast<double>(years.start(0, static_cast<int>(cycle) + 1) * years.day_ms());
    ms += std::exchange(result.month, 0.0) / static_cast<double>(cycle) * length;
  }
  // Sums of fractions meet whole milliseconds only so far.
  const double whole = std::round(ms);
  result.second = (std::abs(ms - whole) <= 1e-6 ? whole : ms) / 1000;
  for (double* const part : {&result.month, &result.second, &result.timestep}) *part += 0.0;
  return result;  // without -0, whose bytes differ
}

Instant Calendar::add(Instant instant, const Duration& duration) const {
  const Years years(type_, user_);
  const Parts p = parts(duration);
  const std::int64_t rest = checked_ms(years, p.seconds * 1000);
  const std::int64_t months = years.has_months() ? whole_months(years, p.months) : 0;
  std::int64_t ms = checked(years, instant.ms).ms;
  if (months != 0) {
    const Date from = date(instant);
    const std::int64_t total = from.year * years.month_count() + from.month - 1 + months;
    const std::int64_t year = floor_div(total, years.month_count());
    const auto month = static_cast<int>(total - year * years.month_count()) + 1;
    const int day = std::min(from.day, years.days_in_month(year, month));
    const std::int64_t of_day = ms - floor_div(ms, years.day_ms()) * years.day_ms();
    ms = checked(years, (years.start(year, month) + day - 1) * years.day_ms() + of_day).ms;
  }
  return checked(years, ms + rest);
}

Instant Calendar::at_step(Instant start, std::int64_t step) const {
  return add(start, timestep_ * static_cast<double>(step));
}

}  // namespace epios::config
