/// @file
/// What happens to values between the model's arrays and the records, as a graph in which nothing
/// is worked out twice: what a run evaluates, and what `epios graph` draws. Of steps that servers
/// work out (steps_on_servers) it has the data that they are made of.
#pragma once

#include <cstdint>
#include <vector>

#include "config/element_kind.hpp"
#include "config/expression.hpp"
#include "config/model_fwd.hpp"
#include "config/temporal.hpp"

namespace epios::config {

/// Values of a grid, or one number, made from those of earlier nodes. Arithmetic belongs to no
/// grid: what its operands have at one place of the model's arrays comes together, as long as these
/// are of one size.
struct DataNode {
  enum class Kind : std::uint8_t {
    number,      ///< one number, always there
    source,      ///< what the model sends, or a file has
    arithmetic,  ///< `op` of the arguments, point by point, at dates that all of them have
    temporal,    ///< results of a temporal operation on the argument, one per record of `sampling`
    spatial,     ///< what a transformation makes of the first argument, at all dates that all have;
                 ///< views are nodes only where arithmetic takes them beside other arrays
  } kind = Kind::number;
  ExpressionOp op = ExpressionOp::number;
  double number = 0;
  bool is_field = false;         ///< values of a grid
  int source = -1;               ///< into Model::sources
  int grid = -1;                 ///< of source, temporal and spatial: into Model::grids
  int expression = -1;           ///< of spatial: the step, into Model::expressions
  std::vector<int> arguments{};  ///< nodes before this one
  Sampling sampling{};           ///< of temporal
  bool ignores_missing = false;  ///< of temporal: missing samples are left out point by point
};

/// Equal nodes are one node, whatever the ids of the fields they come from; what can be known
/// before the run is a number.
struct DataGraph {
  std::vector<DataNode> nodes;  ///< in an order of evaluation
  std::vector<int> of_source;   ///< per source of the Model: its node
  /// Per expression of the Model: its result; of a step on servers what it is made of.
  std::vector<int> of_expression;
  std::vector<int> of_stream;  ///< per stream: the temporal node that makes its records
  std::vector<int> of_result;  ///< per result of the Model: the temporal node that hands it over
  std::vector<int>
      of_sent;  ///< per coupled_fields() of coupler_out: the temporal node that makes its records
  /// Nodes before this one are those of expressions, streams and fields for partners; the others
  /// serve results alone.
  int first_of_results = 0;

  /// Sources that values of a node come from, in ascending order.
  std::vector<int> sources_of(int node) const;
  /// Whether a step that moves data between clients is on the way to a node.
  bool is_moved(int node) const;
};

/// Fields of couplers of one kind, coupler by coupler.
std::vector<const CoupledField*> coupled_fields(const Model& model, ElementKind kind);

/// Whether data of a source come from the model, not from a file or another context. Cost: a look
/// at each field of a coupler.
bool is_sent_by_model(const Model& model, int source);

/// Linear in the size of the Model. Streams on another grid than their data keep the data's; those
/// that servers make have that of what crosses the wire.
DataGraph data_graph(const Model& model);

/// What an operation makes of numbers: of `a`, of `a` and `b`, or of all three; the same point by
/// point for fields. NaN is missing, and what is made of it is missing, too, but for comparisons:
/// missing equals missing (so that `x == $missing_value` asks for it) and is neither less nor
/// greater than anything. Division by zero gives infinity (0/0: missing). Truth is 1 or 0, and any
/// number but 0 is true.
double evaluate(ExpressionOp op, double a, double b = 0, double c = 0);

}  // namespace epios::config
