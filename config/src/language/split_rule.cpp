#include "config/split_rule.hpp"

#include <algorithm>
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

std::vector<std::string> first_paths(const Model& model, const ReadFile& file) {
  if (file.fields.empty()) return {};
  if (!file.attributes.split_freq) return {file.path};
  Instant first{std::numeric_limits<std::int64_t>::max()};
  for (const int field : file.fields) {
    const ReadField& its = model.read_fields[static_cast<std::size_t>(field)];
    first = std::min(first, model.schedule(its).date_of(0));
  }
  const FileSeries series = series_of(model, file);
  const std::int64_t begun = series.part_of({first.ms + 1});
  const std::int64_t ended = series.part_of(first);
  std::vector<std::string> out{path_of_part(series, file.path, begun)};
  if (file.attributes.time_from_file.value_or(false) && ended != begun) {
    out.push_back(path_of_part(series, file.path, ended));
  }
  return out;
}

std::string path_of_part(const FileSeries& series, std::string_view path, std::int64_t part) {
  constexpr std::string_view extension = ".nc";
  if (!series.is_split()) return std::string(path);
  path.remove_suffix(extension.size());
  return series.name(path, part) + std::string(extension);
}

}  // namespace epios::config
