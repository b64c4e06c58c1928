// Computes what a run would write from its Model alone. Files are cut into parts, and each part has
// the records and bytes of its period; then come readings, couplings and transformations on
// servers.
#include "config/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "check/name_check.hpp"
#include "check/read_reach_check.hpp"
#include "commands/left_out_records.hpp"
#include "commands/record_size.hpp"
#include "config/coupled_contexts.hpp"
#include "config/error.hpp"
#include "config/fed_schedules.hpp"
#include "config/file_series.hpp"
#include "config/model.hpp"
#include "config/read_ahead.hpp"
#include "config/spatial.hpp"
#include "config/split_rule.hpp"
#include "config/time_axis.hpp"
#include "config/time_reference.hpp"
#include "time/first_not_over.hpp"

namespace epios::config {

namespace {

TimeAxis time_axis_of(const Model& model, const File& file) {
  bool any_instant = false;
  bool any_centered = false;
  for (const StreamId stream : file.streams) {
    const Operation operation = model.streams[stream].sampling.operation;
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

bool is_once(const Stream& stream) { return !has_time(stream.sampling.operation); }

/// The first field of a file that has records in time, which all others share; nullptr when all are
/// written once.
const Stream* leader_of(const Model& model, const File& file) {
  for (const StreamId index : file.streams) {
    const Stream& stream = model.streams[index];
    if (!is_once(stream)) return &stream;
  }
  return nullptr;
}

/// When a field that is written once is: at its first sample.
Instant date_of_once(const Model& model, const Schedule& schedule) {
  return model.calendar().at_step(model.start_date, schedule.step_of_sample(0));
}

/// Dates of the records of a file. One whose fields are all written once has one record, which
/// stands for no interval.
class Records {
 public:
  Records(const Model& model, const File& file) {
    if (const Stream* leader = leader_of(model, file)) {
      times_ = model.record_times(*leader);
    } else {
      once_ = date_of_once(model, nth(fed_schedules_of_streams(model), file.streams.front()));
    }
  }

  RecordTime time(std::int64_t record) const {
    return times_ ? times_->of(record) : RecordTime{once_, once_};
  }
  /// The first record, up to `records`, that is in a part.
  std::int64_t first_in(const FileSeries& series, std::int64_t part, std::int64_t records) const {
    if (!series.is_split() || !times_) return records;
    return std::min(series.first_record(*times_, part), records);
  }

 private:
  std::optional<RecordTimes> times_;
  Instant once_;
};

class Planner {
 public:
  Planner(const Model& model, std::int64_t steps)
      : model_(model), calendar_(model.calendar()), steps_(steps), unsampled_(model, steps) {}

  PlannedFile plan_file(const File& file) {
    PlannedFile result;
    result.id = file.id;
    timed_.clear();
    std::int64_t once_bytes = 0;
    const bool has_leader = leader_of(model_, file) != nullptr;
    for (const StreamId index : file.streams) {
      const Stream& stream = model_.streams[index];
      const std::int64_t records = unsampled_.schedule(index).records_within(steps_);
      const PlannedField& field = result.fields.emplace_back(PlannedField{
          stream.name, records,
          saturated_product(written_points(model_, stream), stream.attributes.prec.value_or(4))});
      if (!has_leader || !is_once(stream)) result.records = std::max(result.records, records);
      if (!is_once(stream)) {
        timed_.push_back(field);
      } else {
        once_bytes = saturated_sum(once_bytes, saturated_product(records, field.record_bytes));
      }
    }
    coordinate_bytes_ = time_bytes(time_axis_of(model_, file));
    left_out_ = has_leader ? unsampled_.of(file, result.records) : std::vector<std::int64_t>();
    for (std::size_t f = 0; f < file.streams.size(); ++f) {
      PlannedField& field = result.fields[f];
      if (!is_once(model_.streams[file.streams[f]]))
        field.records -= left_out_within(0, field.records);
    }
    result.bytes = saturated_sum(once_bytes, bytes_between(0, result.records));
    add_parts(file, result);
    result.left_out = left_out_within(0, result.records);
    result.records -= result.left_out;
    if (result.parts.empty() && once_bytes > 0) result.parts.push_back(part_without_record(file));
    if (!result.parts.empty()) {
      PlannedPart& first = result.parts.front();
      first.bytes = saturated_sum(first.bytes, once_bytes);
    }
    return result;
  }

 private:
  /// Returns the bytes of the records from `first` up to `end`, without what is written once.
  std::int64_t bytes_between(std::int64_t first, std::int64_t end) const {
    const std::int64_t all = end - first - left_out_within(first, end);
    std::int64_t bytes = saturated_product(all, coordinate_bytes_);
    for (const PlannedField& field : timed_) {
      const std::int64_t own_end = std::clamp(field.records, first, end);
      const std::int64_t its = own_end - first - left_out_within(first, own_end);
      bytes = saturated_sum(bytes, saturated_product(its, field.record_bytes));
    }
    return bytes;
  }

  std::int64_t left_out_within(std::int64_t first, std::int64_t end) const {
    const auto begin = std::lower_bound(left_out_.begin(), left_out_.end(), first);
    return std::lower_bound(begin, left_out_.end(), end) - begin;
  }

  /// Of the records from `first` up to `end`, which are not all left out, those that are written.
  void add_part(const Records& records, std::int64_t first, std::int64_t end, PlannedPart part,
                PlannedFile& result) const {
    const auto begin = std::lower_bound(left_out_.begin(), left_out_.end(), first);
    part.left_out.assign(begin, std::lower_bound(begin, left_out_.end(), end));
    part.first_record = first;
    part.records = end - first - static_cast<std::int64_t>(part.left_out.size());
    part.bytes = bytes_between(first, end);
    while (left_out_within(first, first + 1) > 0) ++first;
    while (left_out_within(end - 1, end) > 0) --end;
    part.first = records.time(first).end;
    part.last = records.time(end - 1).end;
    result.parts.push_back(std::move(part));
  }

  static std::string path_of(const File& file, const FileSeries& series, std::int64_t part) {
    const std::string path =
        path_of_part(series, path_with_period(file.path, file.attributes), part);
    // Which servers write it is not known here.
    const bool is_apart = file.attributes.type.value_or("one_file") == "multiple_file";
    return is_apart ? path_of_writer(path, "_*") : path;
  }

  /// Returns the part of a run that ends before the first record, but not before what is written
  /// once.
  PlannedPart part_without_record(const File& file) const {
    PlannedPart part;
    for (const StreamId index : file.streams) {
      const Stream& stream = model_.streams[index];
      if (is_once(stream))
        part.first = part.last = date_of_once(model_, unsampled_.schedule(index));
    }
    const FileSeries series = series_of(model_, file);
    part.path = path_of(file, series, series.part_of(part.first));
    return part;
  }

  void add_parts(const File& file, PlannedFile& result) {
    if (file.streams.empty()) return;
    const Records records(model_, file);
    const FileSeries series = series_of(model_, file);
    for (std::int64_t record = 0; record < result.records;) {
      if (series.is_split() && part_count_ == largest_part_count) {
        result.unlisted_records = result.records - record - left_out_within(record, result.records);
        return;
      }
      const std::int64_t number = series.part_of(records.time(record).end);
      const std::int64_t next = records.first_in(series, number + 1, result.records);
      if (left_out_within(record, next) < next - record) {
        if (series.is_split()) ++part_count_;
        PlannedPart part;
        part.path = path_of(file, series, number);
        add_part(records, record, next, std::move(part), result);
      }
      record = next;
    }
  }

  const Model& model_;
  Calendar calendar_;
  std::int64_t steps_;
  LeftOutRecords unsampled_;
  std::vector<std::int64_t> left_out_;  ///< records left out of the current file
  std::int64_t coordinate_bytes_ = 0;   ///< bytes of coordinates for one record of the current file
  std::vector<PlannedField> timed_;     ///< fields of that file that are not written once
  std::size_t part_count_ = 0;          ///< of all files so far
};

Diagnostic no_record(const Model& model, const File& file) {
  Diagnostic warning{Severity::warning, file.where, "file '" + file.id + "' has no record", {}, {}};
  warning.code = Code::no_record;
  if (leader_of(model, file) == nullptr) {
    const Instant sample = Records(model, file).time(0).end;
    warning.why = "the run ends before its first sample, that of " + model.calendar().text(sample);
    warning.suggestion = "Make the run longer or freq_op shorter.";
  } else if (file.attributes.output_dates) {
    warning.why =
        "no date of its output_dates '" + *file.attributes.output_dates + "' is in the run";
    warning.suggestion = "Write dates of the run.";
  } else {
    warning.why = "the run ends before its output_freq '" +
                  file.attributes.output_freq.value_or(Duration{}).text() + "' is over";
    warning.suggestion = "Make the run longer or output_freq shorter.";
  }
  return warning;
}

}  // namespace

std::vector<PlannedRecord> records_of(const Model& model, const File& file,
                                      const PlannedPart& part) {
  const Calendar calendar = model.calendar();
  const Records records(model, file);
  const TimeAxis axis = time_axis_of(model, file);
  const bool in_days = file.attributes.time_units.value_or("seconds") == "days";
  const TimeUnits units = in_days ? TimeUnits::days : TimeUnits::seconds;
  const Instant epoch = time_reference(calendar, model.time_origin, model.start_date).epoch;
  std::vector<PlannedRecord> result;
  auto skipped = part.left_out.begin();
  for (std::int64_t number = 0, of_run = part.first_record; number < part.records;
       ++number, ++of_run) {
    for (; skipped != part.left_out.end() && *skipped == of_run; ++skipped) ++of_run;
    PlannedRecord record;
    record.number = number;
    record.interval = records.time(of_run);
    if (has_times(axis)) {
      record.stamp = time_stamp(calendar, record.interval, axis.counter == CounterTime::centered,
                                epoch, units);
    }
    result.push_back(record);
  }
  return result;
}

std::vector<Diagnostic> short_files(const Model& model, const Plan& plan,
                                    std::span<const FileFacts> files) {
  std::vector<Diagnostic> warnings;
  for (MissingRecord& record : missing_records(model, plan.end, files)) {
    Diagnostic& warning = warnings.emplace_back();
    warning.severity = Severity::warning;
    warning.code = Code::bad_input_file;
    warning.where = model.read_fields[record.field].where;
    warning.problem = std::move(record.problem);
    warning.why = std::move(record.why);
    warning.suggestion = std::move(record.suggestion);
  }
  return warnings;
}

namespace {

/// Every value of a file that is read travels as a double.
void add_readings(const Model& model, std::int64_t buffer_bytes, Plan& plan) {
  PlannedAnswers& answers = plan.answers;
  for (const ReadFile& file : model.read_files) {
    PlannedReading& reading = plan.readings.emplace_back();
    reading.id = file.id;
    reading.path = file.path;
    for (const ReadFieldId number : file.fields) {
      const ReadField& field = model.read_fields[number];
      const std::int64_t bytes = saturated_product(read_points(model, field), sizeof(double));
      const bool is_once = field.reading.is_once;
      reading.fields.push_back(
          {field.name, bytes, is_once ? "once" : "every " + field.reading.period.text()});
      answers.largest_record_bytes = std::max(answers.largest_record_bytes, bytes);
    }
  }
  if (plan.readings.empty()) return;
  answers.records =
      records_read_ahead(answers.largest_record_bytes,
                         static_cast<std::int64_t>(model.read_fields.size()), buffer_bytes);
  answers.bytes = saturated_product(answers.records, answers.largest_record_bytes);
}

/// Records that are taken, or leave, from the start of the run to its end. `sent`: nullptr for a
/// field that is received.
std::int64_t exchanged_records(const Model& model, const CoupledField& field, const Schedule* sent,
                               const Plan& plan) {
  if (sent == nullptr) return receiving_dates(model, field).latest(plan.end) + 1;
  return sent->records_within(plan.steps) - sent->before_start().records;
}

void add_couplings(const Model& model, Plan& plan) {
  constexpr std::int64_t records_on_their_way = 2;
  std::vector<Schedule> schedules;
  if (!model.couplers.empty()) schedules = fed_schedules_of_sent(model);
  std::size_t sent = 0;
  for (const Coupler& coupler : model.couplers) {
    PlannedCoupling& out = plan.couplings.emplace_back();
    out.is_received = coupler.kind == ElementKind::coupler_in;
    out.partner = coupler.partner_code + "::" + coupler.partner_context;
    for (const CoupledField& field : coupler.fields) {
      const bool is_once = !has_time(field.sampling.operation);
      const std::int64_t points = field.grid < 0 ? 0 : model.points(field.grid).value_or(0);
      PlannedCoupling::Field& exchanged = out.fields.emplace_back();
      exchanged.id = field.id;
      exchanged.when = is_once ? "once" : "every " + field.sampling.output_freq.text();
      const Schedule* const schedule = out.is_received ? nullptr : &schedules[sent++];
      exchanged.records = is_once ? 1 : exchanged_records(model, field, schedule, plan);
      exchanged.record_bytes = saturated_product(points, sizeof(double));
      out.bytes =
          saturated_sum(out.bytes, saturated_product(exchanged.records, exchanged.record_bytes));
      out.channel_bytes = saturated_sum(
          out.channel_bytes, saturated_product(records_on_their_way, exchanged.record_bytes));
    }
  }
}

void add_transformations(const Model& model, Plan& plan) {
  PlannedTransformations& out = plan.transformations;
  std::array<std::int64_t, 2> arrays{};  // steps take from one and make the other, in turn
  const auto bytes_of = [&](GridId grid) {
    return saturated_product(model.points(grid).value_or(0), sizeof(double));
  };
  const auto continued = continued_streams(model);
  IndexedVector<StreamId, bool> is_continued(model.streams.size());
  for (const StreamId s : continued) {
    if (s >= 0) is_continued[s] = true;
  }
  std::int64_t kept = 0;  // records of coarser levels until they are written
  for (const StreamId s : model.streams.ids()) {
    const Stream& stream = model.streams[s];
    if (continued[s] >= 0) {
      kept = saturated_sum(kept, bytes_of(stream.grid));
      continue;
    }
    const std::vector<ExpressionId> steps = steps_on_servers(model, stream);
    if (steps.empty() && !is_continued[s]) continue;
    const File& file = model.files[stream.file];
    out.fields.push_back({file.id, stream.name, bytes_of(grid_on_wire(model, stream))});
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const auto& expression = model.expressions[steps[k]];
      std::int64_t& array = arrays.at(k % 2);
      array = std::max(array, bytes_of(spatial_step(model, expression)->from));
    }
  }
  out.array_bytes = saturated_sum(kept, saturated_sum(arrays[0], arrays[1]));
}

}  // namespace

Plan plan(const Model& model, const Duration& duration, std::int64_t buffer_bytes) {
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
    result.bytes = saturated_sum(result.bytes, result.files.back().bytes);
    const PlannedFile& planned = result.files.back();
    const bool is_left_out = planned.left_out > 0 && !file.attributes.output_dates;
    if (planned.records == 0 && !is_left_out && !file.streams.empty()) {
      result.warnings.push_back(no_record(model, file));
    }
  }
  add_readings(model, buffer_bytes, result);
  add_transformations(model, result);
  add_couplings(model, result);
  return result;
}

}  // namespace epios::config
