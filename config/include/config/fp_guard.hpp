/// @file
/// Arithmetic as IEEE 754 has it, whatever a model has set.
#pragma once

#include <cfenv>

namespace epios::config {

/// Models run with traps on invalid operations, with other roundings or with denormal numbers
/// flushed to zero. NaN is no mistake here, and bits may not depend on the model's compiler: while
/// this lives, nothing traps and everything is rounded to nearest. The model finds its own settings
/// and flags again.
class FpGuard {
 public:
  FpGuard() {
    std::fegetenv(&environment_);
    std::fesetenv(FE_DFL_ENV);
  }
  FpGuard(const FpGuard&) = delete;
  FpGuard(FpGuard&&) = delete;
  FpGuard& operator=(const FpGuard&) = delete;
  FpGuard& operator=(FpGuard&&) = delete;
  ~FpGuard() { std::fesetenv(&environment_); }

 private:
  std::fenv_t environment_{};
};

}  // namespace epios::config
