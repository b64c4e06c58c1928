// Adds the file that keeps the state of temporal operations to a Model, and turns the Model of a
// run into that of a continued one. The layout of that file is in statistics_format.hpp.
#include "config/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "config/data_graph.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "config/split_rule.hpp"
#include "language/attribute_fill.hpp"
#include "restart/statistics_format.hpp"

namespace epios::config {

namespace {

std::string joined(const std::map<std::string, std::string>& description) {
  std::string text;
  for (const auto& [key, value] : description) {
    text += fmt::format("{}{}={}", text.empty() ? "" : "; ", key, value);
  }
  return text;
}
Variable text_attribute(std::string name, std::string text) {
  Variable out;
  out.id = name;
  out.name = std::move(name);
  out.attributes.type = "string";
  out.text = std::move(text);
  return out;
}

/// Adds what is sent once, and its variable.
SourceId add_array(Model& model, File& file, const std::string& name, GridId grid) {
  Source source;
  source.id = fmt::format("{} of statistics", name);
  source.grid = grid;
  const SourceId number = model.sources.push_back(source);
  Stream stream;
  stream.id = name;
  stream.name = name;
  stream.file = model.statistics_file;
  stream.source = number;
  stream.grid = grid;
  stream.attributes = filled<FieldAttributes>(Resolved(ElementKind::field));
  stream.attributes.prec = 8;
  stream.attributes.operation = "once";
  stream.sampling.operation = Operation::once;
  stream.sampling.freq_op.timestep = 1;
  stream.sampling.freq_offset.timestep = -1;  // from the start on
  stream.sampling.output_freq.timestep = 1'000'000;
  stream.where = file.where;
  file.streams.push_back(model.streams.push_back(std::move(stream)));
  return number;
}

}  // namespace

std::string attribute_of_operation(std::size_t operation) {
  return fmt::format("operation_{}", operation);
}

std::string calendar_text(const Model& model) {
  std::string text(cf_name(model.calendar_type));
  if (model.calendar_type != CalendarType::user_defined) return text;
  const UserCalendar& user = model.user_calendar;
  return text + fmt::format(" {} {} {} {} {} {} {}", user.day_length_s,
                            fmt::join(user.month_lengths, ","), user.year_length_s, user.leap_month,
                            user.leap_drift, user.leap_drift_offset, user.origin_year);
}
double path_number(std::string_view path) {
  return static_cast<double>(Hash().add(path).value() >> 12);
}
std::string values_variable(std::size_t operation) { return fmt::format("values_{}", operation); }
std::string counts_variable(std::size_t operation) { return fmt::format("counts_{}", operation); }
std::vector<double> numbers_of(const RunState& state) {
  std::vector<double> out;
  const auto add = [&out](std::int64_t number) { out.push_back(static_cast<double>(number)); };
  add(state.start_date.ms);
  add(state.time_origin.ms);
  add(state.steps);
  add(state.announced_steps);
  add(static_cast<std::int64_t>(state.operations.size()));
  for (const OperationState& operation : state.operations) {
    add(operation.counters.samples);
    add(operation.counters.records);
    add(operation.samples);
    add(operation.misses_some ? 1 : 0);
    add(operation.held_samples);
    add(operation.held_at.ms);
  }
  for (const std::string& path : state.paths) out.push_back(path_number(path));
  return out;
}
void go_on(Model& model, const std::vector<KeptOperation>& kept, const RunState& state) {
  model.start_date = state.start_date;
  model.time_origin = state.time_origin;
  model.steps_before = state.steps;
  const DataGraph graph = data_graph(model);
  IndexedVector<DataNodeId, std::int64_t> number_of_node(graph.nodes.size(), 0);
  std::int64_t number = 0;
  for (const DataNodeId n : graph.nodes.ids()) {
    if (graph.nodes[n].kind != DataNode::Kind::temporal) continue;
    number_of_node[n] = number;
    number += records_at_a_time(graph.nodes[n].sampling);
  }
  for (File& file : model.files) {
    std::optional<std::int64_t> first;
    for (const StreamId s : file.streams) {
      const std::int64_t k = number_of_node[graph.of_stream[s]];
      if (!has_time(nth(kept, k).sampling.operation)) continue;
      // Behind it, the dates of output leave records out.
      const std::int64_t records = model.record_times(model.streams[s])
                                       .first_wanted(nth(state.operations, k).counters.records);
      first = std::min(first.value_or(records), records);
    }
    file.first_record = first.value_or(0);
  }
}

StatisticsSources add_statistics_file(Model& model, const std::vector<KeptOperation>& kept) {
  RunState sample;
  sample.operations.resize(kept.size());
  sample.paths.resize(model.files.size());
  Axis axis;
  axis.id = axis.name = "numbers_of_statistics";
  axis.attributes = filled<AxisAttributes>(Resolved(ElementKind::axis));
  axis.attributes.n_glo = static_cast<std::int64_t>(numbers_of(sample).size());
  model.axes.push_back(std::move(axis));
  Grid grid;
  grid.id = "numbers_of_statistics";
  grid.elements = {{GridElement::Kind::axis, model.axes.last_id()}};
  model.grids.push_back(std::move(grid));

  model.kept_operations =
      static_cast<int>(std::count_if(kept.begin(), kept.end(), [](const KeptOperation& operation) {
        return operation.slot == 0;
      }));
  model.statistics_file = model.files.end_id();
  File file;
  file.id = "statistics";
  file.path = model.statistics.path;
  file.where = model.statistics.where;
  file.attributes = filled<FileAttributes>(Resolved(ElementKind::file));
  file.attributes.output_freq = Duration{0, 0, 0, 0, 0, 0, 1'000'000};
  file.variables = {text_attribute("statistics_format", std::string(statistics_format)),
                    text_attribute("context", model.context_id),
                    text_attribute("calendar", calendar_text(model)),
                    text_attribute("timestep", model.timestep.text())};
  for (std::size_t k = 0; k < kept.size(); ++k) {
    file.variables.push_back(
        text_attribute(attribute_of_operation(k), joined(kept[k].description)));
  }
  StatisticsSources out;
  out.numbers = add_array(model, file, std::string(numbers_variable), model.grids.last_id());
  for (std::size_t k = 0; k < kept.size(); ++k) {
    out.values.push_back(
        kept[k].has_values ? add_array(model, file, values_variable(k), kept[k].grid) : SourceId());
    out.counts.push_back(
        kept[k].has_counts ? add_array(model, file, counts_variable(k), kept[k].grid) : SourceId());
  }
  model.files.push_back(std::move(file));
  return out;
}

std::vector<std::string> paths_at(const Model& model, Instant date, bool is_next) {
  std::vector<std::string> out;
  for (const FileId f : model.files.ids()) {
    if (f == model.statistics_file) continue;
    const File& file = model.files[f];
    const FileSeries series = series_of(model, file);
    const std::int64_t part = series.part_of({date.ms + (is_next ? 1 : 0)});
    out.push_back(path_of_part(series, file.path, part));
  }
  return out;
}

}  // namespace epios::config
