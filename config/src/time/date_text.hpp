/// @file
/// Dates as text, before a calendar decides whether they exist.
#pragma once

#include <string>
#include <string_view>

#include "config/calendar.hpp"

namespace epios::config {

/// The numbers that a date of a calendar has.
enum class DateForm { year_month_day, year_day, year_only };

DateForm date_form(const Calendar& calendar);
/// Returns "Use 'year-month-day hour:minute:second', which may be cut from the right."
std::string date_hint(DateForm form);
/// Throws TimeError "'text' is not a date (why). Suggestion".
[[noreturn]] void refuse_date(std::string_view text, std::string why, std::string suggestion);
/// Throws TimeError for text that does not read like a date.
Date parse_date(std::string_view text, DateForm form);
std::string date_text(const Date& date, DateForm form);

}  // namespace epios::config
