// From config's graph of data to leaves, roots, filters and sinks with numbers: leaves first, then
// filters and spatial filters with the roots that they take, sinks, the program; at the end arrays
// of operands are matched with each other (place by place, or point by point) and everything that
// the time loop needs is allocated.
#include "workflow_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "config/error.hpp"
#include "config/fed_schedules.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "config/spatial.hpp"

namespace epios::io {

namespace {

using Kind = config::DataNode::Kind;

void check_grid(const config::Model& model, const config::Stream& stream) {
  const bool is_sent = stream.source >= 0;
  const config::GridId data_grid =
      is_sent ? model.sources[stream.source].grid : model.expressions[stream.expression].grid;
  if (stream.grid == data_grid) return;
  const auto& grid = model.grids[stream.grid];
  const auto& before = model.grids[data_grid];
  if (grid.elements == before.elements) return;
  throw Error(ErrorCode::configuration,
              fmt::format("field '{}' is on grid '{}', its data '{}' on grid '{}' (nothing "
                          "makes one of the other). Write it on the grid of its data?",
                          stream.id, grid.id,
                          is_sent ? model.sources[stream.source].id
                                  : model.expressions[stream.expression].id,
                          before.id));
}

/// How many operations that have results lie on the way to a node, at most.
std::size_t depth_of(const config::DataGraph& graph) {
  IndexedVector<config::DataNodeId, std::size_t> depths;
  std::size_t largest = 0;
  for (const config::DataNode& node : graph.nodes) {
    std::size_t depth = 0;
    for (const config::DataNodeId argument : node.arguments) {
      depth = std::max(depth, depths[argument]);
    }
    depths.push_back(depth + (node.kind == Kind::temporal ? 1 : 0));
    if (node.kind == Kind::spatial) ++depths.back();
    largest = std::max(largest, depths.back());
  }
  return largest;
}

/// Elements that show points of the array of another one, and that one.
class Windows {
 public:
  explicit Windows(const config::Model& model) : model_(model) {
    for (const config::FieldExpression& expression : model.expressions) {
      const auto step = config::spatial_step(model, expression);
      if (!step || !config::is_view(step->transformation->kind)) continue;
      sources_.try_emplace(key(step->target), step->source);
    }
  }

  /// Whether the array of `grid` is that of `other`, of which it shows points.
  bool is_of_array(config::GridId grid, config::GridId other) const {
    const auto& elements = model_.grids[grid].elements;
    const auto& others = model_.grids[other].elements;
    return std::equal(elements.begin(), elements.end(), others.begin(), others.end(),
                      [this](auto element, const auto& wanted) {
                        for (auto at = sources_.find(key(element));
                             !(element == wanted) && at != sources_.end();
                             at = sources_.find(key(element))) {
                          element = at->second;
                        }
                        return element == wanted;
                      });
  }

 private:
  using Key = std::pair<config::GridElement::Kind, int>;
  static Key key(const config::GridElement& element) { return {element.kind, element.index}; }

  const config::Model& model_;
  std::map<Key, config::GridElement> sources_;
};

class GraphBuilder {
 public:
  GraphBuilder(const config::Model& model, const LocalParts& parts)
      : model_(model), parts_(parts), data_(config::data_graph(model)), windows_(model) {}

  WorkflowGraph make(const Workflow::MakeSink& make_sink,
                     const Workflow::MakeSink& make_result_sink,
                     const Workflow::MakeSpatial& make_spatial,
                     const Workflow::MakeSink& make_coupled_sink);

 private:
  void check_operands() const;
  void make_leaves();
  std::vector<int> leaves_of(config::DataNodeId node) const;
  int root_of(config::DataNodeId node, config::GridId grid);
  int add_root(config::DataNodeId node, config::GridId grid);
  void make_filters();
  void add_inputs(const config::DataNode& node, Spatial& spatial, int number);
  void make_spatials(const Workflow::MakeSpatial& make_spatial);
  void add_sinks(std::span<const config::DataNodeId> nodes, const Workflow::MakeSink& make_sink);
  void note_takers();
  void make_program();
  void leave_to_takers();
  void fit_layouts();
  void match_points(Leaf& leaf, Root& root);
  void fit_operand(std::size_t operand, Root& root);
  const std::uint64_t* places_of(config::GridId grid, config::GridId other);
  void make_room();

