// Decodes time coordinates of files from other sources (CF 4.4) on the calendar of the run: first
// units and epoch, then the dates of records, then cycles of climatological files.
#include "config/file_dates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <optional>

#include "config/error.hpp"
#include "config/time_reference.hpp"
#include "text/text.hpp"
#include "time/years.hpp"

namespace epios::config {
namespace {

struct TimeUnit {
  std::string_view name;
  double ms;
};
/// Units of CF. Months and years are no fixed lengths of time.
constexpr std::array<TimeUnit, 20> time_units{
    {{"milliseconds", 1}, {"millisecond", 1}, {"msec", 1},     {"ms", 1},       {"seconds", 1e3},
     {"second", 1e3},     {"secs", 1e3},      {"sec", 1e3},    {"s", 1e3},      {"minutes", 6e4},
     {"minute", 6e4},     {"mins", 6e4},      {"min", 6e4},    {"hours", 36e5}, {"hour", 36e5},
     {"hr", 36e5},        {"h", 36e5},        {"days", 864e5}, {"day", 864e5},  {"d", 864e5}}};

/// Calendars of CF that have the same years, beside the name that we use; in lower case.
std::string known_name(std::string_view calendar) {
  std::string name = lower_case(trimmed(calendar));
  if (name.empty() || name == "standard" || name == "proleptic_gregorian") return "gregorian";
  if (name == "365_day") return "noleap";
  if (name == "366_day") return "all_leap";
  return name;
}

/// Text before ' ' or 'T', the time of the day, its fraction of a second, and the zone.
struct Epoch {
  std::string_view day, time, fraction, zone;
};
Epoch cut(std::string_view text) {
  constexpr std::string_view digits = "0123456789";
  text = trimmed(text);
  Epoch out;
  const std::size_t end = std::min(text.find_first_of(" \tTt", 1), text.size());
  out.day = text.substr(0, end);
  // "1900-01-01Z", but "1900-01-01T00"
  if (const std::size_t zone = out.day.find_first_of("UZz"); zone != std::string_view::npos) {
    out.zone = text.substr(zone);
    out.day = out.day.substr(0, zone);
    return out;
  }
  text.remove_prefix(end);
  if (!text.empty() && (text.front() == 'T' || text.front() == 't')) text.remove_prefix(1);
  text = trimmed(text);
  const std::size_t time = std::min(text.find_first_not_of("0123456789:"), text.size());
  out.time = text.substr(0, time);
  text.remove_prefix(time);
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    const std::size_t fraction = std::min(text.find_first_not_of(digits), text.size());
    out.fraction = text.substr(0, fraction);
    text.remove_prefix(fraction);
  }
  out.zone = trimmed(text);
  return out;
}

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Minutes that a zone is ahead of UTC: "Z", "UTC", "+01:00", "-0330", "+1", "0:00".
std::optional<int> minutes_of(std::string_view zone) {
  std::string text = lower_case(zone);
  for (const std::string_view name : {"utc", "gmt", "z"}) {
    if (text.starts_with(name)) {
      text.erase(0, name.size());
      break;
    }
  }
  std::string_view rest = trimmed(text);
  if (rest.empty()) return 0;
  const int sign = rest.front() == '-' ? -1 : 1;
  if (rest.front() == '-' || rest.front() == '+') rest.remove_prefix(1);
  const std::size_t colon = rest.find(':');
  std::string_view hours = rest.substr(0, colon);
  std::string_view minutes = colon == std::string_view::npos ? "0" : rest.substr(colon + 1);
  if (colon == std::string_view::npos && rest.size() > 2) {
    hours = rest.substr(0, rest.size() - 2);
    minutes = rest.substr(rest.size() - 2);
  }
  const std::optional<int> h = number(hours);
  const std::optional<int> m = number(minutes);
  if (!h || !m || *h < 0 || *h > 24 || *m < 0 || *m > 59) return std::nullopt;
  return sign * (*h * 60 + *m);
}

/// Converts a date of a mixed calendar, which is Julian before 15 October 1582, to the run's.
Instant mixed(const Calendar& run, Instant date, const std::string& text) {
  if (date >= run.instant({1582, 10, 15})) return date;
  const Calendar julian(CalendarType::julian, {});
  constexpr std::int64_t day_ms = 86'400'000;
  // Both count from their own 1 January 0000, which are two days apart.
  return {julian.parse(text).ms - 2 * day_ms};
}

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::io, why); }

