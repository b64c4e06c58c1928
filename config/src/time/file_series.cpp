#include "config/file_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "config/error.hpp"
#include "config/file_format.hpp"
#include "time/date_text.hpp"
#include "time/first_not_over.hpp"

namespace epios::config {

namespace {

constexpr std::string_view start_place = "%start_date%";
constexpr std::string_view end_place = "%end_date%";

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

}  // namespace

FileSeries::FileSeries(const Calendar& calendar, Instant reference, Instant origin, SplitRule rule)
    : calendar_(calendar), reference_(reference), origin_(origin), rule_(std::move(rule)) {
  if (!is_split() || calendar_.add(reference_, rule_.freq) > reference_) return;
  throw Error(ErrorCode::configuration,
              fmt::format("split_freq '{}' does not move time forward (a period must be positive, "
                          "and a fraction of a month has no length).",
                          rule_.freq.text()));
}

Instant FileSeries::boundary(std::int64_t part) const {
  return calendar_.add(reference_, rule_.freq * static_cast<double>(part));
}

std::int64_t FileSeries::part_of(Instant record) const {
  if (!is_split()) return 0;
  return first_not_over(0, [&](std::int64_t part) { return record > boundary(part + 1); });
}

SplitPeriod FileSeries::period(std::int64_t part) const {
  if (!is_split()) return {reference_, reference_};
  return {boundary(part), boundary(part + 1)};
}

std::int64_t FileSeries::first_record(const RecordTimes& times, std::int64_t part) const {
  if (!is_split()) return 0;
  const Instant begin = boundary(part);
  return first_not_over(0, [&](std::int64_t record) { return times.of(record).end <= begin; });
}

std::string FileSeries::format() const {
  if (!rule_.format.empty()) return rule_.format;
  const DateForm form = date_form(calendar_);
  Duration freq = rule_.freq;
  freq.timestep = 0;
  freq = freq + calendar_.timestep() * rule_.freq.timestep;
  const std::array<std::pair<std::string_view, double>, 6> units{{{"%y", freq.year},
                                                                  {"%mo", freq.month},
                                                                  {"%d", freq.day},
                                                                  {"%h", freq.hour},
                                                                  {"%mi", freq.minute},
                                                                  {"%s", freq.second}}};
  std::size_t count = units.size();
  while (count > 1 && units.at(count - 1).second == 0) --count;
  std::string result;
  for (std::size_t i = 0; i < count; ++i) {
    if (i == 1 && form != DateForm::year_month_day) continue;
    if (i == 2 && form == DateForm::year_only) continue;
    result += units.at(i).first;
  }
  return result;
}

std::string FileSeries::name(std::string_view base, std::int64_t part) const {
  std::string result(base);
  if (!is_split()) return without_dates(std::move(result));
  const auto date = [this](Instant instant, const Duration& offset) {
    return calendar_.format(calendar_.add(instant, offset), format(), origin_);
  };
  const SplitPeriod its = period(part);
  const Instant end = rule_.last_date ? std::min(its.end, *rule_.last_date) : its.end;
  const Instant begin = rule_.first_date ? std::max(its.begin, *rule_.first_date) : its.begin;
  const std::string first = date(begin, rule_.start_offset);
  const std::string last = date(end, rule_.end_offset);
  const bool has_place =
      result.find(start_place) != std::string::npos || result.find(end_place) != std::string::npos;
  if (!has_place) return fmt::format("{}_{}-{}", base, first, last);
  replace_all(result, start_place, first);
  replace_all(result, end_place, last);
  return result;
}

std::string without_dates(std::string name) {
  replace_all(name, start_place, "");
  replace_all(name, end_place, "");
  return name;
}

std::string rank_suffix(int rank, int writers, int min_digits) {
  const std::size_t width = fmt::format("{}", std::max(writers - 1, 0)).size();
  return fmt::format("_{:0{}d}", rank, std::max(static_cast<int>(width), min_digits));
}

std::string path_of_writer(std::string_view path, std::string_view rank_suffix) {
  return fmt::format("{}{}{}", stem_of(path), rank_suffix, suffix_of(path));
}

}  // namespace epios::config
