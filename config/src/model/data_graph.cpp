// Builds the graph of everything that happens to values, with equal nodes merged, so that nothing
// is computed twice. It adds the sources, then the expressions in their order, streams, fields for
// partners, streams that keep state, and results. At the end stands the arithmetic of single
// numbers.
#include "config/data_graph.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "config/elementary.hpp"
#include "config/fp_guard.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "config/spatial.hpp"
#include "model/views_apart.hpp"

namespace epios::config {

namespace {

using Op = ExpressionOp;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

double truth(bool value) { return value ? 1 : 0; }

bool is_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

template <class T>
void append(std::string& key, const T& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}
void append(std::string& key, const Duration& d) {
  for (const double part : {d.year, d.month, d.day, d.hour, d.minute, d.second, d.timestep}) {
    append(key, part);
  }
}

void append(std::string& key, const OutputDates& dates) {
  append(key, dates.has_initial);
  append(key, dates.has_anchor);
  append(key, dates.anchor.ms);
  append(key, dates.ends.size());
  for (const Instant end : dates.ends) append(key, end.ms);
  append(key, dates.windows.size());
  for (const DateWindow& window : dates.windows) {
    append(key, window.first.ms);
    append(key, window.last.ms);
  }
  append(key, dates.cycle_periods);
  append(key, dates.climatology_freq);
}

/// Returns a text that is equal for equal nodes only.
std::string key_of(const DataNode& node, const Calendar& calendar) {
  std::string key;
  append(key, node.kind);
  append(key, node.op);
  append(key, std::bit_cast<std::uint64_t>(node.number));
  append(key, node.source);
  append(key, node.grid);
  // A step is known by what comes of it, its grid.
  for (const int argument : node.arguments) append(key, argument);
  if (node.kind == DataNode::Kind::temporal) {
    append(key, node.sampling.operation);
    const Sampling& sampling = node.sampling;
    for (const Duration& d : {sampling.freq_op, sampling.freq_offset, sampling.output_freq}) {
      append(key, calendar.normal(d));
    }
    append(key, sampling.dates);
    append(key, sampling.is_weighted);
    append(key, node.ignores_missing);
  }
  return key;
}

class GraphBuilder {
 public:
  explicit GraphBuilder(const Model& model) : model_(model), calendar_(model.calendar()) {}

  DataGraph build() {
    for (const SourceId i : model_.sources.ids()) {
      DataNode node;
      node.kind = DataNode::Kind::source;
      node.is_field = true;
      node.source = i;
      node.grid = model_.sources[i].grid;
      graph_.of_source.push_back(add(std::move(node)));
    }
    const IndexedVector<ExpressionId, bool> is_apart = views_apart(model_);
    for (const FieldExpression& expression : model_.expressions) {
      const auto step = spatial_step(model_, expression);
      if (is_on_servers(model_, expression)) {
        graph_.of_expression.push_back(add_data(expression.nodes.front()));
        continue;
      }
      const bool moves =
          step && (!is_view(step->transformation->kind) || is_apart[graph_.of_expression.end_id()]);
      graph_.of_expression.push_back(moves ? add_step(expression) : add_expression(expression));
    }
    // Streams that keep state follow the others, as if they did not exist.
    const auto keeps_state = [&](const Stream& stream) {
      return model_.statistics_file >= 0 && stream.file == model_.statistics_file;
    };
    graph_.of_stream.resize(model_.streams.size());
    const auto add_streams = [&](bool with_state) {
      for (const StreamId s : model_.streams.ids()) {
        const Stream& stream = model_.streams[s];
        if (keeps_state(stream) == with_state) graph_.of_stream[s] = add_stream(stream);
      }
    };
    add_streams(false);
    for (const CoupledField* const field : coupled_fields(model_, ElementKind::coupler_out)) {
      graph_.of_sent.push_back(add_sent(*field));
    }
    add_streams(true);
    graph_.first_of_results = graph_.nodes.end_id();
    for (const Stream& result : model_.results) graph_.of_result.push_back(add_stream(result));
    return std::move(graph_);
  }

 private:
  using ResultsOfNodes = IndexedVector<ExpressionNodeId, DataNodeId>;

