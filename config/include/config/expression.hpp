/// @file
/// Arithmetic expressions of fields: text to a typed tree. Pure, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/index.hpp"

namespace epios::config {

/// The operation of a node of the tree. Truth is 1 or 0; any number but 0 is true.
enum class ExpressionOp : std::uint8_t {
  // operands
  number,     ///< the value `number`
  missing,    ///< $missing_value: NaN
  variable,   ///< $id: the value of a variable of the context
  field,      ///< id: the data of another field
  self,       ///< this: data that the model sends under the id of the field itself
  reference,  ///< this_ref: the field that field_ref names
  // functions and operators of one argument
  negate,
  logical_not,
  cos,
  sin,
  tan,
  exp,
  log,  ///< natural
  log10,
  sqrt,
  abs,
  temporal,  ///< @(...): results of the temporal operation of the owner on the argument
  // operators and functions of two arguments
  add,
  subtract,
  multiply,
  divide,
  power,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  logical_and,
  logical_or,
  min,
  max,
  // operator of three arguments
  select,  ///< c ? a : b
};

inline constexpr int expression_op_count = static_cast<int>(ExpressionOp::select) + 1;
/// Returns the enumerator as text.
std::string_view name(ExpressionOp op);
/// Returns the number of arguments, from 0 for operands to 3.
int argument_count(ExpressionOp op);
/// Returns true if the operation stands for data: field, self, reference.
constexpr bool is_data(ExpressionOp op) {
  return op >= ExpressionOp::field && op <= ExpressionOp::reference;
}

/// The type of a result: one number, or one per point of a grid. Whatever contains a field is a
/// field.
enum class ExpressionType : std::uint8_t { scalar, field };

using ExpressionNodeId = epios::Index<struct ExpressionNode>;  ///< index into Expression::nodes

struct ExpressionNode {
  ExpressionOp op = ExpressionOp::number;
  ExpressionType type = ExpressionType::scalar;
  /// True for '@' before an operand: the result of its temporal operation over the freq_op of the
  /// owner.
  bool is_temporal = false;
  double number = 0;
  std::string id;                           ///< id of a field or variable
  std::vector<ExpressionNodeId> arguments;  ///< earlier nodes
  std::size_t offset = 0;                   ///< offset of its first character, or of its operator
};

/// Nodes in an order in which they can be evaluated. The last one is the result.
struct Expression {
  IndexedVector<ExpressionNodeId, ExpressionNode> nodes;
  const ExpressionNode& result() const { return nodes.back(); }
  /// Returns the text with all parentheses; it parses to the same tree.
  std::string text() const;
};

/// The first mistake in a text.
struct ExpressionMistake {
  std::size_t offset = 0;
  std::string problem;     ///< "'*' where a value was expected"
  std::string suggestion;  ///< may be empty
};

struct ParsedExpression {
  Expression expression;  ///< valid only without mistake
  std::optional<ExpressionMistake> mistake;
};

/// Parses an expression. Grammar, from weak to strong: c ? a : b; or; and; not; == /= < <= > >=
/// (one of them); + -; * /; unary -; ^ (right associative). Functions: neg cos sin tan exp log
/// log10 sqrt abs of one argument, min and max of two or more. '@' stands before a field or
/// parentheses. Numbers begin and end with a digit.
ParsedExpression parse_expression(std::string_view text);

}  // namespace epios::config
