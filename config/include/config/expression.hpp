/// @file
/// Arithmetic expressions of fields: text to a typed tree. Pure, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace epios::config {

/// What a node of the tree computes. Truth is 1 or 0, and any number but 0 is true.
enum class ExpressionOp : std::uint8_t {
  // operands
  number,     ///< `number`
  missing,    ///< $missing_value: NaN
  variable,   ///< $id: a variable of the context as a number
  field,      ///< id: data of another field
  self,       ///< this: data that the model sends under the field's own id
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
  temporal,  ///< @(...): results of the owner's temporal operation on the argument
  // of two
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
  // of three
  select,  ///< c ? a : b
};

inline constexpr int expression_op_count = static_cast<int>(ExpressionOp::select) + 1;
/// The enumerator as text.
std::string_view name(ExpressionOp op);
/// How many arguments it has, from 0 for operands to 3.
int argument_count(ExpressionOp op);
/// Whether it stands for data: field, self, reference.
constexpr bool is_data(ExpressionOp op) {
  return op >= ExpressionOp::field && op <= ExpressionOp::reference;
}

/// One number, or one per point of a grid. A field is the result of whatever has a field in it.
enum class ExpressionType : std::uint8_t { scalar, field };

struct ExpressionNode {
  ExpressionOp op = ExpressionOp::number;
  ExpressionType type = ExpressionType::scalar;
  /// '@' before an operand: the result of its temporal operation over the owner's freq_op.
  bool is_temporal = false;
  double number = 0;
  std::string id;              ///< of a field or variable
  std::vector<int> arguments;  ///< nodes; all smaller than this one's own number
  std::size_t offset = 0;      ///< of its first character, or of its operator
};

/// Nodes in an order in which they can be evaluated; the last one is the result.
struct Expression {
  std::vector<ExpressionNode> nodes;
  const ExpressionNode& result() const { return nodes.back(); }
  /// With all parentheses; parses to the same tree.
  std::string text() const;
};

/// The first thing wrong with a text.
struct ExpressionMistake {
  std::size_t offset = 0;
  std::string problem;     ///< "'*' where a value was expected"
  std::string suggestion;  ///< may be empty
};

struct ParsedExpression {
  Expression expression;  ///< of use only without mistake
  std::optional<ExpressionMistake> mistake;
};

/// Grammar, from weak to strong: c ? a : b; or; and; not; == /= < <= > >= (one of them); + -; * /;
/// unary -; ^ (right associative). Functions: neg cos sin tan exp log log10 sqrt abs of one
/// argument, min max of two and more. '@' before a field or parentheses. Numbers begin and end with
/// a digit.
ParsedExpression parse_expression(std::string_view text);

}  // namespace epios::config