  DataNodeId add(DataNode node) {
    const auto [found, is_new] = known_.emplace(key_of(node, calendar_), graph_.nodes.end_id());
    if (is_new) graph_.nodes.push_back(std::move(node));
    return found->second;
  }
  DataNodeId add_number(double number) {
    DataNode node;
    node.number = std::isnan(number) ? missing : number;
    return add(std::move(node));
  }
  GridId grid_of_source(SourceId source) const { return model_.sources[source].grid; }
  GridId grid_of_expression(ExpressionId expression) const {
    return model_.expressions[expression].grid;
  }
  DataNodeId add_temporal(DataNodeId data, GridId grid, const Sampling& sampling,
                          bool ignores_missing) {
    DataNode node;
    node.kind = DataNode::Kind::temporal;
    node.is_field = true;
    node.grid = grid;
    node.arguments = {data};
    node.sampling = sampling;
    node.ignores_missing = ignores_missing;
    return add(std::move(node));
  }

  DataNodeId add_stream(const Stream& stream) {
    const bool is_source = stream.source >= 0;
    const DataNodeId data =
        is_source ? graph_.of_source[stream.source] : graph_.of_expression[stream.expression];
    const bool is_whole = is_source || steps_on_servers(model_, stream).empty();
    const GridId grid = !is_whole   ? grid_on_wire(model_, stream)
                        : is_source ? grid_of_source(stream.source)
                                    : grid_of_expression(stream.expression);
    return add_temporal(converted(data, stream.conversion), grid, stream.sampling,
                        stream.attributes.detect_missing_value.value_or(false));
  }

  DataNodeId add_sent(const CoupledField& field) {
    const bool is_source = field.source >= 0;
    const DataNodeId data =
        is_source ? graph_.of_source[field.source] : graph_.of_expression[field.expression];
    const GridId grid =
        is_source ? grid_of_source(field.source) : grid_of_expression(field.expression);
    return add_temporal(converted(data, field.conversion), grid, field.sampling,
                        field.attributes.detect_missing_value.value_or(false));
  }

  /// factor * data + offset.
  DataNodeId converted(DataNodeId data, const std::vector<double>& conversion) {
    if (conversion.empty()) return data;
    const auto made = [this](Op op, DataNodeId a, double number) {
      DataNode node;
      node.kind = DataNode::Kind::arithmetic;
      node.op = op;
      node.is_field = true;
      node.arguments = {a, add_number(number)};
      return add(std::move(node));
    };
    if (conversion[0] != 1) data = made(Op::multiply, data, conversion[0]);
    if (conversion[1] != 0) data = made(Op::add, data, conversion[1]);
    return data;
  }

  DataNodeId add_step(const FieldExpression& expression) {
    DataNode node;
    node.kind = DataNode::Kind::spatial;
    node.is_field = true;
    node.grid = expression.grid;
    node.expression = graph_.of_expression.end_id();
    for (const FieldExpressionNode& data : expression.nodes) {
      node.arguments.push_back(add_data(data));
    }
    return add(std::move(node));
  }

  DataNodeId add_expression(const FieldExpression& expression) {
    ResultsOfNodes results;
    for (const FieldExpressionNode& operand : expression.nodes) {
      if (operand.op == Op::temporal) {
        results.push_back(add_temporal(results[operand.arguments.front()], expression.grid,
                                       operand.sampling, operand.detect_missing_value));
      } else {
        results.push_back(is_data(operand.op) ? add_data(operand)
                                              : add_operation(operand, results));
      }
    }
    return results.back();
  }

  DataNodeId add_data(const FieldExpressionNode& operand) {
    const DataNodeId as_it_is = operand.source >= 0 ? graph_.of_source[operand.source]
                                                    : graph_.of_expression[operand.expression];
    const DataNodeId data = converted(as_it_is, operand.conversion);
    if (!operand.is_temporal) return data;
    const GridId grid = operand.source >= 0 ? grid_of_source(operand.source)
                                            : grid_of_expression(operand.expression);
    return add_temporal(data, grid, operand.sampling, operand.detect_missing_value);
  }

