/// @file
/// Data of a Model: what the model sends, and what is computed from it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/expression.hpp"
#include "config/model_ids.hpp"
#include "config/temporal.hpp"

namespace epios::config {

/// Data that the model may send, either for a field without expression or for `this` in one; or
/// data of a file that is read.
struct Source {
  std::string id;
  GridId grid{0};
  bool detect_missing_value = false;
  double default_value = 0;  ///< marks missing values if detect_missing_value is set
  ReadFieldId read_field{};  ///< -1 if the model sends it
};

/// An operand or an operation of a FieldExpression.
struct FieldExpressionNode {
  ExpressionOp op = ExpressionOp::number;
  ExpressionType type = ExpressionType::scalar;
  double number = 0;      ///< value of a number or a variable
  VariableId variable{};  ///< for a variable
  // For field, self and reference one of the two is set; the other is -1:
  SourceId source{};
  ExpressionId expression{};     ///< before the expression of this node
  std::vector<std::string> via;  ///< as in a Stream; not canonical
  /// True for '@': the node stands for results of `sampling`, one every `output_freq`, instead of
  /// the data itself.
  bool is_temporal = false;
  Sampling sampling;                        ///< for '@' and for op temporal
  bool detect_missing_value = false;        ///< for the same nodes: missing samples are left out
  std::vector<ExpressionNodeId> arguments;  ///< earlier nodes of the FieldExpression
  /// Unit conversion, as in a Stream, if the data is in another unit than the operand. It comes
  /// before '@'.
  std::vector<double> conversion{};
  std::string data_unit{}, unit{};
};

/// Data that is computed from other data in steps: for a field with an expression, or for a field
/// on another grid than the field that it refers to.
struct FieldExpression {
  std::string id;  ///< id of the field, or of the field that it refers to
  GridId grid{0};  ///< grid of the operands
  /// Number, from 1, of the element of `grid` that a step from grid to grid makes. The last
  /// transformation of that element makes it from the element at its place in the grid of the first
  /// node. Further nodes are the coordinates that the transformation names (of the source, then of
  /// the target). 0 means arithmetic, or another grid with the same points.
  std::int64_t transformed = 0;
  /// For a step: whether its grid is that of the field, one of its grid_path, or lies between. Not
  /// canonical.
  enum class Stage : std::uint8_t { end, stop, between } stage = Stage::end;
  /// In an order of evaluation; the last node is the result.
  IndexedVector<ExpressionNodeId, FieldExpressionNode> nodes;
  std::string text;   ///< the text as written; not canonical
  std::string where;  ///< not canonical
};

}  // namespace epios::config
