/// @file
/// What happens to values between the arrays of the model and the records: a graph in which nothing
/// is computed twice. A run evaluates it, and `epios graph` draws it. For steps that servers
/// compute (steps_on_servers) it contains the data that they start from.
#pragma once

#include <cstdint>
#include <vector>

#include "config/element_kind.hpp"
#include "config/expression.hpp"
#include "config/model_fwd.hpp"
#include "config/model_ids.hpp"
#include "config/temporal.hpp"

namespace epios::config {

using DataNodeId = epios::Index<struct DataNode>;  ///< index into DataGraph::nodes

/// Values of a grid, or one number, made from those of earlier nodes. Arithmetic belongs to no
/// grid: it combines what its operands have at one place of the model's arrays, as long as they
/// have the same size.
struct DataNode {
  enum class Kind : std::uint8_t {
    number,      ///< one number, always available
    source,      ///< data that the model sends or a file has
    arithmetic,  ///< `op` of the arguments, point by point, at the dates that all of them have
    temporal,    ///< results of a temporal operation on the argument, one per record of `sampling`
    spatial,  ///< result of a transformation of the first argument, at the dates that all arguments
              ///< have; a view is a node only where arithmetic takes it with other arrays
  } kind = Kind::number;
  ExpressionOp op = ExpressionOp::number;
  double number = 0;
  bool is_field = false;      ///< true for values of a grid, false for one number
  SourceId source{};          ///< index into Model::sources
  GridId grid{};              ///< for source, temporal and spatial: index into Model::grids
  ExpressionId expression{};  ///< for spatial: the step, an index into Model::expressions
  std::vector<DataNodeId> arguments{};  ///< earlier nodes
  Sampling sampling{};                  ///< for temporal
  bool ignores_missing = false;  ///< for temporal: missing samples are left out, point by point
};

/// The graph of a Model. Equal nodes are one node, whatever the ids of their fields. What can be
/// computed before the run is a number.
struct DataGraph {
  IndexedVector<DataNodeId, DataNode> nodes;      ///< in an order of evaluation
  IndexedVector<SourceId, DataNodeId> of_source;  ///< node of each source of the Model
  /// Node of the result of each expression of the Model. For a step on servers, the node of the
  /// data that it starts from.
  IndexedVector<ExpressionId, DataNodeId> of_expression;
  IndexedVector<StreamId, DataNodeId>
      of_stream;  ///< temporal node that makes the records of each stream
  IndexedVector<ResultId, DataNodeId>
      of_result;  ///< temporal node that delivers each result of the Model
  /// Temporal node that makes the records of each of coupled_fields() of coupler_out.
  std::vector<DataNodeId> of_sent;
  /// Number of the first node that serves results only. Earlier nodes serve expressions, streams
  /// and fields for partners.
  DataNodeId first_of_results{0};

  /// Returns the sources that the values of a node come from, in ascending order.
  std::vector<SourceId> sources_of(DataNodeId node) const;
  /// Returns true if a step that moves data between clients precedes the node.
  bool is_moved(DataNodeId node) const;
};

/// Returns the fields of all couplers of one kind, coupler by coupler.
std::vector<const CoupledField*> coupled_fields(const Model& model, ElementKind kind);

/// Returns true if the data of a source comes from the model, not from a file or another context.
/// Cost: looks at each field of each coupler.
bool is_sent_by_model(const Model& model, SourceId source);

/// Builds the graph in time linear in the size of the Model. A stream on another grid than its data
/// keeps the grid of the data. A stream that servers make has the grid of the data that crosses the
/// wire.
DataGraph data_graph(const Model& model);

/// Applies an operation to `a`, to `a` and `b`, or to all three; fields are treated point by point
/// in the same way. NaN means missing. The result of a missing operand is missing, except for
/// comparisons: missing equals missing (so that `x == $missing_value` tests for it) and is neither
/// less nor greater than anything. Division by zero gives infinity (0/0: missing). Truth is 1 or 0;
/// any number but 0 is true.
double evaluate(ExpressionOp op, double a, double b = 0, double c = 0);

}  // namespace epios::config