constexpr std::int64_t tolerance_ms = 500;  // records of one second are the same

std::int64_t months_between(const Calendar& calendar, Instant from, Instant to) {
  const Date begin = calendar.date(from);
  const Date end = calendar.date(to);
  return (end.year - begin.year) * calendar.months_per_year() + end.month - begin.month;
}

/// The number of months, a multiple of `step`, after which it is nearest to `to`.
std::int64_t nearest_months(const Calendar& calendar, Instant from, Instant to, std::int64_t step) {
  const std::int64_t least = floor_div(months_between(calendar, from, to), step) * step;
  std::int64_t best = least;
  std::int64_t distance = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t months = least; months <= least + step; months += step) {
    const Instant there = calendar.add(from, {.month = static_cast<double>(months)});
    if (std::abs(there.ms - to.ms) >= distance) continue;
    distance = std::abs(there.ms - to.ms);
    best = months;
  }
  return best;
}

}  // namespace

bool say_dates(std::string_view units) {
  return lower_case(units).find(" since ") != std::string::npos;
}

FileDates::FileDates(const Calendar& run, std::string_view units_text, std::string_view calendar)
    : units_(units_text) {
  constexpr std::string_view since = " since ";
  const std::string text = lower_case(units_text);
  const std::size_t at = text.find(since);
  const std::string_view word = trimmed(std::string_view(text).substr(0, at));
  const auto unit = std::find_if(time_units.begin(), time_units.end(),
                                 [word](const TimeUnit& known) { return known.name == word; });
  if (at == std::string::npos || unit == time_units.end()) {
    refuse(fmt::format("their units are '{}'", units_text));
  }
  unit_ms_ = unit->ms;
  const std::string own = known_name(time_reference(run, {}, {}).calendar);
  const std::string name = known_name(calendar);
  if (name != own && name != known_name(run.cf_name())) {
    refuse(fmt::format("their calendar is '{}', the run has '{}'",
                       calendar.empty() ? "standard" : calendar, run.cf_name()));
  }
  const Epoch epoch = cut(units_text.substr(at + since.size()));
  const std::optional<int> zone = minutes_of(epoch.zone);
  if (!zone) {
    refuse(fmt::format("their units are '{}': '{}' is no zone of time", units_text, epoch.zone));
  }
  std::string date(epoch.day);
  if (!epoch.time.empty()) date += fmt::format(" {}", epoch.time);
  try {
    epoch_ = run.parse(date);
    if (run.type() == CalendarType::gregorian &&
        lower_case(trimmed(calendar)) != "proleptic_gregorian") {
      epoch_ = mixed(run, epoch_, date);
    }
  } catch (const std::exception& error) {
    refuse(fmt::format("their units are '{}': {}", units_text, error.what()));
  }
  double fraction = 0;
  const std::string seconds = fmt::format("0.{}", epoch.fraction.empty() ? "0" : epoch.fraction);
  std::from_chars(seconds.data(), seconds.data() + seconds.size(), fraction);
  epoch_.ms += std::llround(fraction * 1000) - std::int64_t{*zone} * 60'000;
}

Instant FileDates::at(double value) const {
  const double ms = static_cast<double>(epoch_.ms) + value * unit_ms_;
  if (!(std::abs(ms) < 1e17)) refuse(fmt::format("one of them is {} {}", value, units_));
  return {std::llround(ms)};
}

