// Loops of all operations of expressions over blocks of values. NaN is missing in each of them.
#include "arithmetic.hpp"

#include <cmath>
#include <limits>

#include "config/data_graph.hpp"
#include "config/elementary.hpp"
#include "config/index.hpp"
#include "grid/missing.hpp"
#include "vector_clones.hpp"

namespace epios::io {

namespace {

using Op = config::ExpressionOp;
using Arguments = std::array<BlockArgument, 3>;

double truth(bool value) { return value ? 1.0 : 0.0; }
bool is_missing(double value) { return value != value; }

// What becomes of a value.
struct Set {
  static void put(double value, double& to) { to = value; }
};
struct Add {
  static void put(double value, double& to) { to += value; }
};

template <class Put = Set, class F>
void one(const Arguments& arguments, double* to, std::int64_t count, F f) {
  const double* a = arguments[0].values;
  for (std::int64_t i = 0; i < count; ++i) Put::put(f(a[i]), to[i]);
}

// Which arguments are numbers is decided before the loops, so that each can be vectorised.
template <class Put = Set, class F>
void two(const Arguments& arguments, double* to, std::int64_t count, F f) {
  const double* a = arguments[0].values;
  const double* b = arguments[1].values;
  const double x = arguments[0].number;
  const double y = arguments[1].number;
  if (b == nullptr) {
    for (std::int64_t i = 0; i < count; ++i) Put::put(f(a[i], y), to[i]);
  } else if (a == nullptr) {
    for (std::int64_t i = 0; i < count; ++i) Put::put(f(x, b[i]), to[i]);
  } else {
    for (std::int64_t i = 0; i < count; ++i) Put::put(f(a[i], b[i]), to[i]);
  }
}

void select(const Arguments& arguments, double* to, std::int64_t count) {
  const auto& [condition, yes, no] = arguments;
  const auto value = [](const BlockArgument& argument, std::int64_t i) {
    return argument.values == nullptr ? argument.number : argument.values[i];
  };
  for (std::int64_t i = 0; i < count; ++i) {
    const double c = value(condition, i);
    const double chosen = c != 0 ? value(yes, i) : value(no, i);
    to[i] = is_missing(c) ? missing : chosen;
  }
}

/// Values of a piece of an argument, a number as often as there are places.
const double* piece(const BlockArgument& argument, std::int64_t first, std::int64_t count,
                    double* numbers) {
  if (argument.values != nullptr) return argument.values + first;
  for (std::int64_t i = 0; i < count; ++i) numbers[i] = argument.number;
  return numbers;
}

void power(const Arguments& arguments, double* to, std::int64_t count) {
  const BlockArgument& exponent = arguments[1];
  if (exponent.values == nullptr && exponent.number == 2) {
    return one(arguments, to, count, [](double a) { return a * a; });
  }
  constexpr std::int64_t most = 256;  // in pieces, since the arguments are needed once more
  std::array<double, most> numbers{};
  std::array<double, most> powers{};
  for (std::int64_t first = 0; first < count; first += most) {
    const std::int64_t n = count - first < most ? count - first : most;
    const double* const a = piece(arguments[0], first, n, numbers.data());
    const double* const b = piece(exponent, first, n, numbers.data());
    config::power(a, b, powers.data(), n);
    for (std::int64_t i = 0; i < n; ++i) {
      const double value = b[i] == 2 ? a[i] * a[i] : nth(powers, i);
      to[first + i] = is_missing(a[i]) || is_missing(b[i]) ? missing : value;
    }
  }
}

void compare(Op op, const Arguments& arguments, double* to, std::int64_t count) {
  const auto same = [](double a, double b) {
    return static_cast<bool>(static_cast<unsigned>(a == b) |
                             (static_cast<unsigned>(a != a) & static_cast<unsigned>(b != b)));
  };
  switch (op) {
    case Op::equal:
      return two(arguments, to, count, [same](double a, double b) { return truth(same(a, b)); });
    case Op::not_equal:
      return two(arguments, to, count, [same](double a, double b) { return truth(!same(a, b)); });
    case Op::less:
      return two(arguments, to, count, [](double a, double b) { return truth(a < b); });
    case Op::less_equal:
      return two(arguments, to, count, [](double a, double b) { return truth(a <= b); });
    case Op::greater:
      return two(arguments, to, count, [](double a, double b) { return truth(a > b); });
    default:
      return two(arguments, to, count, [](double a, double b) { return truth(a >= b); });
  }
}

/// The result is missing if either argument is.
template <class F>
void both(const Arguments& arguments, double* to, std::int64_t count, F f) {
  two(arguments, to, count, [f](double a, double b) {
    const double value = f(a, b);
    return is_missing(a) || is_missing(b) ? missing : value;
  });
}

/// Operations of few instructions; false: it is another one.
template <class Put>
bool simple(Op op, const Arguments& arguments, double* to, std::int64_t count) {
  switch (op) {
    case Op::negate:
      one<Put>(arguments, to, count, [](double a) { return -a; });
      return true;
    case Op::sqrt:
      one<Put>(arguments, to, count, [](double a) { return std::sqrt(a); });
      return true;
    case Op::abs:
      one<Put>(arguments, to, count, [](double a) { return std::abs(a); });
      return true;
    case Op::add:
      two<Put>(arguments, to, count, [](double a, double b) { return a + b; });
      return true;
    case Op::subtract:
      two<Put>(arguments, to, count, [](double a, double b) { return a - b; });
      return true;
    case Op::multiply:
      two<Put>(arguments, to, count, [](double a, double b) { return a * b; });
      return true;
    case Op::divide:
      two<Put>(arguments, to, count, [](double a, double b) { return a / b; });
      return true;
    default:
      return false;
  }
}

}  // namespace

EPIOS_VECTOR_CLONES
bool accumulate(Op op, const Arguments& arguments, double* sum, std::int64_t count) {
  return simple<Add>(op, arguments, sum, count);
}

EPIOS_VECTOR_CLONES
void apply(Op op, const Arguments& arguments, double* to, std::int64_t count) {
  if (simple<Set>(op, arguments, to, count)) return;
  switch (op) {
    case Op::cos:
    case Op::sin:
    case Op::tan:
    case Op::exp:
    case Op::log:
    case Op::log10:
      return config::elementary(op, arguments[0].values, to, count);
    case Op::logical_not:
      return one(arguments, to, count, [op](double a) { return config::evaluate(op, a); });
    case Op::power:
      return power(arguments, to, count);
    case Op::equal:
    case Op::not_equal:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
      return compare(op, arguments, to, count);
    case Op::logical_and:
      return both(arguments, to, count, [](double a, double b) { return truth(a != 0 && b != 0); });
    case Op::logical_or:
      return both(arguments, to, count, [](double a, double b) { return truth(a != 0 || b != 0); });
    case Op::min:
      return both(arguments, to, count, [](double a, double b) { return b < a ? b : a; });
    case Op::max:
      return both(arguments, to, count, [](double a, double b) { return a < b ? b : a; });
    default:
      return select(arguments, to, count);
  }
}

}  // namespace epios::io
