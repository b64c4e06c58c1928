/// @file
/// Numbers that know how far another program's double may be from them.
#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

namespace epios::io::test {

/// A value in long double, and a bound for the error of the same in double: what was rounded, and
/// what became of it. Where the error decides (a comparison of near equals, a jump, a quotient by
/// nearly nothing) the result is unsure: nothing is claimed about it, nor about what follows.
struct Bounded {
  long double value = 0;
  long double error = 0;

  Bounded() = default;
  // Numbers of the program are exact.
  Bounded(long double v) : value(v) {}  // NOLINT(google-explicit-constructor)

  static Bounded unsure() {
    Bounded out;
    out.error = std::numeric_limits<long double>::infinity();
    return out;
  }
  bool is_unsure() const { return std::isinf(error); }
  bool is_missing() const { return std::isnan(value); }
  bool is_exact() const { return error == 0; }
};

/// `value` with an error of its operands and of some roundings to double.
inline Bounded rounded(long double value, long double error, long double roundings = 1) {
  if (std::isnan(value) || std::isinf(value))
    return error == 0 ? Bounded(value) : Bounded::unsure();
  const long double size = std::fabs(value);
  // Double overflows and loses bits where long double does not.
  if (size > 1e300L || (size < 1e-290L && size > 0)) return Bounded::unsure();
  const bool is_representable = static_cast<long double>(static_cast<double>(value)) == value;
  Bounded out(value);
  out.error = error;
  if (error > 0 || !is_representable || roundings > 1) {
    out.error += roundings * size * std::numeric_limits<double>::epsilon();
  }
  return out;
}

/// One of several operands.
inline bool is_any_unsure(std::initializer_list<Bounded> operands) {
  return std::any_of(operands.begin(), operands.end(),
                     [](const Bounded& operand) { return operand.is_unsure(); });
}

inline Bounded operator-(const Bounded& a) {
  Bounded out = a;
  out.value = -a.value;
  return out;
}
inline Bounded operator+(const Bounded& a, const Bounded& b) {
  if (is_any_unsure({a, b})) return Bounded::unsure();
  return rounded(a.value + b.value, a.error + b.error);
}
inline Bounded operator-(const Bounded& a, const Bounded& b) { return a + -b; }
inline Bounded operator*(const Bounded& a, const Bounded& b) {
  if (is_any_unsure({a, b})) return Bounded::unsure();
  const bool is_finite = std::isfinite(a.value) && std::isfinite(b.value);
  if (!is_finite) return rounded(a.value * b.value, a.error + b.error);
  return rounded(a.value * b.value,
                 std::fabs(a.value) * b.error + std::fabs(b.value) * a.error + a.error * b.error);
}
inline Bounded operator/(const Bounded& a, const Bounded& b) {
  if (is_any_unsure({a, b})) return Bounded::unsure();
  if (b.error > 0 && std::fabs(b.value) <= 2 * b.error) return Bounded::unsure();
  const long double value = a.value / b.value;
  if (!std::isfinite(value)) return rounded(value, a.error + b.error);
  return rounded(value, (a.error + std::fabs(value) * b.error) / (std::fabs(b.value) - b.error));
}

/// What a function makes of the ends of what a number may be; unsure where that says nothing.
template <class F>
Bounded through(const Bounded& a, F f, long double roundings = 4) {
  if (a.is_unsure()) return a;
  const long double value = f(a.value);
  if (a.is_exact()) return rounded(value, 0, roundings);
  const long double low = f(a.value - a.error);
  const long double high = f(a.value + a.error);
  if (!std::isfinite(value) || !std::isfinite(low) || !std::isfinite(high)) {
    return Bounded::unsure();
  }
  return rounded(value, std::max(std::fabs(high - value), std::fabs(low - value)), roundings);
}

/// 1, 0 or unsure; `compare` of the values, if their errors do not matter.
template <class F>
Bounded compared(const Bounded& a, const Bounded& b, F compare) {
  if (is_any_unsure({a, b})) return Bounded::unsure();
  const bool is_near = std::fabs(a.value - b.value) <= a.error + b.error;
  if (is_near && a.error + b.error > 0) return Bounded::unsure();
  return {compare(a.value, b.value) ? 1.0L : 0.0L};
}

/// Whether it counts as true: 1, 0, missing or unsure.
inline Bounded truth(const Bounded& a) {
  if (a.is_unsure() || a.is_missing()) return a;
  return compared(a, Bounded(0), [](long double x, long double y) { return x != y; });
}

}  // namespace epios::io::test
