// How the graph is made ready for a run.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "config/error.hpp"
#include "config/fed_schedules.hpp"
#include "config/model.hpp"
#include "config/spatial.hpp"
#include "workflow_state.hpp"

namespace epios::io {

namespace {

using Kind = config::DataNode::Kind;

void check_grid(const config::Model& model, const config::Stream& stream) {
  const bool is_sent = stream.source >= 0;
  const auto data = static_cast<std::size_t>(is_sent ? stream.source : stream.expression);
  const int data_grid = is_sent ? model.sources[data].grid : model.expressions[data].grid;
  if (stream.grid == data_grid) return;
  const auto& grid = model.grids[static_cast<std::size_t>(stream.grid)];
  const auto& before = model.grids[static_cast<std::size_t>(data_grid)];
  if (grid.elements == before.elements) return;
  throw Error(
      ErrorCode::configuration,
      fmt::format("field '{}' is on grid '{}', its data '{}' on grid '{}' (nothing "
                  "makes one of the other). Write it on the grid of its data?",
                  stream.id, grid.id, is_sent ? model.sources[data].id : model.expressions[data].id,
                  before.id));
}

/// How many operations that have results lie on the way to a node, at most.
std::size_t depth_of(const config::DataGraph& graph) {
  std::vector<std::size_t> depths;
  std::size_t largest = 0;
  for (const config::DataNode& node : graph.nodes) {
    std::size_t depth = 0;
    for (const int argument : node.arguments) {
      depth = std::max(depth, depths[static_cast<std::size_t>(argument)]);
    }
    depths.push_back(depth + (node.kind == Kind::temporal ? 1 : 0));
    if (node.kind == Kind::spatial) ++depths.back();
    largest = std::max(largest, depths.back());
  }
  return largest;
}

}  // namespace

Workflow::Impl::Impl(const config::Model& model, const LocalParts& parts, const MakeSink& make_sink,
                     const MakeSink& make_result_sink, const MakeSpatial& make_spatial,
                     const MakeSink& make_coupled_sink)
    : streams_(model.streams.size()), waiting_(model) {
  for (const config::Stream& stream : model.streams) check_grid(model, stream);
  for (const config::Stream& result : model.results) check_grid(model, result);
  const config::DataGraph graph = config::data_graph(model);
  for (std::size_t grid = 0; grid < model.grids.size(); ++grid) {
    layouts_.emplace_back(model, parts, static_cast<int>(grid));
  }
  check_operands(model, parts);
  make_leaves(model, graph);
  Roots known;
  make_filters(model, graph, known);
  make_spatials(model, graph, make_spatial, known);
  for (std::size_t stream = 0; stream < model.streams.size(); ++stream) {
    sinks_.push_back(make_sink(static_cast<int>(stream)));
  }
  if (make_result_sink) add_sinks(graph.of_result, make_result_sink);
  first_sent_ = sinks_.size();
  if (make_coupled_sink) add_sinks(graph.of_sent, make_coupled_sink);
  if (model.statistics_file >= 0) kept_ = at(model.kept_operations);
  make_program(graph);
  leave_to_takers();
  fit_layouts(model, parts);
  // What comes while something else of its way has not arrived goes on deeper than that.
  levels_.resize((spatials_.empty() ? 1 : 2) * (depth_of(graph) + 1));
  make_room();
}

/// Of what goes to no file.
void Workflow::Impl::add_sinks(const std::vector<int>& nodes, const MakeSink& make_sink) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    sinks_.push_back(make_sink(static_cast<int>(i)));
    filter_of_stream_.push_back(filter_of_node_[at(nodes[i])]);
    filters_[at(filter_of_stream_.back())].streams.push_back(static_cast<int>(sinks_.size()) - 1);
  }
}

