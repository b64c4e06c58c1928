#include "config/plan.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "config/error.hpp"
#include "config/file_series.hpp"
#include "config/time_axis.hpp"
#include "first_not_over.hpp"

namespace epios::config {

namespace {

// Sizes that nobody has are shown as the largest number, not as a wrong one.
std::int64_t product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? INT64_MAX : result;
}

std::int64_t sum(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? INT64_MAX : result;
}

/// Points that are not masked, if the mask of the whole element is there.
std::int64_t unmasked(std::int64_t size, const std::optional<Array<std::uint8_t>>& mask) {
  if (!mask || static_cast<std::int64_t>(mask->values.size()) != size) return size;
  return size - std::count(mask->values.begin(), mask->values.end(), 0);
}

/// Points of a field in one record on file: masked ones too, unless only the others are written.
std::int64_t written_points(const Model& model, const Stream& stream) {
  const std::int64_t all = model.points(stream.grid).value_or(0);
  if (!stream.attributes.indexed_output.value_or(false)) return all;
  std::int64_t result = 1;
  for (const GridElement& element : model.grids[static_cast<std::size_t>(stream.grid)].elements) {
    const auto at = static_cast<std::size_t>(element.index);
    if (element.kind == GridElement::Kind::axis) {
      const AxisAttributes& axis = model.axes[at].attributes;
      result = product(result, unmasked(axis.n_glo.value_or(0), axis.mask));
    } else if (element.kind == GridElement::Kind::domain) {
      const DomainAttributes& domain = model.domains[at].attributes;
      const std::int64_t size = product(domain.ni_glo.value_or(0), domain.nj_glo.value_or(0));
      const auto& mask = domain.mask_1d ? domain.mask_1d : domain.mask_2d;
      result = product(result, unmasked(size, mask));
    }
  }
  return result;
}

TimeAxis time_axis_of(const Model& model, const File& file) {
  bool any_instant = false;
  bool any_centered = false;
  for (const int stream : file.streams) {
    const Operation operation = model.streams[static_cast<std::size_t>(stream)].sampling.operation;
    any_centered = any_centered || is_centered(operation);
    any_instant = any_instant || operation == Operation::instant;
  }
  if (!any_instant && !any_centered) return {};
  return time_axis(file.attributes.time_counter.value_or(""), any_instant, any_centered);
}

bool has_times(const TimeAxis& axis) {
  return axis.counter == CounterTime::instant || axis.counter == CounterTime::centered;
}

/// Bytes that the time coordinates of a file take in each record: a time and two bounds each.
std::int64_t time_bytes(const TimeAxis& axis) {
  const int coordinates =
      (has_times(axis) ? 1 : 0) + (axis.has_instant ? 1 : 0) + (axis.has_centered ? 1 : 0);
  return 24 * coordinates + (axis.counter == CounterTime::record ? 8 : 0);
}

/// All fields of a file have the same records in time.
Schedule schedule_of(const Model& model, const File& file) {
  return model.schedule(model.streams[static_cast<std::size_t>(file.streams.front())]);
}

class Planner {
 public:
  Planner(const Model& model, std::int64_t steps)
      : model_(model), calendar_(model.calendar()), steps_(steps) {}

  PlannedFile plan_file(const File& file) {
    PlannedFile result;
    result.id = file.id;
    for (const int index : file.streams) {
      const Stream& stream = model_.streams[static_cast<std::size_t>(index)];
      const std::int64_t records = model_.schedule(stream).records_within(steps_);
      result.fields.push_back(
          {stream.name, records,
           product(written_points(model_, stream), stream.attributes.prec.value_or(4))});
      result.records = std::max(result.records, records);
    }
    coordinate_bytes_ = time_bytes(time_axis_of(model_, file));
    result.bytes = bytes_between(result, 0, result.records);
    add_parts(file, result);
    return result;
  }

 private:
  /// Of the records from `first` up to `end`.
  std::int64_t bytes_between(const PlannedFile& file, std::int64_t first, std::int64_t end) const {
    std::int64_t bytes = product(end - first, coordinate_bytes_);
    for (const PlannedField& field : file.fields) {
      const std::int64_t its = std::clamp(field.records, first, end) - first;
      bytes = sum(bytes, product(its, field.record_bytes));
    }
    return bytes;
  }

  void add_parts(const File& file, PlannedFile& result) {
    if (file.streams.empty()) return;
    const Schedule schedule = schedule_of(model_, file);
    const FileSeries series(calendar_, model_.start_date, model_.time_origin,
                            split_rule(file.attributes, calendar_));
    constexpr std::string_view extension = ".nc";
    const std::string base = file.path.substr(0, file.path.size() - extension.size());
    for (std::int64_t record = 0; record < result.records;) {
      if (series.is_split() && part_count_ == largest_part_count) {
        result.unlisted_records = result.records - record;
        return;
      }
      if (series.is_split()) ++part_count_;
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
      part.bytes = bytes_between(result, record, next);
      result.parts.push_back(std::move(part));
      record = next;
    }
  }

  const Model& model_;
  Calendar calendar_;
  std::int64_t steps_;
  std::int64_t coordinate_bytes_ = 0;  ///< of one record of the file that is planned
  std::size_t part_count_ = 0;         ///< of all files so far
};

Diagnostic no_record(const File& file) {
  return {Severity::warning, file.where, "file '" + file.id + "' has no record",
          "the run ends before its output_freq '" +
              file.attributes.output_freq.value_or(Duration{}).text() + "' is over",
          "Make the run longer or output_freq shorter."};
}

}  // namespace

std::vector<PlannedRecord> records_of(const Model& model, const File& file,
                                      const PlannedPart& part) {
  const Calendar calendar = model.calendar();
  const Schedule schedule = schedule_of(model, file);
  const TimeAxis axis = time_axis_of(model, file);
  const bool in_days = file.attributes.time_units.value_or("seconds") == "days";
  const TimeUnits units = in_days ? TimeUnits::days : TimeUnits::seconds;
  std::vector<PlannedRecord> result;
  for (std::int64_t number = 0; number < part.records; ++number) {
    PlannedRecord record;
    record.number = number;
    record.interval = schedule.record_time(part.first_record + number);
    if (has_times(axis)) {
      record.stamp = time_stamp(calendar, record.interval, axis.counter == CounterTime::centered,
                                model.time_origin, units);
    }
    result.push_back(record);
  }
  return result;
}

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
  Planner planner(model, result.steps);
  for (const File& file : model.files) {
    result.files.push_back(planner.plan_file(file));
    result.bytes = sum(result.bytes, result.files.back().bytes);
    if (result.files.back().records == 0 && !file.streams.empty()) {
      result.warnings.push_back(no_record(file));
    }
  }
  return result;
}

}  // namespace epios::config