  const config::Model& model_;
  const LocalParts& parts_;
  const config::DataGraph data_;
  WorkflowGraph graph_;
  std::map<std::pair<config::DataNodeId, config::GridId>, int> known_roots_;
  std::vector<config::DataNodeId> root_nodes_;  ///< per root
  const Windows windows_;
  IndexedVector<config::DataNodeId, int> leaf_of_node_;    ///< -1: none
  IndexedVector<config::DataNodeId, int> filter_of_node_;  ///< -1: none
};

WorkflowGraph GraphBuilder::make(const Workflow::MakeSink& make_sink,
                                 const Workflow::MakeSink& make_result_sink,
                                 const Workflow::MakeSpatial& make_spatial,
                                 const Workflow::MakeSink& make_coupled_sink) {
  graph_.stream_count = model_.streams.size();
  for (const config::Stream& stream : model_.streams) check_grid(model_, stream);
  for (const config::Stream& result : model_.results) check_grid(model_, result);
  for (std::size_t grid = 0; grid < model_.grids.size(); ++grid) {
    graph_.layouts.emplace_back(model_, parts_, static_cast<int>(grid));
  }
  check_operands();
  make_leaves();
  make_filters();
  make_spatials(make_spatial);
  for (std::size_t stream = 0; stream < model_.streams.size(); ++stream) {
    graph_.sinks.push_back(make_sink(static_cast<int>(stream)));
  }
  if (make_result_sink) add_sinks(data_.of_result, make_result_sink);
  graph_.first_sent = graph_.sinks.size();
  if (make_coupled_sink) add_sinks(data_.of_sent, make_coupled_sink);
  make_program();
  leave_to_takers();
  note_takers();
  fit_layouts();
  make_room();
  graph_.depth = depth_of(data_);
  return std::move(graph_);
}

/// Adds the sinks of what goes to no file.
void GraphBuilder::add_sinks(std::span<const config::DataNodeId> nodes,
                             const Workflow::MakeSink& make_sink) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    graph_.sinks.push_back(make_sink(static_cast<int>(i)));
    graph_.filters_of_streams.push_back(filter_of_node_[nodes[i]]);
    graph_.filter(graph_.filters_of_streams.back())
        .streams.push_back(static_cast<int>(graph_.sinks.size()) - 1);
  }
}

void GraphBuilder::make_leaves() {
  leaf_of_node_.assign(data_.nodes.size(), -1);
  const auto add = [&](config::DataNodeId node) {
    leaf_of_node_[node] = static_cast<int>(graph_.leaves.size());
    Leaf& leaf = graph_.leaves.emplace_back();
    leaf.node = node;
    leaf.grid = data_.nodes[node].grid;
    leaf.values.marker = std::numeric_limits<double>::quiet_NaN();
    return &leaf;
  };
  for (const config::SourceId i : model_.sources.ids()) {
    Leaf* const leaf = add(data_.of_source[i]);
    if (model_.sources[i].detect_missing_value) leaf->marker = model_.sources[i].default_value;
    leaf->is_read = !config::is_sent_by_model(model_, i);
  }
  // Results that arithmetic, or another operation, takes.
  for (const config::DataNode& node : data_.nodes) {
    for (const config::DataNodeId argument : node.arguments) {
      const Kind kind = data_.nodes[argument].kind;
      const bool is_made = kind == Kind::temporal || kind == Kind::spatial;
      if (is_made && leaf_of_node_[argument] < 0) add(argument);
    }
  }
}

std::vector<int> GraphBuilder::leaves_of(config::DataNodeId node) const {
  std::vector<int> leaves;
  std::vector<config::DataNodeId> open{node};
  IndexedVector<config::DataNodeId, std::uint8_t> is_seen(data_.nodes.size(), 0);
  while (!open.empty()) {
    const config::DataNodeId n = open.back();
    open.pop_back();
    if (std::exchange(is_seen[n], std::uint8_t{1}) != 0) continue;
    if (leaf_of_node_[n] >= 0) {
      leaves.push_back(leaf_of_node_[n]);
      continue;
    }
    const std::vector<config::DataNodeId>& arguments = data_.nodes[n].arguments;
    open.insert(open.end(), arguments.begin(), arguments.end());
  }
  std::sort(leaves.begin(), leaves.end());
  return leaves;
}