void Workflow::Impl::make_leaves(const config::Model& model, const config::DataGraph& graph) {
  leaf_of_node_.assign(graph.nodes.size(), -1);
  const auto add = [&](int node) {
    leaf_of_node_[at(node)] = static_cast<int>(leaves_.size());
    Leaf& leaf = leaves_.emplace_back();
    leaf.node = node;
    leaf.grid = graph.nodes[at(node)].grid;
    leaf.values.marker = std::numeric_limits<double>::quiet_NaN();
    return &leaf;
  };
  for (std::size_t i = 0; i < model.sources.size(); ++i) {
    Leaf* const leaf = add(graph.of_source[i]);
    if (model.sources[i].detect_missing_value) leaf->marker = model.sources[i].default_value;
    leaf->is_read = !config::is_sent_by_model(model, static_cast<int>(i));
  }
  sources_.resize(model.sources.size());
  // Results that arithmetic, or another operation, takes.
  for (const config::DataNode& node : graph.nodes) {
    for (const int argument : node.arguments) {
      const Kind kind = graph.nodes[at(argument)].kind;
      const bool is_made = kind == Kind::temporal || kind == Kind::spatial;
      if (is_made && leaf_of_node_[at(argument)] < 0) add(argument);
    }
  }
}

std::vector<int> Workflow::Impl::leaves_of(const config::DataGraph& graph, int node) const {
  std::vector<int> leaves;
  std::vector<int> open{node};
  std::vector<std::uint8_t> is_seen(at(node) + 1, 0);
  while (!open.empty()) {
    const int n = open.back();
    open.pop_back();
    if (std::exchange(is_seen[at(n)], std::uint8_t{1}) != 0) continue;
    if (leaf_of_node_[at(n)] >= 0) {
      leaves.push_back(leaf_of_node_[at(n)]);
      continue;
    }
    const std::vector<int>& arguments = graph.nodes[at(n)].arguments;
    open.insert(open.end(), arguments.begin(), arguments.end());
  }
  std::sort(leaves.begin(), leaves.end());
  return leaves;
}

int Workflow::Impl::root_of(const config::DataGraph& graph, int node, int grid, Roots& known) {
  const auto [found, is_new] = known.try_emplace({node, grid}, static_cast<int>(roots_.size()));
  if (!is_new) return found->second;
  const int number = add_root(graph, node, grid);
  for (const int leaf : roots_.back().leaves) leaves_[at(leaf)].roots.push_back(number);
  return number;
}

int Workflow::Impl::add_root(const config::DataGraph& graph, int node, int grid) {
  root_nodes_.push_back(node);
  Root& root = roots_.emplace_back();
  root.grid = grid;
  const Kind kind = graph.nodes[at(node)].kind;
  root.is_source = kind == Kind::source || kind == Kind::spatial;
  root.operands = leaves_of(graph, node);
  root.leaves = root.operands;
  return static_cast<int>(roots_.size()) - 1;
}

