/// @file
/// Operations of expressions on blocks of values.
#pragma once

#include <array>
#include <cstdint>

#include "config/expression.hpp"

namespace epios::io {

/// One argument of an operation: values, or one number for all of them.
struct BlockArgument {
  const double* values = nullptr;  ///< null: `number`
  double number = 0;
};

/// to[i] = op(arguments...), as config::evaluate() says, bit by bit. `to` may be the values of an
/// argument. Arguments that the operation does not have are not looked at.
void apply(config::ExpressionOp op, const std::array<BlockArgument, 3>& arguments, double* to,
           std::int64_t count);

}  // namespace epios::io
