/// @file
/// Operations of expressions on blocks of values.
#pragma once

#include <array>
#include <cstdint>

#include "config/expression.hpp"

namespace epios::io {

/// One argument of an operation: values, or one number for all of them.
struct BlockArgument {
  const double* values = nullptr;  ///< null if it is `number`
  double number = 0;
};

/// Computes to[i] = op(arguments...) with the bits of config::evaluate(). `to` may be the values of
/// an argument. Arguments that the operation does not have are ignored.
void apply(config::ExpressionOp op, const std::array<BlockArgument, 3>& arguments, double* to,
           std::int64_t count);
/// Computes sum[i] += op(arguments...), with the bits of apply() and an addition, if the operation
/// is one of few instructions; otherwise does nothing and returns false.
bool accumulate(config::ExpressionOp op, const std::array<BlockArgument, 3>& arguments, double* sum,
                std::int64_t count);

}  // namespace epios::io
