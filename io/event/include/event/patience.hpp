/// @file
/// When to say what a wait is for.
#pragma once

#include <algorithm>
#include <optional>
#include <string>

namespace epios::io {

/// How long something that clients do together has been waiting for the rest of them, when to say
/// so, and when to give up.
class Patience {
 public:
  /// `first_s`: seconds until the first word; each further one comes after twice the time.
  /// `end_s`: until it is at its end; 0: never.
  explicit Patience(double first_s, double end_s = 0) : first_s_(first_s), end_s_(end_s) {}

  /// What is missing at time `now_s`, "" when nothing is; the seconds it has been missing if that
  /// is to be said now.
  std::optional<double> look(const std::string& missing, double now_s);
  /// Whether that has been missing for too long, as of the last look.
  bool is_at_end() const { return end_s_ > 0 && !missing_.empty() && waited_s_ >= end_s_; }
  /// Seconds after which somebody should look again.
  double step_s() const { return end_s_ > 0 ? std::min(first_s_, end_s_) : first_s_; }
  /// The same; 0 while nothing has begun.
  double wait_s() const { return missing_.empty() ? 0.0 : step_s(); }

 private:
  double first_s_;
  double end_s_;
  std::string missing_;  // as last seen
  double waited_s_ = 0;
  double since_s_ = 0;
  double next_word_s_ = 0;
};

}  // namespace epios::io
