#include "time/output_dates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

#include "text/text.hpp"
#include "time/time_error.hpp"

namespace epios::config {

namespace {

constexpr std::string_view window_sign = "..";
constexpr std::string_view dates_hint =
    "Write dates, such as \"2000-01-05, 2000-01-17 12:00\", or windows, such as "
    "\"2000-01-05 .. 2000-02-01\".";

[[noreturn]] void refuse_dates(std::string why, std::string_view suggestion = dates_hint) {
  throw TimeError("output_dates", std::move(why), std::string(suggestion));
}

Instant date_of(const Calendar& calendar, Instant start, std::string_view text) {
  try {
    if (!text.starts_with('+')) return calendar.parse(text);
    return calendar.add(start, Duration::parse(text.substr(1)));
  } catch (const TimeError& error) {
    refuse_dates(fmt::format("'{}' is not a date: {}", text, error.why()), error.suggestion());
  } catch (const Error&) {
    refuse_dates(fmt::format("'{}' is not a date: a period is expected after '+'", text),
                 "Use units, as in +1d or +6h.");
  }
}

DateWindow window_of(const Calendar& calendar, Instant start, std::string_view text) {
  // Dates of all runs lie between.
  constexpr std::int64_t far_ms = std::numeric_limits<std::int64_t>::max() / 4;
  DateWindow window{{-far_ms}, {far_ms}};
  const std::size_t at = text.find(window_sign);
  const std::string_view first = trimmed(text.substr(0, at));
  const std::string_view last = trimmed(text.substr(at + window_sign.size()));
  if (last.find(window_sign) != std::string_view::npos) {
    refuse_dates(fmt::format("'{}' has more than two dates", text));
  }
  if (!first.empty()) window.first = date_of(calendar, start, first);
  if (!last.empty()) window.last = date_of(calendar, start, last);
  if (window.last < window.first) {
    refuse_dates(fmt::format("'{}' ends before it begins", text), "Write the earlier date first.");
  }
  return window;
}

}  // namespace

bool has_windows(std::string_view text) { return text.find(window_sign) != std::string_view::npos; }

OutputDates parse_output_dates(const Calendar& calendar, Instant start, std::string_view text) {
  OutputDates out;
  const bool are_windows = has_windows(text);
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view item = trimmed(text.substr(begin, end - begin));
    begin = end + 1;
    if (item.empty()) refuse_dates("a date is missing");
    if (has_windows(item) != are_windows) refuse_dates("it has both dates and windows");
    if (are_windows) {
      out.windows.push_back(window_of(calendar, start, item));
      continue;
    }
    const Instant date = date_of(calendar, start, item);
    if (!out.ends.empty() && date <= out.ends.back()) {
      refuse_dates(fmt::format("'{}' is not after the date before it", item),
                   "Write the dates in their order, each once.");
    }
    out.ends.push_back(date);
  }
  return out;
}

}  // namespace epios::config
