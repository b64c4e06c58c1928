// Describes the temporal operations of a Model so that those of two runs can be compared without
// ids: by hashes of the steps and views that lead to each. It also finds streams whose records are
// due at different dates.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/data_graph.hpp"
#include "config/error.hpp"
#include "config/fed_schedules.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "config/spatial.hpp"
#include "config/statistics.hpp"
#include "config/transformation_traits.hpp"
#include "config/value_print.hpp"
#include "restart/statistics_format.hpp"

namespace epios::config {

namespace {

/// "362 x 292 x 75", first dimension fastest.
std::string shape_text(const Model& model, GridId grid) {
  std::string text;
  const auto add = [&text](const std::optional<std::int64_t>& size) {
    text += fmt::format("{}{}", text.empty() ? "" : " x ", size.value_or(0));
  };
  for (const GridElement& element : model.grids[grid].elements) {
    if (element.kind == GridElement::Kind::axis) add(model.axes[element.axis()].attributes.n_glo);
    if (element.kind != GridElement::Kind::domain) continue;
    add(model.domains[element.domain()].attributes.ni_glo);
    add(model.domains[element.domain()].attributes.nj_glo);
  }
  return text.empty() ? "one point" : text;
}

std::string climatology_text(const OutputDates& dates) {
  return fmt::format("{} periods within cycles of {}", dates.cycle_periods,
                     dates.climatology_freq.text());
}

/// Returns the dates of output; many by a hash. Empty if records are those of output_freq.
std::string dates_text(const Calendar& calendar, const OutputDates& dates) {
  constexpr std::size_t most = 8;
  std::vector<std::string> items;
  for (const Instant end : dates.ends) items.push_back(calendar.text(end));
  for (const DateWindow& window : dates.windows) {
    // An open end is no date of the calendar.
    items.push_back(fmt::format("{}..{}", window.first.ms, window.last.ms));
  }
  if (dates.has_initial) items.push_back("initial");
  if (dates.has_anchor) items.push_back(fmt::format("anchor {}", dates.anchor.ms));
  if (dates.is_climatology()) items.push_back(climatology_text(dates));
  if (items.size() <= most) return fmt::format("{}", fmt::join(items, ", "));
  Hash hash;
  for (const std::string& item : items) hash.add(item);
  return fmt::format("{}..{}, {:016x}", items.front(), items.back(), hash.value());
}

void add_sampling(Hash& hash, const DataNode& node, const Calendar& calendar) {
  const Sampling& s = node.sampling;
  hash.add(name(s.operation));
  for (const Duration& d : {s.freq_op, s.freq_offset, s.output_freq}) {
    hash.add(calendar.normal(d).text());
  }
  hash.add(static_cast<std::uint64_t>(node.ignores_missing));
  if (const std::string dates = dates_text(calendar, s.dates); !dates.empty()) hash.add(dates);
  if (s.is_weighted) hash.add("weighted");
}

/// Adds a transformation and its result.
void add_step(Hash& hash, const Model& model, const SpatialStep& step) {
  hash.add(name(step.transformation->kind)).add(static_cast<std::uint64_t>(step.position));
  for (const Property& property : step.transformation->attributes) {
    hash.add(property.name).add(printed(property.value));
  }
  hash.add(shape_text(model, step.to));
}

/// Per grid what says which points of which other grid its own are, if they are: no node does.
IndexedVector<GridId, std::uint64_t> hashes_of_views(const Model& model) {
  IndexedVector<GridId, std::uint64_t> out(model.grids.size());
  for (const FieldExpression& expression : model.expressions) {
    const auto step = spatial_step(model, expression);
    if (!step || !is_view(step->transformation->kind)) continue;
    Hash hash;
    hash.add(out[step->from]);
    add_step(hash, model, *step);
    out[step->to] = hash.value();
  }
  return out;
}

bool flag(const SpatialStep& step, std::string_view attribute) {
  return flag_of(*step.transformation, attribute);
}

/// Returns true if the step combines copies of a point on several clients.
bool reduces_copies(const SpatialStep& step) {
  return traits_of(step.transformation->kind).work == TransformationWork::combination;
}

/// Operations whose values are another one on each client that has a point have no place in a file
/// that has one value per point.
class OwnValues {
 public:
  OwnValues(const Model& model, const DataGraph& graph)
      : model_(model), graph_(graph), behind_(graph.nodes.size()), before_(graph.nodes.size()) {
    for (const DataNodeId n : graph.nodes.ids()) {
      const auto step = step_of(n);
      for (const DataNodeId argument : graph.nodes[n].arguments) {
        const auto& earlier = behind_[argument];
        if (!earlier.empty() && !(step && reduces_copies(*step))) behind_[n] = earlier;
      }
      if (step && flag(*step, "local")) behind_[n] = tag(*step);
    }
    for (DataNodeId n = graph.nodes.last_id(); n >= 0; n = DataNodeId(n - 1)) {
      const auto step = step_of(n);
      for (const DataNodeId argument : graph.nodes[n].arguments) {
        std::string& earlier = before_[argument];
        if (step && reduces_copies(*step)) earlier = tag(*step);
        if (!step && !before_[n].empty()) earlier = before_[n];
      }
    }
  }
  /// Why the values of a node may be such; empty: they are not.
  std::string why(DataNodeId node) const {
    if (!behind_[node].empty()) {
      return fmt::format("they come from {} with local=\"true\"", behind_[node]);
    }
    return before_[node].empty()
               ? ""
               : fmt::format("{} puts those of all clients together", before_[node]);
  }

