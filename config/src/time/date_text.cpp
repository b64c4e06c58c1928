#include "time/date_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "text/text.hpp"
#include "time/time_error.hpp"

namespace epios::config {

namespace {

/// One number of a date: digits up to a separator.
struct Part {
  char separator;  ///< in front
  std::int64_t Date::*wide;
  int Date::*narrow;
};
constexpr Part year{'\0', &Date::year, nullptr};
constexpr Part month{'-', nullptr, &Date::month};
constexpr Part day{'-', nullptr, &Date::day};
constexpr Part hour{' ', nullptr, &Date::hour};
constexpr Part minute{':', nullptr, &Date::minute};
constexpr Part second{':', nullptr, &Date::second};

constexpr std::array<Part, 6> with_months{year, month, day, hour, minute, second};
constexpr std::array<Part, 5> with_days{year, day, hour, minute, second};
constexpr std::array<Part, 4> with_years{year, hour, minute, second};

std::span<const Part> parts_of(DateForm form) {
  if (form == DateForm::year_month_day) return with_months;
  if (form == DateForm::year_day) return with_days;
  return with_years;
}

std::size_t digits(std::string_view text) {
  return std::min(text.find_first_not_of("0123456789"), text.size());
}

/// ".250" -> 250; more than three digits are refused.
int take_milliseconds(std::string_view whole, DateForm form, std::string_view& rest) {
  rest.remove_prefix(1);
  const std::size_t length = digits(rest);
  if (length == 0 || length > 3) {
    refuse_date(whole, "a fraction of a second has one to three digits", date_hint(form));
  }
  std::string padded(rest.substr(0, length));
  padded.resize(3, '0');
  rest.remove_prefix(length);
  return static_cast<int>(*parse_integer(padded));
}

}  // namespace

DateForm date_form(const Calendar& calendar) {
  if (calendar.has_months()) return DateForm::year_month_day;
  return calendar.days_in_year(0) > 0 ? DateForm::year_day : DateForm::year_only;
}

std::string date_hint(DateForm form) {
  constexpr std::array<std::string_view, 3> words{"year-month-day", "year-day", "year"};
  return fmt::format("Use '{} hour:minute:second', which may be cut from the right.",
                     words.at(static_cast<std::size_t>(form)));
}

void refuse_date(std::string_view text, std::string why, std::string suggestion) {
  throw TimeError(fmt::format("'{}' is not a date", text), std::move(why), std::move(suggestion));
}

Date parse_date(std::string_view text, DateForm form) {
  const std::span<const Part> parts = parts_of(form);
  Date date;
  std::string_view rest = trimmed(text);
  if (rest.empty()) refuse_date(text, "it is empty", date_hint(form));
  for (std::size_t i = 0; i < parts.size() && !rest.empty(); ++i) {
    const Part& part = parts[i];
    const bool negative = i == 0 && rest.starts_with('-');
    if (i > 0 && rest.front() != part.separator) {
      refuse_date(text, fmt::format("'{}' where '{}' was expected", rest.front(), part.separator),
                  date_hint(form));
    }
    if (i > 0 || negative) rest.remove_prefix(1);
    if (i > 0 && part.separator == ' ') rest = trimmed(rest);
    const std::size_t length = digits(rest);
    if (length == 0 || length > 9)
      refuse_date(text, "a number is missing or too long", date_hint(form));
    const std::int64_t number = *parse_integer(rest.substr(0, length));
    rest.remove_prefix(length);
    if (part.narrow != nullptr) {
      date.*part.narrow = static_cast<int>(number);
    } else {
      date.*part.wide = negative ? -number : number;
    }
    if (i + 1 == parts.size() && rest.starts_with('.')) {
      date.millisecond = take_milliseconds(text, form, rest);
    }
  }
  if (!rest.empty()) refuse_date(text, fmt::format("'{}' after its end", rest), date_hint(form));
  return date;
}

std::string date_text(const Date& date, DateForm form) {
  std::string result =
      fmt::format("{}{:04d}", date.year < 0 ? "-" : "", date.year < 0 ? -date.year : date.year);
  if (form == DateForm::year_month_day) result += fmt::format("-{:02d}", date.month);
  if (form != DateForm::year_only) result += fmt::format("-{:02d}", date.day);
  result += fmt::format(" {:02d}:{:02d}:{:02d}", date.hour, date.minute, date.second);
  return date.millisecond == 0 ? result : fmt::format("{}.{:03d}", result, date.millisecond);
}

std::string Date::text() const { return date_text(*this, DateForm::year_month_day); }

}  // namespace epios::config