RecordDates::RecordDates(const FileDates& dates, std::span<const double> stamps) {
  by_date_.reserve(stamps.size());
  by_record_.reserve(stamps.size());
  for (const double stamp : stamps) {
    by_record_.push_back(dates.at(stamp));
    by_date_.push_back({by_record_.back(), std::ssize(by_date_)});
  }
  std::stable_sort(by_date_.begin(), by_date_.end(),
                   [](const Stamp& a, const Stamp& b) { return a.date < b.date; });
}

std::int64_t RecordDates::find(Instant date) const {
  const auto next =
      std::lower_bound(by_date_.begin(), by_date_.end(), date.ms - tolerance_ms + 1,
                       [](const Stamp& stamp, std::int64_t ms) { return stamp.date.ms < ms; });
  const bool is_it = next != by_date_.end() && next->date.ms - date.ms < tolerance_ms;
  return is_it ? next->record : -1;
}

std::int64_t RecordDates::only_one(Instant begin, Instant end) const {
  const auto from = [this](Instant date) {
    return std::lower_bound(by_date_.begin(), by_date_.end(), date,
                            [](const Stamp& stamp, Instant least) { return stamp.date < least; });
  };
  const auto first = from(begin);
  return from(end) - first == 1 ? first->record : -1;
}

DateCycle::DateCycle(const Calendar& calendar, const RecordDates& dates, const Duration& period)
    : calendar_(calendar), first_(dates.first()) {
  const Instant end = calendar.add(dates.last(), period);
  ms_ = std::max<std::int64_t>(end.ms - first_.ms, 1);
  if (!calendar.has_months()) return;
  const auto [months, seconds] = calendar.parts(period);
  is_monthly_ = months == 1 && seconds == 0;
  const std::int64_t years = nearest_months(calendar, first_, end, calendar.months_per_year());
  const Instant anniversary = calendar.add(first_, {.month = static_cast<double>(years)});
  if (years > 0 && 2 * std::abs(anniversary.ms - end.ms) <= end.ms - dates.last().ms) {
    months_ = years;
  } else if (months > 0) {
    months_ = std::max<std::int64_t>(nearest_months(calendar, first_, end, 1), 1);
  }
}

/// How often the cycle has ended before a date, give or take one.
std::int64_t DateCycle::turns_until(Instant date) const {
  if (months_ == 0) return floor_div(date.ms + tolerance_ms - 1 - first_.ms, ms_);
  return floor_div(months_between(calendar_, first_, date), months_);
}

Instant DateCycle::back(Instant date, std::int64_t turns) const {
  if (months_ == 0) return {date.ms - turns * ms_};
  return calendar_.add(date, {.month = -static_cast<double>(turns * months_)});
}

Instant DateCycle::within(Instant date) const {
  const std::int64_t turns = turns_until(date);
  const Instant there = back(date, turns);
  return there.ms <= first_.ms - tolerance_ms ? back(date, turns - 1) : there;
}

std::int64_t DateCycle::find(const RecordDates& dates, Instant date) const {
  const std::int64_t found = dates.find(within(date));
  if (found >= 0 || !is_monthly_) return found;
  const Date day = calendar_.date(back(date, turns_until(date)));
  const Instant begin = calendar_.instant({day.year, day.month, 1});
  return dates.only_one(begin, calendar_.add(begin, {.month = 1}));
}

std::string DateCycle::text() const {
  if (months_ == 0) {
    const std::int64_t day_ms = calendar_.day_length_s() * 1000;
    constexpr std::int64_t hour_ms = 3'600'000;
    const std::int64_t days = ms_ / day_ms;
    const std::int64_t rest = ms_ % day_ms;
    const std::int64_t hours = rest / hour_ms;
    return Duration{.day = static_cast<double>(days),
                    .hour = static_cast<double>(hours),
                    .second = static_cast<double>(rest % hour_ms) / 1000}
        .text();
  }
  const std::int64_t per_year = calendar_.months_per_year();
  const std::int64_t years = months_ / per_year;
  return Duration{.year = static_cast<double>(years),
                  .month = static_cast<double>(months_ % per_year)}
      .text();
}

}  // namespace epios::config
