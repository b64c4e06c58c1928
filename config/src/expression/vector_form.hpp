/// @file
/// Loops of the elementary functions for one width of vectors.
#pragma once

#include <cstdint>
#include <vector>

#include "config/expression.hpp"

namespace epios::config {

struct VectorForm {
  const char* name = "";
  int width = 1;  // number of values computed at a time
  void (*elementary)(ExpressionOp op, const double* from, double* to, std::int64_t count) = nullptr;
  void (*power)(const double* bases, const double* exponents, double* to,
                std::int64_t count) = nullptr;
};

/// Returns the forms of this processor, from one value to the widest.
std::vector<VectorForm> vector_forms();

/// Available only if the processor has AVX.
VectorForm avx_form();

/// Pack is the vector type of one form, with loads and stores at any address, and the functions. A
/// form that is compiled for some processors only is in an anonymous namespace, so that no other
/// form can use its loops by mistake; it calls nothing of the standard library.
template <class Pack>
struct VectorLoops {
  template <class Function>
  static void over(const double* from, double* to, std::int64_t count, Function function) {
    std::int64_t i = 0;
    for (; i + Pack::width <= count; i += Pack::width) {
      Pack::store(to + i, function(Pack::load(from + i)));
    }
    if (i == count) return;
    double rest[Pack::width];  // NOLINT(modernize-avoid-c-arrays)
    take_rest(from + i, count - i, rest);
    Pack::store(rest, function(Pack::load(rest)));
    for (std::int64_t k = 0; i + k < count; ++k) to[i + k] = rest[k];
  }

  static void elementary(ExpressionOp op, const double* from, double* to, std::int64_t count) {
    using Op = ExpressionOp;
    if (op == Op::cos) return over(from, to, count, [](auto a) { return Pack::cos(a); });
    if (op == Op::sin) return over(from, to, count, [](auto a) { return Pack::sin(a); });
    if (op == Op::tan) return over(from, to, count, [](auto a) { return Pack::tan(a); });
    if (op == Op::exp) return over(from, to, count, [](auto a) { return Pack::exp(a); });
    if (op == Op::log) return over(from, to, count, [](auto a) { return Pack::log(a); });
    if (op == Op::log10) return over(from, to, count, [](auto a) { return Pack::log10(a); });
    for (std::int64_t i = 0; i < count; ++i) to[i] = __builtin_nan("");
  }

  static void power(const double* bases, const double* exponents, double* to, std::int64_t count) {
    std::int64_t i = 0;
    for (; i + Pack::width <= count; i += Pack::width) {
      Pack::store(to + i, Pack::pow(Pack::load(bases + i), Pack::load(exponents + i)));
    }
    if (i == count) return;
    double base[Pack::width];      // NOLINT(modernize-avoid-c-arrays)
    double exponent[Pack::width];  // NOLINT(modernize-avoid-c-arrays)
    take_rest(bases + i, count - i, base);
    take_rest(exponents + i, count - i, exponent);
    Pack::store(base, Pack::pow(Pack::load(base), Pack::load(exponent)));
    for (std::int64_t k = 0; i + k < count; ++k) to[i + k] = base[k];
  }

 private:
  /// Copies the last values, filled up with a value that every function accepts.
  static void take_rest(const double* from, std::int64_t count, double* rest) {
    for (std::int64_t k = 0; k < Pack::width; ++k) rest[k] = k < count ? from[k] : 1.0;
  }
};

}  // namespace epios::config
