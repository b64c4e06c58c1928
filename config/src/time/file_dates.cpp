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

/// Converts a date of a mixed calendar, which is Julian before 15 October 1582, to the Gregorian.
Instant mixed(const Calendar& gregorian, Instant date, const std::string& text) {
  if (date >= gregorian.instant({1582, 10, 15})) return date;
  const Calendar julian(CalendarType::julian, {});
  constexpr std::int64_t day_ms = 86'400'000;
  // Both count from their own 1 January 0000, which are two days apart.
  return {julian.parse(text).ms - 2 * day_ms};
}

/// Returns a calendar of CF by its known_name().
std::optional<Calendar> calendar_named(std::string_view name) {
  constexpr std::array<CalendarType, 5> types{CalendarType::gregorian, CalendarType::julian,
                                              CalendarType::no_leap, CalendarType::all_leap,
                                              CalendarType::d360};
  for (const CalendarType type : types) {
    if (known_name(cf_name(type)) == name) return Calendar(type, {});
  }
  return std::nullopt;
}

/// Returns the same date, whose day becomes the last one of its month if it is behind that.
Date kept_in_month(const Calendar& calendar, Date date) {
  date.day = std::min(date.day, calendar.days_in_month(date.year, date.month));
  return date;
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

FileDates::FileDates(const Calendar& run, std::string_view units_text, std::string_view calendar,
                     CalendarMapping mapping)
    : run_(run), own_(run), mapping_(CalendarMapping::none), units_(units_text) {
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
    const std::optional<Calendar> theirs = calendar_named(name);
    const bool is_mapped =
        mapping != CalendarMapping::none && theirs && run.type() != CalendarType::user_defined;
    if (!is_mapped) {
      refuse(fmt::format("their calendar is '{}', the run has '{}'{}",
                         calendar.empty() ? "standard" : calendar, run.cf_name(),
                         mapping == CalendarMapping::none && theirs
                             ? "; calendar_mapping=\"date\" would take them as dates of the run"
                             : ""));
    }
    own_ = *theirs;
    mapping_ = mapping;
  }
  const Epoch epoch = cut(units_text.substr(at + since.size()));
  const std::optional<int> zone = minutes_of(epoch.zone);
  if (!zone) {
    refuse(fmt::format("their units are '{}': '{}' is no zone of time", units_text, epoch.zone));
  }
  std::string date(epoch.day);
  if (!epoch.time.empty()) date += fmt::format(" {}", epoch.time);
  try {
    epoch_ = own_.parse(date);
    if (own_.type() == CalendarType::gregorian &&
        lower_case(trimmed(calendar)) != "proleptic_gregorian") {
      epoch_ = mixed(own_, epoch_, date);
    }
  } catch (const std::exception& error) {
    refuse(fmt::format("their units are '{}': {}", units_text, error.what()));
  }
  double fraction = 0;
  const std::string seconds = fmt::format("0.{}", epoch.fraction.empty() ? "0" : epoch.fraction);
  std::from_chars(seconds.data(), seconds.data() + seconds.size(), fraction);
  epoch_.ms += std::llround(fraction * 1000) - std::int64_t{*zone} * 60'000;
}

Instant FileDates::in_file(double value) const {
  const double ms = static_cast<double>(epoch_.ms) + value * unit_ms_;
  if (!(std::abs(ms) < 1e17)) refuse(fmt::format("one of them is {} {}", value, units_));
  return {std::llround(ms)};
}

Instant FileDates::at(double value) const { return in_run(in_file(value)); }

Instant FileDates::after(double value, const Duration& period) const {
  // In units that the file's calendar knows, too: it has no time step.
  const auto [months, seconds] = run_.parts(period);
  return in_run(own_.add(in_file(value), {.month = months, .second = seconds}));
}

Instant FileDates::in_run(Instant there) const {
  if (mapping_ == CalendarMapping::none) return there;
  const Date date = own_.date(there);
  if (mapping_ == CalendarMapping::date) return run_.instant(kept_in_month(run_, date));
  const Instant own_year = own_.instant({date.year, 1, 1});
  const Instant year = run_.instant({date.year, 1, 1});
  const double share = static_cast<double>(there.ms - own_year.ms) /
                       static_cast<double>(own_.year_length_s(date.year));
  return {year.ms + std::llround(share * static_cast<double>(run_.year_length_s(date.year)))};
}

