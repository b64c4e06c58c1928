#include "config/plan.hpp"

#include <algorithm>
#include <string_view>
#include <type_traits>
#include <utility>

#include "attribute_access.hpp"
#include "config/error.hpp"
#include "config/file_series.hpp"
#include "config/time_axis.hpp"
#include "first_not_over.hpp"

namespace epios::config {

namespace {

/// Attributes split_* as far as the table has them.
SplitRule split_rule(const File& file, const Calendar& calendar) {
  SplitRule rule;
  for_each_attribute(file.attributes, [&](const AttributeInfo& row, const auto& member) {
    if (!member) return;
    using Type = std::remove_cvref_t<decltype(*member)>;
    if constexpr (std::is_same_v<Type, Duration>) {
      if (row.name == "split_freq") rule.freq = *member;
      if (row.name == "split_start_offset") rule.start_offset = *member;
      if (row.name == "split_end_offset") rule.end_offset = *member;
    } else if constexpr (std::is_same_v<Type, std::string>) {
      if (row.name == "split_freq_format") rule.format = *member;
      if (row.name == "split_last_date") rule.last_date = calendar.parse(*member);
    }
  });
  return rule;
}

std::int64_t points(const Model& model, const Grid& grid) {
  std::int64_t result = 1;
  for (const GridElement& element : grid.elements) {
    const auto at = static_cast<std::size_t>(element.index);
    if (element.kind == GridElement::Kind::axis) {
      result *= model.axes[at].attributes.n_glo.value_or(1);
    } else if (element.kind == GridElement::Kind::domain) {
      const DomainAttributes& domain = model.domains[at].attributes;
      result *= domain.ni_glo.value_or(1) * domain.nj_glo.value_or(1);
    }
  }
  return result;
}

/// Bytes that the time coordinates of a file take in each record: a time and two bounds each.
std::int64_t time_bytes(const Model& model, const File& file) {
  bool any_instant = false;
  bool any_centered = false;
  for (const int stream : file.streams) {
    const Operation operation = model.streams[static_cast<std::size_t>(stream)].sampling.operation;
    any_centered = any_centered || is_centered(operation);
    any_instant = any_instant || operation == Operation::instant;
  }
  const TimeAxis axis =
      time_axis(file.attributes.time_counter.value_or(""), any_instant, any_centered);
  const bool has_times =
      axis.counter == CounterTime::instant || axis.counter == CounterTime::centered;
  const int coordinates =
      (has_times ? 1 : 0) + (axis.has_instant ? 1 : 0) + (axis.has_centered ? 1 : 0);
  return 24 * coordinates + (axis.counter == CounterTime::record ? 8 : 0);
}

class Planner {
 public:
  Planner(const Model& model, std::int64_t steps)
      : model_(model), calendar_(model.calendar()), steps_(steps) {}

  PlannedFile plan_file(const File& file) const {
    PlannedFile result;
    result.id = file.id;
    for (const int index : file.streams) {
      const Stream& stream = model_.streams[static_cast<std::size_t>(index)];
      const Grid& grid = model_.grids[static_cast<std::size_t>(stream.grid)];
      const std::int64_t records = model_.schedule(stream).records_within(steps_);
      result.fields.push_back(
          {stream.name, records, points(model_, grid) * stream.attributes.prec.value_or(4)});
      result.records = std::max(result.records, records);
    }
    add_parts(file, result);
    for (const PlannedPart& part : result.parts) result.bytes += part.bytes;
    return result;
  }

 private:
  void add_parts(const File& file, PlannedFile& result) const {
    if (file.streams.empty()) return;
    // All fields of a file have the same records in time.
    const Schedule schedule =
        model_.schedule(model_.streams[static_cast<std::size_t>(file.streams.front())]);
    const FileSeries series(calendar_, model_.start_date, model_.time_origin,
                            split_rule(file, calendar_));
    constexpr std::string_view extension = ".nc";
    const std::string base = file.path.substr(0, file.path.size() - extension.size());
    const std::int64_t coordinates = time_bytes(model_, file);
    for (std::int64_t record = 0; record < result.records;) {
      const std::int64_t number = series.part_of(schedule.record_time(record).end);
      const std::int64_t next =
          series.is_split() ? std::min(series.first_record(schedule, number + 1), result.records)
                            : result.records;
      PlannedPart part;
      part.path = series.name(base, number) + std::string(extension);
      part.first_record = record;
      part.records = next - record;
      part.first = schedule.record_time(record).end;
      part.last = schedule.record_time(next - 1).end;
      part.bytes = part.records * coordinates;
      for (const PlannedField& field : result.fields) {
        const std::int64_t its = std::clamp(field.records, record, next) - record;
        part.bytes += its * field.record_bytes;
      }
      result.parts.push_back(std::move(part));
      record = next;
    }
  }

  const Model& model_;
  Calendar calendar_;
  std::int64_t steps_;
};

}  // namespace

Plan plan(const Model& model, const Duration& duration) {
  const Calendar calendar = model.calendar();
  Plan result;
  result.start = model.start_date;
  result.end = calendar.add(model.start_date, duration);
  if (result.end < result.start) {
    throw Error(ErrorCode::argument, "a run of '" + duration.text() + "' ends before it starts.");
  }
  result.steps = first_not_over(1,
                                [&](std::int64_t step) {
                                  return calendar.at_step(model.start_date, step) <= result.end;
                                }) -
                 1;
  result.days =
      seconds_between(result.start, result.end) / static_cast<double>(calendar.day_length_s());
  const Planner planner(model, result.steps);
  for (const File& file : model.files) {
    result.files.push_back(planner.plan_file(file));
    result.bytes += result.files.back().bytes;
  }
  return result;
}

}  // namespace epios::config
