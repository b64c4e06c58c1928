// Blocks of values against numbers: one meaning, said twice for speed.
#include "arithmetic.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "config/data_graph.hpp"

namespace epios::io::arithmetic_test {
namespace {

using config::ExpressionOp;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const std::vector<double> special = {0.0, -0.0,  1,      -1,       2,         0.5, -2.5,
                                     3,   1e300, 1e-310, infinity, -infinity, nan};

bool same_bits(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// All combinations of special values; bit i of `numbers`: argument i is one number.
void compare(ExpressionOp op, unsigned numbers) {
  const auto arguments = static_cast<std::size_t>(config::argument_count(op));
  std::size_t combinations = 1;
  for (std::size_t i = 0; i < arguments; ++i) combinations *= special.size();
  for (std::size_t c = 0; c < combinations; ++c) {
    std::array<double, 3> x{};
    std::array<std::vector<double>, 3> values;
    std::array<BlockArgument, 3> block{};
    std::size_t rest = c;
    for (std::size_t i = 0; i < arguments; ++i) {
      x.at(i) = special[rest % special.size()];
      rest /= special.size();
      if ((numbers >> i & 1U) != 0) {
        block.at(i).number = x.at(i);
      } else {
        values.at(i).assign(5, x.at(i));  // vectors, and what is left over
        block.at(i).values = values.at(i).data();
      }
    }
    const double expected = config::evaluate(op, x[0], x[1], x[2]);
    std::vector<double> to(5);
    apply(op, block, to.data(), 5);
    for (const double value : to) {
      ASSERT_TRUE(same_bits(value, expected))
          << name(op) << " of " << x[0] << ", " << x[1] << ", " << x[2] << ": " << value
          << " instead of " << expected << " (numbers " << numbers << ")";
    }
    std::vector<double> sum(5, 0.75);
    const bool is_added = accumulate(op, block, sum.data(), 5);
    for (const double value : sum) {
      ASSERT_TRUE(same_bits(value, is_added ? 0.75 + expected : 0.75))
          << name(op) << " of " << x[0] << ", " << x[1] << ", " << x[2] << " added: " << value;
    }
  }
}

TEST(Arithmetic, OperationsOfFewInstructionsAreAddedToSums) {
  const std::vector<double> ones(5, 1);
  const std::array<BlockArgument, 3> arguments{{{ones.data()}, {ones.data()}, {ones.data()}}};
  std::vector<double> sum(5, 0);
  EXPECT_TRUE(accumulate(ExpressionOp::sqrt, arguments, sum.data(), 5));
  EXPECT_TRUE(accumulate(ExpressionOp::multiply, arguments, sum.data(), 5));
  EXPECT_EQ(sum, std::vector<double>(5, 2));
  EXPECT_FALSE(accumulate(ExpressionOp::exp, arguments, sum.data(), 5));
  EXPECT_FALSE(accumulate(ExpressionOp::number, arguments, sum.data(), 5));
}

TEST(Arithmetic, BlocksMeanWhatNumbersMean) {
  for (int i = 0; i < config::expression_op_count; ++i) {
    const auto op = static_cast<ExpressionOp>(i);
    const int arguments = config::argument_count(op);
    if (arguments == 0 || op == ExpressionOp::temporal) continue;
    // Of numbers alone there is no block.
    const unsigned all = (1U << static_cast<unsigned>(arguments)) - 1;
    for (unsigned numbers = 0; numbers < all; ++numbers) compare(op, numbers);
  }
}

}  // namespace
}  // namespace epios::io::arithmetic_test