int GraphBuilder::root_of(config::DataNodeId node, config::GridId grid) {
  const auto [found, is_new] =
      known_roots_.try_emplace({node, grid}, static_cast<int>(graph_.roots.size()));
  if (!is_new) return found->second;
  const int number = add_root(node, grid);
  for (const int leaf : graph_.roots.back().leaves) graph_.leaf(leaf).roots.push_back(number);
  return number;
}

int GraphBuilder::add_root(config::DataNodeId node, config::GridId grid) {
  root_nodes_.push_back(node);
  Root& root = graph_.roots.emplace_back();
  root.grid = grid;
  const Kind kind = data_.nodes[node].kind;
  root.is_source = kind == Kind::source || kind == Kind::spatial;
  root.operands = leaves_of(node);
  root.leaves = root.operands;
  return static_cast<int>(graph_.roots.size()) - 1;
}

/// Makes each of several inputs wait for the leaves of all of them, so that they come together.
void GraphBuilder::add_inputs(const config::DataNode& node, Spatial& spatial, int number) {
  const config::FieldExpression& step = model_.expressions[node.expression];
  std::vector<int> all;
  for (std::size_t k = 0; k < node.arguments.size(); ++k) {
    const config::FieldExpressionNode& data = nth(step.nodes, k);
    const config::GridId grid = data.source >= 0 ? model_.sources[data.source].grid
                                                 : model_.expressions[data.expression].grid;
    const int root = add_root(node.arguments[k], grid);
    spatial.inputs.push_back({root});
    graph_.root(root).spatials.push_back(number);
    graph_.root(root).is_alone = true;
    const std::vector<int>& operands = graph_.root(root).operands;
    all.insert(all.end(), operands.begin(), operands.end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (const Spatial::Input& input : spatial.inputs) {
    graph_.root(input.root).leaves = all;
    for (const int leaf : all) graph_.leaf(leaf).roots.push_back(input.root);
  }
}

void GraphBuilder::make_filters() {
  filter_of_node_.assign(data_.nodes.size(), -1);
  const config::FedSchedules schedules(model_, data_);
  for (const config::DataNodeId n : data_.nodes.ids()) {
    const config::DataNode& node = data_.nodes[n];
    if (node.kind != Kind::temporal) continue;
    const int number = static_cast<int>(graph_.filters.size());
    filter_of_node_[n] = number;
    const config::Calendar calendar = model_.calendar();
    const config::Sampling& sampling = node.sampling;
    const Filter::Kind kind{node.ignores_missing, config::is_each_sample(calendar, sampling),
                            number < model_.kept_operations, schedules.takes_what_comes(n),
                            config::records_at_a_time(sampling)};
    graph_.filters.emplace_back(schedules.of(n), sampling.operation, graph_.layout(node.grid),
                                kind);
    for (std::int64_t slot = 0; slot < kind.records; ++slot) {
      graph_.kept_states.push_back({number, slot});
    }
    graph_.filters.back().leaf = leaf_of_node_[n];
    if (leaf_of_node_[n] >= 0) graph_.leaf(leaf_of_node_[n]).filter = number;
    const int root = root_of(node.arguments.front(), node.grid);
    graph_.root(root).filters.push_back(number);
    graph_.roots_of_filters.push_back(root);
  }
  for (const config::StreamId stream : model_.streams.ids()) {
    const int filter = filter_of_node_[data_.of_stream[stream]];
    graph_.filters_of_streams.push_back(filter);
    graph_.filter(filter).streams.push_back(stream);
    if (model_.kept_operations == 0) continue;
    graph_.schedules_of_streams.push_back(schedules.of(data_.of_stream[stream]));
  }
}

/// Makes spatial filters of those steps whose result has a taker.
void GraphBuilder::make_spatials(const Workflow::MakeSpatial& make_spatial) {
  for (const config::DataNodeId n : data_.nodes.ids()) {
    const config::DataNode& node = data_.nodes[n];
    if (node.kind != Kind::spatial || leaf_of_node_[n] < 0) continue;
    const auto step = config::spatial_step(model_, model_.expressions[node.expression]);
    if (!step || !make_spatial) {
      throw Error(ErrorCode::internal, "nobody works out what a transformation makes");
    }
    const int number = static_cast<int>(graph_.spatials.size());
    Spatial& spatial = graph_.spatials.emplace_back();
    spatial.filter = make_spatial(node.expression);
    spatial.leaf = leaf_of_node_[n];
    graph_.leaf(spatial.leaf).spatial = number;
    if (node.arguments.size() > 1) {
      add_inputs(node, spatial, number);
    } else {
      const int root = root_of(node.arguments.front(), step->from);
      spatial.inputs.push_back({root});
      graph_.root(root).spatials.push_back(number);
    }
    spatial.arrays.resize(spatial.inputs.size());
  }
}

void GraphBuilder::make_program() {
  std::vector<config::DataNodeId> results;
  IndexedVector<config::DataNodeId, int> result_of_node(data_.nodes.size(), -1);
  for (std::size_t r = 0; r < graph_.roots.size(); ++r) {
    int& result = result_of_node[root_nodes_[r]];
    if (result < 0) {
      result = static_cast<int>(results.size());
      results.push_back(root_nodes_[r]);
    }
    graph_.roots[r].result = result;
  }
  graph_.program = std::make_unique<Program>(data_, results);
}

/// Leaves arithmetic that is one record, and nothing that others need, to the sink.
void GraphBuilder::leave_to_takers() {
  for (Root& root : graph_.roots) {
    if (root.is_source || root.filters.size() != 1 || !root.spatials.empty() ||
        !graph_.program->is_alone(root.result))
      continue;
    const Filter& filter = graph_.filter(root.filters.front());
    root.may_be_left_to_taker =
        filter.streams.size() == 1 && graph_.sink(filter.streams.front()).works_out();
  }
}

/// Refuses operands that meet neither place by place, in arrays of one size, nor point by point.
void GraphBuilder::check_operands() const {
  const auto refuse = [&](config::GridId grid, config::GridId operand) {
    const auto name = [&](config::GridId g) {
      return fmt::format("grid '{}' ({} values)", model_.grids[g].id, graph_.layout(g).text());
    };
    throw Error(ErrorCode::configuration,
                fmt::format("an expression on {} has an operand on {} (their points are at "
                            "other places of the model's arrays). Describe both grids alike "
                            "on this client?",
                            name(grid), name(operand)));
  };
  for (const config::FieldExpression& expression : model_.expressions) {
    if (expression.transformed != 0) continue;  // some of its points, or new ones
    for (const config::FieldExpressionNode& node : expression.nodes) {
      if (!config::is_data(node.op)) continue;
      const config::GridId grid = node.source >= 0 ? model_.sources[node.source].grid
                                                   : model_.expressions[node.expression].grid;
      if (grid == expression.grid) continue;
      if (fit_of_arrays(model_, parts_, grid, expression.grid) != ArrayFit::none) continue;
      if (!meet_by_points(model_, parts_, expression.grid, grid)) refuse(expression.grid, grid);
    }
  }
}

/// Finds where the points of the root lie in the array of a leaf: the way between may pass through
/// arrays of one size whose points are others.
void GraphBuilder::match_points(Leaf& leaf, Root& root) {
  root.is_source = false;
  const auto [found, is_new] = graph_.places_between.try_emplace({root.grid, leaf.grid});
  if (is_new) {
    auto places = places_by_points(model_, parts_, root.grid, leaf.grid);
    if (!places) {
      throw Error(
          ErrorCode::configuration,
          fmt::format("data on grid '{}' come to grid '{}' through a third one, and the two "
                      "have no points in common (their points are at other places of the "
                      "model's arrays). Describe the three alike on this client?",
                      model_.grids[leaf.grid].id, model_.grids[root.grid].id));
    }
    found->second = std::move(*places);
  }
  leaf.places_of_points.emplace(root.grid, found->second.data());
}

/// Fields may have a grid with the elements of that of their data, but without its mask.
void GraphBuilder::note_takers() {
  const auto note_root = [&](int number, config::GridId grid) {
    Root& root = graph_.root(number);
    const bool is_elsewhere = grid != root.grid && model_.grids[root.grid].mask.has_value();
    root.is_taken_elsewhere = root.is_taken_elsewhere || is_elsewhere;
  };
  const auto note = [&](config::DataNodeId node, config::GridId grid) {
    note_root(graph_.root_of_filter(filter_of_node_[node]), grid);
  };
  for (const config::StreamId s : model_.streams.ids()) {
    note(data_.of_stream[s], config::grid_on_wire(model_, model_.streams[s]));
  }
  for (const config::ResultId r : model_.results.ids()) {
    note(data_.of_result[r], model_.results[r].grid);
  }
  const auto sent = config::coupled_fields(model_, config::ElementKind::coupler_out);
  for (std::size_t k = 0; k < sent.size(); ++k) note(data_.of_sent[k], sent[k]->grid);
  // Coordinates are taken with values, whose grid may not mask what theirs does.
  for (const Spatial& spatial : graph_.spatials) {
    const config::GridId grid = graph_.root(spatial.inputs.front().root).grid;
    for (const Spatial::Input& input : spatial.inputs) note_root(input.root, grid);
  }
}

/// The places of arrays of one size that have values on both grids.
const std::uint64_t* GraphBuilder::places_of(config::GridId grid, config::GridId other) {
  const auto [found, is_new] = graph_.places_of_values.try_emplace({grid, other});
  if (is_new) {
    found->second = places_with_values(model_, parts_, grid);
    if (other != grid) {
      const std::vector<std::uint64_t> others = places_with_values(model_, parts_, other);
      std::transform(others.begin(), others.end(), found->second.begin(), found->second.begin(),
                     std::bit_and<>());
    }
  }
  return found->second.data();
}

/// Values that an operand lacks are missing.
void GraphBuilder::fit_operand(std::size_t operand, Root& root) {
  Leaf& leaf = graph_.leaf(root.operands[operand]);
  if (leaf.grid != root.grid) {
    const bool is_window = windows_.is_of_array(root.grid, leaf.grid);
    if (!is_window && fit_of_arrays(model_, parts_, leaf.grid, root.grid) == ArrayFit::none) {
      return match_points(leaf, root);
    }
  }
  const bool has_all =
      leaf.grid == root.grid || has_values_of(model_, parts_, leaf.grid, root.grid);
  if (has_all && !root.is_taken_elsewhere) return;
  root.places_of_operands[operand] =
      places_of(leaf.grid, root.is_taken_elsewhere ? root.grid : leaf.grid);
  root.is_source = false;
}

/// Finds how arrays of operands meet in each root, and makes room for those that wait for others.
void GraphBuilder::fit_layouts() {
  for (Root& root : graph_.roots) {
    for (const int index : root.leaves) {
      Leaf& leaf = graph_.leaf(index);
      const bool is_sent = leaf.filter < 0 && leaf.spatial < 0 && !leaf.is_read;
      if (root.leaves.size() > 1 && is_sent && !leaf.copy) {
        const auto size = static_cast<std::size_t>(graph_.layout(leaf.grid).size());
        leaf.copy = std::make_unique_for_overwrite<double[]>(size);
      }
    }
    root.places_of_operands.resize(root.operands.size());
    for (std::size_t k = 0; k < root.operands.size(); ++k) fit_operand(k, root);
  }
}

/// Allocates arrays for what spatial filters take; their pages stay untouched until they are
/// needed.
void GraphBuilder::make_room() {
  for (Spatial& spatial : graph_.spatials) {
    for (Spatial::Input& input : spatial.inputs) {
      const auto size =
          static_cast<std::size_t>(graph_.layout(graph_.root(input.root).grid).size());
      input.values = std::make_unique_for_overwrite<double[]>(size);
    }
  }
}

}  // namespace

WorkflowGraph make_workflow_graph(const config::Model& model, const LocalParts& parts,
                                  const Workflow::MakeSink& make_sink,
                                  const Workflow::MakeSink& make_result_sink,
                                  const Workflow::MakeSpatial& make_spatial,
                                  const Workflow::MakeSink& make_coupled_sink) {
  return GraphBuilder(model, parts)
      .make(make_sink, make_result_sink, make_spatial, make_coupled_sink);
}

}  // namespace epios::io