bool FileDates::has(double value) const {
  if (mapping_ != CalendarMapping::date) return true;
  const Date date = own_.date(in_file(value));
  return date.day <= run_.days_in_month(date.year, date.month);
}

Instant FileDates::stand_in(Instant date) const {
  if (mapping_ != CalendarMapping::date) return date;
  return run_.instant(kept_in_month(own_, run_.date(date)));
}

RecordDates::RecordDates(const FileDates& dates, std::span<const double> stamps) : dates_(dates) {
  by_date_.reserve(stamps.size());
  by_record_.reserve(stamps.size());
  for (const double stamp : stamps) by_record_.push_back(dates.at(stamp));
  const bool has_any = std::any_of(stamps.begin(), stamps.end(),
                                   [&dates](double stamp) { return dates.has(stamp); });
  for (std::size_t r = 0; r < stamps.size(); ++r) {
    if (has_any && !dates.has(stamps[r])) continue;
    by_date_.push_back({by_record_[r], static_cast<std::int64_t>(r)});
  }
  std::stable_sort(by_date_.begin(), by_date_.end(),
                   [](const Dated& a, const Dated& b) { return a.date < b.date; });
  if (!stamps.empty()) latest_stamp_ = *std::max_element(stamps.begin(), stamps.end());
}

std::optional<RecordDates::Dated> RecordDates::earliest(Instant date) const {
  const auto next =
      std::lower_bound(by_date_.begin(), by_date_.end(), date.ms - tolerance_ms + 1,
                       [](const Dated& stamp, std::int64_t ms) { return stamp.date.ms < ms; });
  return next == by_date_.end() ? std::nullopt : std::optional(*next);
}

std::optional<RecordDates::Dated> RecordDates::latest(Instant date) const {
  const auto next =
      std::lower_bound(by_date_.begin(), by_date_.end(), date.ms + tolerance_ms,
                       [](const Dated& stamp, std::int64_t ms) { return stamp.date.ms < ms; });
  return next == by_date_.begin() ? std::nullopt : std::optional(*std::prev(next));
}

std::int64_t RecordDates::find(Instant date) const {
  const auto exactly = [this](Instant wanted) -> std::int64_t {
    const std::optional<Dated> next = earliest(wanted);
    return next && next->date.ms - wanted.ms < tolerance_ms ? next->record : -1;
  };
  const std::int64_t found = exactly(date);
  if (found >= 0) return found;
  const Instant other = dates_.stand_in(date);
  return other == date ? -1 : exactly(other);
}

RecordsAround records_around(const RecordDates::Dated& before, const RecordDates::Dated& after,
                             Instant date) {
  RecordsAround out{before, after, 0};
  if (std::abs(date.ms - after.date.ms) < tolerance_ms) out.before = after;
  if (std::abs(date.ms - before.date.ms) < tolerance_ms) out.after = before;
  const std::int64_t length = out.after.date.ms - out.before.date.ms;
  if (length > 0) {
    out.share = static_cast<double>(date.ms - out.before.date.ms) / static_cast<double>(length);
  }
  return out;
}

Duration mean_spacing(const RecordDates& dates) {
  Duration out{.second = 1};
  if (dates.size() < 2) return out;
  const std::int64_t length = dates.last().ms - dates.first().ms;
  out.second =
      std::max(static_cast<double>(length) / (1000 * static_cast<double>(dates.size() - 1)), 1.0);
  return out;
}

std::int64_t RecordDates::only_one(Instant begin, Instant end) const {
  const auto from = [this](Instant date) {
    return std::lower_bound(by_date_.begin(), by_date_.end(), date,
                            [](const Dated& stamp, Instant least) { return stamp.date < least; });
  };
  const auto first = from(begin);
  return from(end) - first == 1 ? first->record : -1;
}

DateCycle::DateCycle(const Calendar& calendar, const RecordDates& dates, const Duration& period)
    : calendar_(calendar), first_(dates.first()) {
  const Instant end = dates.end(period);
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

Instant DateCycle::end() const {
  if (months_ == 0) return {first_.ms + ms_};
  return calendar_.add(first_, {.month = static_cast<double>(months_)});
}

RecordsAround DateCycle::around(const RecordDates& dates, Instant date) const {
  const Instant there = within(date);
  const RecordDates::Dated first = dates.earliest(dates.first()).value();
  const RecordDates::Dated before = dates.latest(there).value_or(first);
  const RecordDates::Dated again{end(), first.record};
  return records_around(before, dates.earliest(there).value_or(again), there);
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
