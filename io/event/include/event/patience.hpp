/// @file
/// When to say what a wait is for.
#pragma once

#include <optional>
#include <string>

namespace epios::io {

/// How long something that clients do together has been waiting for the rest of them, and when to
/// say so.
class Patience {
 public:
  /// `first_s`: seconds until the first word; each further one comes after twice the time.
  explicit Patience(double first_s) : first_s_(first_s) {}

  /// What is missing at time `now_s`, "" when nothing is; the seconds it has been missing if that
  /// is to be said now.
  std::optional<double> look(const std::string& missing, double now_s);
  /// Seconds until what has begun should be complete; 0 while nothing has begun.
  double wait_s() const { return missing_.empty() ? 0.0 : first_s_; }

 private:
  double first_s_;
  std::string missing_;  // as last seen
  double since_s_ = 0;
  double next_word_s_ = 0;
};

}  // namespace epios::io
