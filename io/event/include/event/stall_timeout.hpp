/// @file
/// When to give up waiting.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace epios::io {

/// Tracks how long an incomplete event has been waiting for clients, and when to give up.
class StallTimeout {
 public:
  /// `first_s` is the number of seconds before the first report, `end_s` the number before giving
  /// up; 0 means never.
  explicit StallTimeout(double first_s, double end_s = 0) : first_s_(first_s), end_s_(end_s) {}

  /// Notes which event lacks clients at time `now_s`, if any does.
  void look(std::optional<std::uint64_t> event, double now_s);
  /// Returns true if that event had lacked clients for too long at the last look().
  bool has_expired() const { return end_s_ > 0 && event_ && waited_s_ >= end_s_; }
  /// Returns the seconds after which to look again.
  double step_s() const { return end_s_ > 0 ? std::min(first_s_, end_s_) : first_s_; }
  /// Returns step_s() while an event lacks clients, and 0 otherwise.
  double wait_s() const { return event_ ? step_s() : 0.0; }

 private:
  double first_s_;
  double end_s_;
  std::optional<std::uint64_t> event_;  // event at the last look
  double waited_s_ = 0;
  double since_s_ = 0;
};

}  // namespace epios::io