 private:
  std::optional<SpatialStep> step_of(DataNodeId node) const {
    const ExpressionId expression = graph_.nodes[node].expression;
    if (graph_.nodes[node].kind != DataNode::Kind::spatial) return std::nullopt;
    return spatial_step(model_, model_.expressions[expression]);
  }
  static std::string tag(const SpatialStep& step) {
    return fmt::format("<{}>", name(step.transformation->kind));
  }

  const Model& model_;
  const DataGraph& graph_;
  IndexedVector<DataNodeId, std::string> behind_;  ///< the step that makes its values such
  IndexedVector<DataNodeId, std::string> before_;  ///< the step that needs them such
};

/// Per node a number that is the same for equal data, whatever the ids of fields, files and grids
/// around it.
IndexedVector<DataNodeId, std::uint64_t> hashes_of(const Model& model, const DataGraph& graph) {
  const Calendar calendar = model.calendar();
  const IndexedVector<GridId, std::uint64_t> views = hashes_of_views(model);
  IndexedVector<DataNodeId, std::uint64_t> out;
  for (const DataNode& node : graph.nodes) {
    Hash hash;
    hash.add(static_cast<std::uint64_t>(node.kind));
    if (node.kind == DataNode::Kind::number) hash.add(node.number);
    if (node.kind == DataNode::Kind::arithmetic) hash.add(name(node.op));
    if (node.kind == DataNode::Kind::temporal) add_sampling(hash, node, calendar);
    if (node.kind == DataNode::Kind::source) {
      const Source& source = model.sources[node.source];
      hash.add(source.id).add(shape_text(model, source.grid));
      if (source.detect_missing_value) hash.add(source.default_value);
    }
    if (node.kind == DataNode::Kind::spatial) {
      const auto& expression = model.expressions[node.expression];
      if (const auto step = spatial_step(model, expression)) add_step(hash, model, *step);
    }
    // An argument may be on a view of the grid that its node is on.
    if (node.grid >= 0 && node.kind != DataNode::Kind::source) {
      const std::uint64_t view = views[node.grid];
      if (view != 0) hash.add(view);
    }
    for (const DataNodeId argument : node.arguments) hash.add(out[argument]);
    out.push_back(hash.value());
  }
  return out;
}

/// Returns the first user of each temporal node: a stream, or else a result (numbered behind the
/// streams), or else a field for a partner (numbered behind those).
IndexedVector<DataNodeId, int> first_streams(const DataGraph& graph) {
  IndexedVector<DataNodeId, int> out(graph.nodes.size(), -1);
  std::vector<DataNodeId> open;
  std::vector<DataNodeId> ends = graph.of_stream.items();
  ends.insert(ends.end(), graph.of_result.begin(), graph.of_result.end());
  ends.insert(ends.end(), graph.of_sent.begin(), graph.of_sent.end());
  for (std::size_t s = 0; s < ends.size(); ++s) {
    open.assign(1, ends[s]);
    while (!open.empty()) {
      const DataNodeId n = open.back();
      open.pop_back();
      if (out[n] >= 0) continue;
      out[n] = static_cast<int>(s);
      const std::vector<DataNodeId>& arguments = graph.nodes[n].arguments;
      open.insert(open.end(), arguments.begin(), arguments.end());
    }
  }
  return out;
}

/// Dates of results of others may be alike for one record and not for another: so many are
/// compared.
constexpr std::int64_t many_records = 24;

bool has_same_dates(const Schedule& a, const Schedule& b) {
  for (std::int64_t record = 0; record < many_records; ++record) {
    if (!(a.due_date(record) == b.due_date(record))) return false;
  }
  return true;
}

/// Returns true if node `n` directly makes its user `first` of first_streams().
bool is_own_node(const DataGraph& graph, std::size_t first, DataNodeId n) {
  const std::size_t sent = graph.of_stream.size() + graph.of_result.size();
  const bool is_result = first >= graph.of_stream.size() && first < sent;
  if (is_result) return false;
  return n == (first < sent ? graph.of_stream.items()[first] : graph.of_sent[first - sent]);
}

/// Values wait where they were made until the last record of their number is due.
void refuse_far_dates(const Model& model, const std::vector<Schedule>& schedules,
                      const std::vector<StreamId>& group) {
  const auto stream_of = [&](StreamId s) -> const Stream& { return model.streams[s]; };
  for (std::int64_t record = 1; record < many_records; ++record) {
    const auto due = [&](StreamId s) { return nth(schedules, s).due_date(record); };
    const StreamId last = *std::max_element(
        group.begin(), group.end(), [&](StreamId a, StreamId b) { return due(a) < due(b); });
    for (const StreamId s : group) {
      const Schedule& own = nth(schedules, s);
      if (due(s) == due(last) || !own.has_data(record)) continue;
      if (own.next_sample({due(s).ms + 1}) >= due(last)) continue;
      const Stream& stream = stream_of(s);
      throw Error(
          ErrorCode::configuration,
          fmt::format("{}: error: field '{}' of file '{}' cannot be kept in statistics_file (its "
                      "freq_offset '{}' is more than a freq_op before '{}' of field '{}', so that "
                      "its next sample comes before their records are whole). Bring them nearer, "
                      "or write one of them to another file?",
                      stream.where, stream.name, model.files[stream.file].id,
                      stream.sampling.freq_offset.text(),
                      stream_of(last).sampling.freq_offset.text(), stream_of(last).name));
    }
  }
}

/// For what an operation is worked out: `first` of first_streams().
void name_field(const Model& model, std::size_t first, bool is_own, KeptOperation& made) {
  const char* const what = is_own ? "" : "the expression of ";
  const std::size_t streams = model.streams.size();
  if (first >= streams + model.results.size()) {
    const auto sent = coupled_fields(model, ElementKind::coupler_out);
    const CoupledField& field = *sent.at(first - streams - model.results.size());
    made.field = fmt::format("{}field '{}' of a coupler_out", what, field.id);
    made.where = field.where;
    return;
  }
  const bool is_result = first >= streams;
  const Stream& stream =
      is_result ? model.results.items()[first - streams] : model.streams.items()[first];
  made.field = fmt::format("{}field '{}'{}", what, stream.name,
                           is_result || model.files.empty()
                               ? std::string()
                               : fmt::format(" of file '{}'", model.files[stream.file].id));
  made.where = stream.where;
}

/// Repeats the last operation for all records that it has samples of at a time.
void add_slots(std::vector<KeptOperation>& operations) {
  const std::int64_t count = records_at_a_time(operations.back().sampling);
  if (count == 1) return;
  operations.back().description.emplace("period", fmt::format("1 of {}", count));
  for (std::int64_t slot = 1; slot < count; ++slot) {
    KeptOperation next = operations.back();
    next.slot = slot;
    next.description["period"] = fmt::format("{} of {}", slot + 1, count);
    operations.push_back(std::move(next));
  }
}

}  // namespace

std::vector<std::vector<StreamId>> streams_of_different_dates(
    const Model& model, const std::vector<Schedule>& schedules) {
  std::vector<std::vector<StreamId>> out;
  for (const File& file : model.files) {
    std::vector<StreamId> streams;
    for (const StreamId s : file.streams) {
      if (has_time(nth(schedules, s).operation())) streams.push_back(s);
    }
    const bool are_equal = std::all_of(streams.begin(), streams.end(), [&](StreamId s) {
      return has_same_dates(nth(schedules, s), nth(schedules, streams.front()));
    });
    if (!are_equal) out.push_back(std::move(streams));
  }
  return out;
}

std::vector<KeptOperation> kept_operations(const Model& model) {
  const Calendar calendar = model.calendar();
  const DataGraph graph = data_graph(model);
  const IndexedVector<DataNodeId, std::uint64_t> hashes = hashes_of(model, graph);
  const IndexedVector<GridId, std::uint64_t> views = hashes_of_views(model);
  const OwnValues own_values(model, graph);
  const IndexedVector<DataNodeId, int> streams = first_streams(graph);
  IndexedVector<DataNodeId, bool> may_wait(graph.nodes.size());
  const std::vector<Schedule> schedules = fed_schedules_of_streams(model);
  for (const std::vector<StreamId>& group : streams_of_different_dates(model, schedules)) {
    refuse_far_dates(model, schedules, group);
    for (const StreamId s : group) {
      may_wait[graph.of_stream[s]] = true;
    }
  }
  std::vector<KeptOperation> out;
  for (const DataNodeId n : IdRange(graph.first_of_results)) {
    const DataNode& node = graph.nodes[n];
    if (node.kind != DataNode::Kind::temporal) continue;
    // Operations of expressions that nobody needs are in no Model.
    const auto first = static_cast<std::size_t>(std::max(streams[n], 0));
    const Sampling& s = node.sampling;
    KeptOperation& made = out.emplace_back();
    name_field(model, first, is_own_node(graph, first, n), made);
    if (const std::string why = own_values.why(n); !why.empty()) {
      throw Error(
          ErrorCode::configuration,
          fmt::format("{}: error: {}: its values may be others on each client ({}), of which "
                      "statistics_file keeps one per point. Remove statistics_file, or the "
                      "operation over time?",
                      made.where, made.field, why));
    }
    made.grid = node.grid;
    made.sampling = s;
    const bool is_sum = s.operation == Operation::average || s.operation == Operation::accumulate;
    const bool is_each = s.operation == Operation::instant && is_each_sample(calendar, s);
    made.has_values = !is_each || may_wait[n];
    made.has_counts = is_sum && node.ignores_missing;
    made.description = {
        {"field", made.field},
        {"operation", std::string(name(s.operation))},
        {"freq_op", s.freq_op.text()},
        {"freq_offset", s.freq_offset.text()},
        {"output_freq", s.output_freq.text()},
        {"detect_missing_value", node.ignores_missing ? "true" : "false"},
        {"points", shape_text(model, node.grid)},
        {"data", fmt::format("{:016x}", views[node.grid] ^ hashes[node.arguments.front()])}};
    // Files of runs before these attributes existed have no word about them.
    if (const std::string dates = dates_text(calendar, s.dates); !dates.empty()) {
      made.description.emplace("output_dates", dates);
    }
    if (s.is_weighted) made.description.emplace("weight", "time");
    add_slots(out);
  }
  return out;
}

}  // namespace epios::config
