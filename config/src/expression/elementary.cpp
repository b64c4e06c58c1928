#include "config/elementary.hpp"

#include <sleef.h>

#include <cmath>
#include <limits>

#include "expression/vector_form.hpp"

namespace epios::config {

namespace {

// SLEEF's functions of the kind `cinz`: deterministic, and without fused multiply-add, which not
// every processor has.

struct NumberPack {
  static constexpr int width = 1;
  static double load(const double* from) { return *from; }
  static void store(double* to, double value) { *to = value; }
  static bool has_size(double a, double size) { return std::abs(a) == size; }
  static double cos(double a) { return Sleef_cinz_cosd1_u10purec(a); }
  static double sin(double a) { return Sleef_cinz_sind1_u10purec(a); }
  static double tan(double a) { return Sleef_cinz_tand1_u10purec(a); }
  static double exp(double a) { return Sleef_cinz_expd1_u10purec(a); }
  static double log(double a) { return Sleef_cinz_logd1_u10purec(a); }
  static double log10(double a) { return Sleef_cinz_log10d1_u10purec(a); }
  static double pow(double a, double b) { return Sleef_cinz_powd1_u10purec(a, b); }
};

constexpr VectorForm number_form{"number", NumberPack::width, VectorLoops<NumberPack>::elementary,
                                 VectorLoops<NumberPack>::power};

#if defined(__x86_64__)
struct SsePack {
  static constexpr int width = 2;
  static __m128d load(const double* from) { return _mm_loadu_pd(from); }
  static void store(double* to, __m128d value) { _mm_storeu_pd(to, value); }
  static bool has_size(__m128d a, double size) {
    const __m128d absolute = _mm_andnot_pd(_mm_set1_pd(-0.0), a);
    return _mm_movemask_pd(_mm_cmpeq_pd(absolute, _mm_set1_pd(size))) != 0;
  }
  static __m128d cos(__m128d a) { return Sleef_cinz_cosd2_u10sse2(a); }
  static __m128d sin(__m128d a) { return Sleef_cinz_sind2_u10sse2(a); }
  static __m128d tan(__m128d a) { return Sleef_cinz_tand2_u10sse2(a); }
  static __m128d exp(__m128d a) { return Sleef_cinz_expd2_u10sse2(a); }
  static __m128d log(__m128d a) { return Sleef_cinz_logd2_u10sse2(a); }
  static __m128d log10(__m128d a) { return Sleef_cinz_log10d2_u10sse2(a); }
  static __m128d pow(__m128d a, __m128d b) { return Sleef_cinz_powd2_u10sse2(a, b); }
};

constexpr VectorForm sse_form{"SSE2", SsePack::width, VectorLoops<SsePack>::elementary,
                              VectorLoops<SsePack>::power};
#endif

VectorForm widest_form() { return vector_forms().back(); }

/// Chosen once.
const VectorForm& form() {
  static const VectorForm chosen = widest_form();
  return chosen;
}

}  // namespace

std::vector<VectorForm> vector_forms() {
  std::vector<VectorForm> out{number_form};
#if defined(__x86_64__)
  out.push_back(sse_form);
  if (__builtin_cpu_supports("avx") != 0) out.push_back(avx_form());
#endif
  return out;
}

// The C library has one form of each function of `long double`, for all processors.

double exp_near_overflow(double a, double result) {
  constexpr double first_infinite = 709.7827128933841;
  if (!std::isinf(result) || a >= first_infinite) return result;
  return static_cast<double>(std::exp(static_cast<long double>(a)));
}

double tan_near_zero(double a, double result) {
  return std::abs(a) == std::numeric_limits<double>::denorm_min() ? a : result;
}

double power_near_overflow(double base, double exponent, double result) {
  if (!std::isinf(result) || std::isinf(base) || base == 0 || std::isinf(exponent)) return result;
  return static_cast<double>(
      std::pow(static_cast<long double>(base), static_cast<long double>(exponent)));
}

double elementary(ExpressionOp op, double a) {
  double out = 0;
  number_form.elementary(op, &a, &out, 1);
  return out;
}

void elementary(ExpressionOp op, const double* from, double* to, std::int64_t count) {
  form().elementary(op, from, to, count);
}

double power(double base, double exponent) {
  double out = 0;
  number_form.power(&base, &exponent, &out, 1);
  return out;
}

void power(const double* bases, const double* exponents, double* to, std::int64_t count) {
  form().power(bases, exponents, to, count);
}

double sine(double angle) { return Sleef_cinz_sind1_u10purec(angle); }
double cosine(double angle) { return Sleef_cinz_cosd1_u10purec(angle); }
double arc_tangent(double a) { return Sleef_cinz_atand1_u10purec(a); }
double arc_tangent(double y, double x) { return Sleef_cinz_atan2d1_u10purec(y, x); }

}  // namespace epios::config
