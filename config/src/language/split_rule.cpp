#include "config/split_rule.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace epios::config {

SplitRule split_rule(const FileAttributes& file, const Calendar& calendar) {
  SplitRule rule;
  rule.freq = file.split_freq.value_or(Duration{});
  rule.format = file.split_freq_format.value_or("");
  rule.start_offset = file.split_start_offset.value_or(rule.start_offset);
  rule.end_offset = file.split_end_offset.value_or(rule.end_offset);
  if (file.split_last_date) rule.last_date = calendar.parse(*file.split_last_date);
  return rule;
}

FileSeries series_of(const Model& model, const File& file) {
  const Calendar calendar = model.calendar();
  // Runs that go on with each other's files cut them at the same dates.
  const bool is_continued = file.attributes.append.value_or(false);
  const Instant reference =
      is_continued ? std::min(model.time_origin, model.start_date) : model.start_date;
  SplitRule rule = split_rule(file.attributes, calendar);
  if (model.steps_before > 0 && !is_continued) {
    rule.first_date = calendar.at_step(model.start_date, model.steps_before);
  }
  return {calendar, reference, model.time_origin, std::move(rule)};
}

FileSeries series_of(const Model& model, const ReadFile& file) {
  const Calendar calendar = model.calendar();
  return {calendar, model.start_date, model.time_origin, split_rule(file.attributes, calendar)};
}

namespace {

std::int64_t floored(std::int64_t value, double unit) {
  const auto step = static_cast<std::int64_t>(unit);
  return value - (value % step + step) % step;
}

/// The last date not after `date` at which the calendar itself would cut; none: it would not.
std::optional<Instant> boundary_before(const Calendar& calendar, Instant date,
                                       const Duration& freq) {
  const auto [months, seconds] = calendar.parts(freq);
  const Date at = calendar.date(date);
  const auto is_count = [](double value) { return value >= 1 && value == std::floor(value); };
  if (is_count(months) && seconds == 0) {
    const auto year = static_cast<double>(calendar.months_per_year());
    if (std::fmod(months, year) == 0) {
      return calendar.instant({floored(at.year, months / year), 1, 1});
    }
    if (std::fmod(year, months) != 0) return std::nullopt;
    return calendar.instant({at.year, static_cast<int>(floored(at.month - 1, months)) + 1, 1});
  }
  if (months != 0 || !is_count(seconds)) return std::nullopt;
  const auto day_s = static_cast<double>(calendar.day_length_s());
  if (std::fmod(day_s, seconds) != 0) return std::nullopt;
  const auto since = static_cast<std::int64_t>(calendar.second_of_day(date) * 1000);
  return Instant{date.ms - since + floored(since, seconds * 1000)};
}

}  // namespace

std::optional<FileSeries> calendar_series_of(const Model& model, const ReadFile& file) {
  const Calendar calendar = model.calendar();
  SplitRule rule = split_rule(file.attributes, calendar);
  if (rule.freq.is_zero()) return std::nullopt;
  const std::optional<Instant> begin = boundary_before(calendar, model.start_date, rule.freq);
  if (!begin || *begin == model.start_date) return std::nullopt;
  return FileSeries(calendar, *begin, model.time_origin, std::move(rule));
}

std::vector<std::string> paths_of_date(const Model& model, const ReadFile& file, Instant date) {
  if (!file.attributes.split_freq) return {file.path};
  std::vector<std::string> out;
  const auto add = [&](const FileSeries& series, Instant record) {
    std::string path = path_of_part(series, file.path, series.part_of(record));
    if (std::find(out.begin(), out.end(), path) == out.end()) out.push_back(std::move(path));
  };
  const FileSeries series = series_of(model, file);
  const Instant after{date.ms + 1};  // parts end with the date that the next one begins with
  add(series, after);
  if (!file.attributes.time_from_file.value_or(false)) return out;
  add(series, date);
  if (const std::optional<FileSeries> other = calendar_series_of(model, file)) {
    add(*other, after);
    add(*other, date);
  }
  return out;
}

std::vector<std::string> first_paths(const Model& model, const ReadFile& file) {
  if (file.fields.empty()) return {};
  Instant first{std::numeric_limits<std::int64_t>::max()};
  for (const int field : file.fields) {
    const ReadField& its = model.read_fields[static_cast<std::size_t>(field)];
    first = std::min(first, model.schedule(its).date_of(0));
  }
  return paths_of_date(model, file, first);
}

std::string path_of_part(const FileSeries& series, std::string_view path, std::int64_t part) {
  constexpr std::string_view extension = ".nc";
  if (!series.is_split()) return std::string(path);
  path.remove_suffix(extension.size());
  return series.name(path, part) + std::string(extension);
}

}  // namespace epios::config
