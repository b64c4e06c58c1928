/// @file
/// Floating-point arithmetic of IEEE 754, whatever the model has set.
#pragma once

#if defined(__SSE2__) && (defined(__x86_64__) || defined(_M_X64))
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace epios::config {

/// Sets default floating-point arithmetic while it lives: no traps, rounding to nearest. Models run
/// with traps on invalid operations, with other rounding modes or with denormal numbers flushed to
/// zero. NaN is no mistake here, and results must not depend on the compiler of the model. The
/// destructor restores the settings and flags of the model.
class FpGuard {
 public:
  FpGuard(const FpGuard&) = delete;
  FpGuard(FpGuard&&) = delete;
  FpGuard& operator=(const FpGuard&) = delete;
  FpGuard& operator=(FpGuard&&) = delete;

#if defined(__SSE2__) && (defined(__x86_64__) || defined(_M_X64))
  // Code under a guard uses float and double only, so the settings of the x87 unit (long double)
  // stay. Setting them takes half a microsecond, more than a small field does.
  FpGuard() : settings_(_mm_getcsr()) { set(0x1f80); }
  ~FpGuard() { set(settings_); }

 private:
  static void set(unsigned settings) {
    asm volatile("" ::: "memory");  // keeps arithmetic from moving across it
    _mm_setcsr(settings);
    asm volatile("" ::: "memory");
  }
  unsigned settings_;
#else
  FpGuard() {
    std::fegetenv(&environment_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~FpGuard() { std::fesetenv(&environment_); }

 private:
  std::fenv_t environment_{};
#endif
};

}  // namespace epios::config