  DataNodeId add_operation(const FieldExpressionNode& operation, const ResultsOfNodes& results) {
    if (operation.op == Op::missing) return add_number(missing);
    if (operation.op < Op::field) return add_number(operation.number);
    DataNode made;
    made.kind = DataNode::Kind::arithmetic;
    made.op = operation.op;
    for (const ExpressionNodeId argument : operation.arguments) {
      made.arguments.push_back(results[argument]);
      made.is_field = made.is_field || graph_.nodes[made.arguments.back()].is_field;
    }
    if (made.is_field) return add(std::move(made));
    const auto number = [&](std::size_t i) {
      return i < made.arguments.size() ? graph_.nodes[made.arguments[i]].number : 0.0;
    };
    return add_number(evaluate(made.op, number(0), number(1), number(2)));
  }

  const Model& model_;
  const Calendar calendar_;
  DataGraph graph_;
  std::unordered_map<std::string, DataNodeId> known_;
};

/// Calls `visit` with a node and all that its values come from.
template <class Visit>
void for_each_behind(const IndexedVector<DataNodeId, DataNode>& nodes, DataNodeId last,
                     const Visit& visit) {
  IndexedVector<DataNodeId, std::uint8_t> is_needed(nodes.size(), 0);
  is_needed[last] = 1;
  for (DataNodeId i = last; i >= 0; i = DataNodeId(i - 1)) {
    if (is_needed[i] == 0) continue;
    visit(nodes[i]);
    for (const DataNodeId argument : nodes[i].arguments) is_needed[argument] = 1;
  }
}

}  // namespace

std::vector<SourceId> DataGraph::sources_of(DataNodeId node) const {
  std::vector<SourceId> sources;
  for_each_behind(nodes, node, [&](const DataNode& one) {
    if (one.kind == DataNode::Kind::source) sources.push_back(one.source);
  });
  std::sort(sources.begin(), sources.end());
  return sources;
}

bool DataGraph::is_moved(DataNodeId node) const {
  bool out = false;
  for_each_behind(nodes, node,
                  [&](const DataNode& one) { out = out || one.kind == DataNode::Kind::spatial; });
  return out;
}

std::vector<const CoupledField*> coupled_fields(const Model& model, ElementKind kind) {
  std::vector<const CoupledField*> out;
  for (const Coupler& coupler : model.couplers) {
    for (const CoupledField& field : coupler.fields) {
      if (coupler.kind == kind) out.push_back(&field);
    }
  }
  return out;
}

bool is_sent_by_model(const Model& model, SourceId source) {
  if (model.sources[source].read_field >= 0) return false;
  const auto received = coupled_fields(model, ElementKind::coupler_in);
  return std::none_of(received.begin(), received.end(),
                      [&](const CoupledField* field) { return field->source == source; });
}

DataGraph data_graph(const Model& model) {
  const FpGuard guard;  // numbers are worked out here
  return GraphBuilder(model).build();
}

double evaluate(ExpressionOp op, double a, double b, double c) {
  const bool is_any_missing = std::isnan(a) || std::isnan(b);
  switch (op) {
    case Op::negate:
      return -a;
    case Op::logical_not:
      return std::isnan(a) ? missing : truth(a == 0);
    case Op::cos:
    case Op::sin:
    case Op::tan:
    case Op::exp:
    case Op::log:
    case Op::log10:
      return elementary(op, a);
    case Op::sqrt:
      return std::sqrt(a);
    case Op::abs:
      return std::abs(a);
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::power:
      return is_any_missing ? missing : (b == 2 ? a * a : power(a, b));
    case Op::equal:
    case Op::not_equal:
      return truth(is_same(a, b) == (op == Op::equal));
    case Op::less:
      return truth(a < b);
    case Op::less_equal:
      return truth(a <= b);
    case Op::greater:
      return truth(a > b);
    case Op::greater_equal:
      return truth(a >= b);
    case Op::logical_and:
      return is_any_missing ? missing : truth(a != 0 && b != 0);
    case Op::logical_or:
      return is_any_missing ? missing : truth(a != 0 || b != 0);
    case Op::min:
      return is_any_missing ? missing : std::min(a, b);
    case Op::max:
      return is_any_missing ? missing : std::max(a, b);
    case Op::select:
      return std::isnan(a) ? missing : (a != 0 ? b : c);
    case Op::number:
    case Op::missing:
    case Op::variable:
    case Op::field:
    case Op::self:
    case Op::reference:
    case Op::temporal:
      break;  // operands are no operations
  }
  return missing;
}

}  // namespace epios::config