/// Each of several inputs waits for all of them: they come together.
void Workflow::Impl::add_inputs(const config::Model& model, const config::DataGraph& graph,
                                const config::FieldExpression& step, const config::DataNode& node,
                                Spatial& spatial, int number) {
  std::vector<int> all;
  for (std::size_t k = 0; k < node.arguments.size(); ++k) {
    const config::FieldExpressionNode& data = step.nodes[k];
    const int grid = data.source >= 0 ? model.sources[at(data.source)].grid
                                      : model.expressions[at(data.expression)].grid;
    const int root = add_root(graph, node.arguments[k], grid);
    spatial.inputs.push_back({root});
    roots_[at(root)].spatials.push_back(number);
    roots_[at(root)].is_alone = true;
    const std::vector<int>& operands = roots_[at(root)].operands;
    all.insert(all.end(), operands.begin(), operands.end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (const Spatial::Input& input : spatial.inputs) {
    roots_[at(input.root)].leaves = all;
    for (const int leaf : all) leaves_[at(leaf)].roots.push_back(input.root);
  }
}

void Workflow::Impl::make_filters(const config::Model& model, const config::DataGraph& graph,
                                  Roots& known) {
  filter_of_node_.assign(graph.nodes.size(), -1);
  const config::FedSchedules schedules(model, graph);
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const config::DataNode& node = graph.nodes[n];
    if (node.kind != Kind::temporal) continue;
    const int number = static_cast<int>(filters_.size());
    filter_of_node_[n] = number;
    const config::Calendar calendar = model.calendar();
    const config::Sampling& sampling = node.sampling;
    const Filter::Kind kind{
        node.ignores_missing, calendar.are_equal(sampling.freq_op, sampling.output_freq),
        number < model.kept_operations, schedules.takes_what_comes(static_cast<int>(n))};
    filters_.emplace_back(schedules.of(static_cast<int>(n)), sampling.operation,
                          layouts_[at(node.grid)], kind);
    filters_.back().leaf = leaf_of_node_[n];
    if (leaf_of_node_[n] >= 0) leaves_[at(leaf_of_node_[n])].filter = number;
    const int root = root_of(graph, node.arguments.front(), node.grid, known);
    roots_[at(root)].filters.push_back(number);
    root_of_filter_.push_back(root);
  }
  for (std::size_t stream = 0; stream < model.streams.size(); ++stream) {
    const int filter = filter_of_node_[at(graph.of_stream[stream])];
    filter_of_stream_.push_back(filter);
    filters_[at(filter)].streams.push_back(static_cast<int>(stream));
    if (waiting_.may_wait(static_cast<int>(stream))) filters_[at(filter)].keep_results();
  }
}

/// Those that somebody takes something of.
void Workflow::Impl::make_spatials(const config::Model& model, const config::DataGraph& graph,
                                   const MakeSpatial& make_spatial, Roots& known) {
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const config::DataNode& node = graph.nodes[n];
    if (node.kind != Kind::spatial || leaf_of_node_[n] < 0) continue;
    const auto step = config::spatial_step(model, model.expressions[at(node.expression)]);
    if (!step || !make_spatial) {
      throw Error(ErrorCode::internal, "nobody works out what a transformation makes");
    }
    const int number = static_cast<int>(spatials_.size());
    Spatial& spatial = spatials_.emplace_back();
    spatial.filter = make_spatial(node.expression);
    spatial.leaf = leaf_of_node_[n];
    leaves_[at(spatial.leaf)].spatial = number;
    if (node.arguments.size() > 1) {
      add_inputs(model, graph, model.expressions[at(node.expression)], node, spatial, number);
    } else {
      const int root = root_of(graph, node.arguments.front(), step->from, known);
      spatial.inputs.push_back({root});
      roots_[at(root)].spatials.push_back(number);
    }
    spatial.arrays.resize(spatial.inputs.size());
  }
}

void Workflow::Impl::make_program(const config::DataGraph& graph) {
  std::vector<int> results;
  std::vector<int> result_of_node(graph.nodes.size(), -1);
  for (std::size_t r = 0; r < roots_.size(); ++r) {
    int& result = result_of_node[at(root_nodes_[r])];
    if (result < 0) {
      result = static_cast<int>(results.size());
      results.push_back(root_nodes_[r]);
    }
    roots_[r].result = result;
  }
  program_ = std::make_unique<Program>(graph, results);
  root_of_result_.resize(results.size());
}

/// What is nothing but one record of arithmetic that nobody else needs.
void Workflow::Impl::leave_to_takers() {
  for (Root& root : roots_) {
    if (root.is_source || root.filters.size() != 1 || !root.spatials.empty() ||
        !program_->is_alone(root.result))
      continue;
    const Filter& filter = filters_[at(root.filters.front())];
    root.may_be_left_to_taker =
        filter.streams.size() == 1 && sinks_[at(filter.streams.front())]->works_out();
  }
}

