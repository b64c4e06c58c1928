/// @file
/// Data of a Model: what the model sends, and what is worked out from it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/expression.hpp"
#include "config/temporal.hpp"

namespace epios::config {

/// Data the model may send: a field without expression, or what `this` stands for in one. Or those
/// of a file that is read.
struct Source {
  std::string id;
  int grid = 0;
  bool detect_missing_value = false;
  double default_value = 0;  ///< marker of missing values if detect_missing_value
  int read_field = -1;       ///< into Model::read_fields; -1: the model sends it
};

/// An operand or an operation of a FieldExpression.
struct FieldExpressionNode {
  ExpressionOp op = ExpressionOp::number;
  ExpressionType type = ExpressionType::scalar;
  double number = 0;  ///< of a number or a variable: its value
  int variable = -1;  ///< of a variable: into Model::variables
  // Of field, self and reference, one of the two; the other is -1:
  int source = -1;               ///< into Model::sources
  int expression = -1;           ///< into Model::expressions, before the one that this node is in
  std::vector<std::string> via;  ///< as of a Stream; not canonical
  /// '@': not the data themselves but the results of `sampling`, one every `output_freq` of it.
  bool is_temporal = false;
  Sampling sampling;                  ///< of '@', also of op temporal
  bool detect_missing_value = false;  ///< the same: missing samples are left out
  std::vector<int> arguments;         ///< nodes before this one
  /// Of data in another unit than the operand's, as of a Stream; before '@' works on them.
  std::vector<double> conversion{};
  std::string data_unit{}, unit{};
};

/// Data that come from other data, step by step: those of a field with an expression, or of one on
/// another grid than the field that it refers to.
struct FieldExpression {
  std::string id;  ///< of the field, or of the field it refers to
  int grid = 0;    ///< of the operands
  /// A step from grid to grid: which element of `grid`, counted from 1, the last of its
  /// transformations makes of the element in its place of the grid of the first node; further nodes
  /// are the coordinates that it names (of the source, then of the target). 0: another grid with
  /// the same points, or arithmetic.
  std::int64_t transformed = 0;
  /// Of a step: whether its grid is that of the field, one of its grid_path, or lies between. Not
  /// canonical.
  enum class Stage : std::uint8_t { end, stop, between } stage = Stage::end;
  std::vector<FieldExpressionNode> nodes;  ///< in an order of evaluation; the last is the result
  std::string text;                        ///< as it was written; not canonical
  std::string where;                       ///< not canonical
};

}  // namespace epios::config
