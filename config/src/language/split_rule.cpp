#include "config/split_rule.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "config/date_position.hpp"
#include "config/file_format.hpp"
#include "config/model.hpp"
#include "time/first_not_over.hpp"

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
  const std::optional<Instant> anchor = output_anchor(file.attributes, model.time_origin);
  // What is before the start was written by nobody, or by the run before.
  if ((model.steps_before > 0 || anchor) && !is_continued) {
    rule.first_date = calendar.at_step(model.start_date, model.steps_before);
  }
  const Instant origin = anchor && !rule.freq.is_zero()
                             ? period_begin(calendar, *anchor, model.start_date, rule.freq)
                             : reference;
  return {calendar, origin, model.time_origin, std::move(rule)};
}

std::optional<Instant> output_anchor(const FileAttributes& file, Instant time_origin) {
  const std::string word = file.output_anchor.value_or("start");
  if (word == "calendar") return Instant{};
  if (word == "forecast") return time_origin;
  return std::nullopt;
}

FileSeries series_of(const Model& model, const ReadFile& file) {
  const Calendar calendar = model.calendar();
  return {calendar, model.start_date, model.time_origin, split_rule(file.attributes, calendar)};
}

CalendarMapping calendar_mapping(const FileAttributes& file) {
  const std::string word = file.calendar_mapping.value_or("none");
  return word == "date"   ? CalendarMapping::date
         : word == "year" ? CalendarMapping::year
                          : CalendarMapping::none;
}

TimeInterpolation time_interpolation(const FileAttributes& file) {
  const std::string word = file.interpolate_time.value_or("none");
  return word == "linear"    ? TimeInterpolation::linear
         : word == "nearest" ? TimeInterpolation::nearest
                             : TimeInterpolation::none;
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
  const auto since = static_cast<std::int64_t>(second_of_day(calendar, date) * 1000);
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

PartRecord part_record(const Model& model, const FileSeries& series, const ReadField& field,
                       std::int64_t record) {
  if (!series.is_split() || field.reading.is_once) return {0, record};
  const ReadSchedule dates = model.schedule(field);
  const bool ends = model.calendar().are_equal(field.reading.offset, field.reading.period);
  // Parts end with the date that the next one begins with.
  const std::int64_t part = series.part_of({dates.date_of(record).ms + (ends ? 0 : 1)});
  const Instant begin = series.period(part).begin;
  const std::int64_t first = first_not_over(0, [&](std::int64_t n) {
    return ends ? dates.date_of(n) <= begin : dates.date_of(n) < begin;
  });
  return {part, record - first};
}

std::vector<std::string> paths_of_record(const Model& model, const ReadField& field,
                                         std::int64_t record) {
  const ReadFile& file = model.read_files[field.file];
  if (!file.attributes.split_freq) return {file.path};
  std::vector<std::string> out;
  const auto add = [&](const FileSeries& series, std::int64_t part) {
    std::string path = path_of_part(series, file.path, part);
    if (std::find(out.begin(), out.end(), path) == out.end()) out.push_back(std::move(path));
  };
  const FileSeries series = series_of(model, file);
  const Instant date = model.schedule(field).date_of(record);
  const Instant after{date.ms + 1};
  add(series, field.reading.is_once ? series.part_of(after)
                                    : part_record(model, series, field, record).part);
  if (!file.attributes.time_from_file.value_or(false)) return out;
  add(series, series.part_of(after));
  add(series, series.part_of(date));
  if (const std::optional<FileSeries> other = calendar_series_of(model, file)) {
    add(*other, other->part_of(after));
    add(*other, other->part_of(date));
  }
  return out;
}

std::vector<std::string> first_paths(const Model& model, const ReadFile& file) {
  if (file.fields.empty()) return {};
  const auto field_of = [&model](ReadFieldId field) -> const ReadField& {
    return model.read_fields[field];
  };
  const auto first_date = [&model](const ReadField& field) {
    return model.schedule(field).date_of(model.first_record(field));
  };
  const ReadFieldId first =
      *std::min_element(file.fields.begin(), file.fields.end(), [&](ReadFieldId a, ReadFieldId b) {
        return first_date(field_of(a)) < first_date(field_of(b));
      });
  return paths_of_record(model, field_of(first), model.first_record(field_of(first)));
}

std::string path_of_part(const FileSeries& series, std::string_view path, std::int64_t part) {
  if (!series.is_split()) return std::string(path);
  return series.name(stem_of(path), part) + std::string(suffix_of(path));
}

}  // namespace epios::config
