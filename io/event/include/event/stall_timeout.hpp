/// @file
/// When to give up what has been waited for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace epios::io {

/// How long an event that clients make together has been waiting for the rest of them, and when to
/// give up.
class StallTimeout {
 public:
  /// `first_s`: seconds after which somebody says so. `end_s`: until it is at its end; 0: never.
  explicit StallTimeout(double first_s, double end_s = 0) : first_s_(first_s), end_s_(end_s) {}

  /// Which event lacks clients at time `now_s`, if any does.
  void look(std::optional<std::uint64_t> event, double now_s);
  /// Whether that has lacked any for too long, as of the last look.
  bool has_expired() const { return end_s_ > 0 && event_ && waited_s_ >= end_s_; }
  /// Seconds after which somebody should look again.
  double step_s() const { return end_s_ > 0 ? std::min(first_s_, end_s_) : first_s_; }
  /// The same; 0 while nothing has begun.
  double wait_s() const { return event_ ? step_s() : 0.0; }

 private:
  double first_s_;
  double end_s_;
  std::optional<std::uint64_t> event_;  // as last seen
  double waited_s_ = 0;
  double since_s_ = 0;
};

}  // namespace epios::io
