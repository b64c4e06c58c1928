/// @file
/// Arithmetic as IEEE 754 has it, whatever a model has set.
#pragma once

#if defined(__SSE2__) && (defined(__x86_64__) || defined(_M_X64))
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace epios::config {

/// Models run with traps on invalid operations, with other roundings or with denormal numbers
/// flushed to zero. NaN is no mistake here, and bits may not depend on the model's compiler: while
/// this lives, nothing traps and everything is rounded to nearest. The model finds its own settings
/// and flags again.
class FpGuard {
 public:
  FpGuard(const FpGuard&) = delete;
  FpGuard(FpGuard&&) = delete;
  FpGuard& operator=(const FpGuard&) = delete;
  FpGuard& operator=(FpGuard&&) = delete;

#if defined(__SSE2__) && (defined(__x86_64__) || defined(_M_X64))
  // float and double are all that is worked with under a guard: what the other unit has for long
  // double stays as it is. Setting that one takes half a microsecond, more than a small field does.
  FpGuard() : settings_(_mm_getcsr()) { set(0x1f80); }
  ~FpGuard() { set(settings_); }

 private:
  static void set(unsigned settings) {
    asm volatile("" ::: "memory");  // no arithmetic moves over it
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
