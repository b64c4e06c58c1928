/// @file
/// The elementary functions of expressions and of the sphere. They give the same bits on every
/// processor, for single values and in arrays, whatever the neighbouring values; those of the C
/// library take other instructions where a processor has them. Pure, thread-safe.
#pragma once

#include <cstdint>

#include "config/expression.hpp"

namespace epios::config {

/// Computes one of cos, sin, tan, exp, log and log10 within 1 ulp of the exact value. Gives NaN
/// outside of its domain and infinities as C does. Gives NaN for any other operation.
double elementary(ExpressionOp op, double a);
/// Computes to[i] = elementary(op, from[i]). `to` may be `from`.
void elementary(ExpressionOp op, const double* from, double* to, std::int64_t count);

/// Compute the function of an angle in radians, within 1 ulp.
double sine(double angle);
double cosine(double angle);
/// Compute what atan() and atan2() of C do, within 1 ulp.
double arc_tangent(double a);
double arc_tangent(double y, double x);

/// Computes `base` to the power of `exponent` with the special cases of C's pow(), within 1 ulp.
double power(double base, double exponent);
/// Computes to[i] = power(bases[i], exponents[i]). `to` may be either input.
void power(const double* bases, const double* exponents, double* to, std::int64_t count);

}  // namespace epios::config
