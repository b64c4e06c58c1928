/// @file
/// The elementary functions of expressions and of the sphere, with the same bits on every
/// processor: alone and in arrays, whatever stands beside a value. Those of the C library take
/// other instructions where a processor has them. Pure, thread-safe.
#pragma once

#include <cstdint>

#include "config/expression.hpp"

namespace epios::config {

/// Whether elementary() knows it: cos, sin, tan, exp, log, log10.
constexpr bool is_elementary(ExpressionOp op) {
  return op >= ExpressionOp::cos && op <= ExpressionOp::log10;
}

/// Within 1 ulp of the exact value. NaN outside of the domain, infinities as C has them; NaN for
/// what is not elementary.
double elementary(ExpressionOp op, double a);
/// to[i] = elementary(op, from[i]). `to` may be `from`.
void elementary(ExpressionOp op, const double* from, double* to, std::int64_t count);

/// Of an angle in radians, within 1 ulp.
double sine(double angle);
double cosine(double angle);
/// As atan() and atan2() of C, within 1 ulp.
double arc_tangent(double a);
double arc_tangent(double y, double x);

/// `base` to the power of `exponent` as C's pow() says it, within 1 ulp.
double power(double base, double exponent);
/// to[i] = power(bases[i], exponents[i]). `to` may be any of both.
void power(const double* bases, const double* exponents, double* to, std::int64_t count);

}  // namespace epios::config