namespace {

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
  bool is_of_array(int grid, int other) const {
    const auto& elements = model_.grids[static_cast<std::size_t>(grid)].elements;
    const auto& others = model_.grids[static_cast<std::size_t>(other)].elements;
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

}  // namespace

/// Operands meet place by place in arrays of one size, else point by point.
void Workflow::Impl::check_operands(const config::Model& model, const LocalParts& parts) const {
  const auto refuse = [&](int grid, int operand) {
    const auto name = [&](int g) {
      return fmt::format("grid '{}' ({} values)", model.grids[at(g)].id, layouts_[at(g)].text());
    };
    throw Error(ErrorCode::configuration,
                fmt::format("an expression on {} has an operand on {} (their points are at "
                            "other places of the model's arrays). Describe both grids alike "
                            "on this client?",
                            name(grid), name(operand)));
  };
  for (const config::FieldExpression& expression : model.expressions) {
    if (expression.transformed != 0) continue;  // some of its points, or new ones
    for (const config::FieldExpressionNode& node : expression.nodes) {
      if (!config::is_data(node.op)) continue;
      const int grid = node.source >= 0 ? model.sources[at(node.source)].grid
                                        : model.expressions[at(node.expression)].grid;
      if (grid == expression.grid) continue;
      if (fit_of_arrays(model, parts, grid, expression.grid) != ArrayFit::none) continue;
      if (!places_by_points(model, parts, expression.grid, grid)) refuse(expression.grid, grid);
    }
  }
}

/// What leads from the leaf to the root may pass through arrays of one size whose points are
/// others.
void Workflow::Impl::match_points(const config::Model& model, const LocalParts& parts, Leaf& leaf,
                                  Root& root) {
  root.is_source = false;
  if (leaf.places_of_points.contains(root.grid)) return;
  auto places = places_by_points(model, parts, root.grid, leaf.grid);
  if (!places) {
    throw Error(ErrorCode::configuration,
                fmt::format("data on grid '{}' come to grid '{}' through a third one, and the two "
                            "have no points in common (their points are at other places of the "
                            "model's arrays). Describe the three alike on this client?",
                            model.grids[at(leaf.grid)].id, model.grids[at(root.grid)].id));
  }
  leaf.places_of_points.emplace(root.grid, std::move(*places));
}

/// Values that one operand lacks are missing.
void Workflow::Impl::fit_layouts(const config::Model& model, const LocalParts& parts) {
  const Windows windows(model);
  for (Root& root : roots_) {
    for (const int index : root.leaves) {
      Leaf& leaf = leaves_[at(index)];
      const bool is_operand =
          std::find(root.operands.begin(), root.operands.end(), index) != root.operands.end();
      const bool is_sent = leaf.filter < 0 && leaf.spatial < 0 && !leaf.is_read;
      if (root.leaves.size() > 1 && is_sent && !leaf.copy) {
        const auto size = static_cast<std::size_t>(layouts_[at(leaf.grid)].size());
        leaf.copy = std::make_unique_for_overwrite<double[]>(size);
      }
      if (!is_operand || leaf.grid == root.grid) continue;
      const bool is_window = windows.is_of_array(root.grid, leaf.grid);
      if (!is_window && fit_of_arrays(model, parts, leaf.grid, root.grid) == ArrayFit::none) {
        match_points(model, parts, leaf, root);
        continue;
      }
      if (has_values_of(model, parts, leaf.grid, root.grid)) continue;
      if (leaf.places.empty()) leaf.places = places_with_values(model, parts, leaf.grid);
      root.is_source = false;
    }
  }
}

/// All that the time loop needs.
void Workflow::Impl::make_room() {
  for (Spatial& spatial : spatials_) {
    for (Spatial::Input& input : spatial.inputs) {
      const auto size = static_cast<std::size_t>(layouts_[at(roots_[at(input.root)].grid)].size());
      input.values = std::make_unique_for_overwrite<double[]>(size);
    }
  }
  answers_.resize(roots_.size());
  uses_.resize(filters_.size() + spatials_.size());
  passes_.last.resize(filters_.size());
  looks_.last.resize(filters_.size());
  for (Level& level : levels_) {
    level.ready.reserve(roots_.size());
    level.due.reserve(filters_.size());
    level.streams.reserve(sinks_.size());
  }
}

}  // namespace epios::io
