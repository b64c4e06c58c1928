#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace epios::client {

/// What a client waited for and packed in the time step in which that took longest. Clocks are
/// those that are read anyway: small records are not in it. Allocates nothing once it is made.
class SlowestStep {
 public:
  using Clock = std::chrono::steady_clock;
  struct Span {
    int stream = -1;       ///< of the record; -1: another event
    bool is_wait = false;  ///< for room; otherwise the record was packed, with waits in between
    Clock::time_point begin;
    double seconds = 0;
  };
  struct Step {
    std::int64_t step = 0;
    std::vector<Span> spans{};  ///< as they ended
    std::int64_t more = 0;      ///< spans that had no room
    double seconds = 0;         ///< of all spans, waits in others once
  };

  SlowestStep();
  /// `own_s`: of the span, without others in it.
  void note(const Span& span, double own_s);
  /// Ends a step.
  void end(std::int64_t step);
  const Step& slowest() const { return slowest_; }

 private:
  Step now_, slowest_;
};

}  // namespace epios::client
