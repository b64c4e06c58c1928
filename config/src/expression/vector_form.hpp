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

// Where SLEEF leaves the range of numbers too early: what C gives for one value, from its result.

/// SLEEF gives infinity from 709.78271114955743 on, exp() stays finite up to 709.78271289338397.
double exp_near_overflow(double a, double result);
/// SLEEF gives 0 for the smallest number.
double tan_near_zero(double a, double result);
/// SLEEF gives infinity for results from 1.79769e308 on, also for the largest number itself.
double power_near_overflow(double base, double exponent, double result);

/// Pack is the vector type of one form, with loads and stores at any address, a search for a value
/// of a size, and the functions. A form that is compiled for some processors only is in an
/// anonymous namespace, so that no other form can use its loops by mistake; it calls nothing of the
/// standard library.
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
    if (op == Op::tan) return over(from, to, count, [](auto a) { return tan(a); });
    if (op == Op::exp) return over(from, to, count, [](auto a) { return exp(a); });
    if (op == Op::log) return over(from, to, count, [](auto a) { return Pack::log(a); });
    if (op == Op::log10) return over(from, to, count, [](auto a) { return Pack::log10(a); });
    for (std::int64_t i = 0; i < count; ++i) to[i] = __builtin_nan("");
  }

  static void power(const double* bases, const double* exponents, double* to, std::int64_t count) {
    std::int64_t i = 0;
    for (; i + Pack::width <= count; i += Pack::width) {
      Pack::store(to + i, pow(Pack::load(bases + i), Pack::load(exponents + i)));
    }
    if (i == count) return;
    double base[Pack::width];      // NOLINT(modernize-avoid-c-arrays)
    double exponent[Pack::width];  // NOLINT(modernize-avoid-c-arrays)
    take_rest(bases + i, count - i, base);
    take_rest(exponents + i, count - i, exponent);
    Pack::store(base, pow(Pack::load(base), Pack::load(exponent)));
    for (std::int64_t k = 0; i + k < count; ++k) to[i + k] = base[k];
  }

 private:
  template <class Vector>
  static Vector tan(Vector a) {
    const Vector result = Pack::tan(a);
    return Pack::has_size(a, __DBL_DENORM_MIN__) ? each(a, result, tan_near_zero) : result;
  }

  template <class Vector>
  static Vector exp(Vector a) {
    const Vector result = Pack::exp(a);
    return Pack::has_size(result, __builtin_inf()) ? each(a, result, exp_near_overflow) : result;
  }

  template <class Vector>
  static Vector pow(Vector base, Vector exponent) {
    const Vector result = Pack::pow(base, exponent);
    if (!Pack::has_size(result, __builtin_inf())) return result;
    double bases[Pack::width];    // NOLINT(modernize-avoid-c-arrays)
    double powers[Pack::width];   // NOLINT(modernize-avoid-c-arrays)
    double results[Pack::width];  // NOLINT(modernize-avoid-c-arrays)
    Pack::store(bases, base);
    Pack::store(powers, exponent);
    Pack::store(results, result);
    for (int k = 0; k < Pack::width; ++k) {
      results[k] = power_near_overflow(bases[k], powers[k], results[k]);
    }
    return Pack::load(results);
  }

  template <class Vector>
  static Vector each(Vector from, Vector result, double (*mended)(double a, double result)) {
    double values[Pack::width];   // NOLINT(modernize-avoid-c-arrays)
    double results[Pack::width];  // NOLINT(modernize-avoid-c-arrays)
    Pack::store(values, from);
    Pack::store(results, result);
    for (int k = 0; k < Pack::width; ++k) results[k] = mended(values[k], results[k]);
    return Pack::load(results);
  }

  /// Copies the last values, filled up with a value that every function accepts.
  static void take_rest(const double* from, std::int64_t count, double* rest) {
    for (std::int64_t k = 0; k < Pack::width; ++k) rest[k] = k < count ? from[k] : 1.0;
  }
};

}  // namespace epios::config
