#pragma once

#include <cstdint>
#include <string>

#include "config/calendar.hpp"
#include "config/model_fwd.hpp"

namespace epios::client {

/// Where a context is in its run: the step and its date, and whether it has had data yet.
class RunClock {
 public:
  /// At step 0 of this run. `model` is not kept.
  explicit RunClock(const config::Model& model);

  /// Steps of this run.
  std::int64_t step() const { return step_; }
  /// Steps since the model's start, also of runs before this one.
  std::int64_t model_step() const { return steps_before_ + step_; }
  config::Instant now() const { return now_; }
  const config::Calendar& calendar() const { return calendar_; }
  std::string text() const { return calendar_.text(now_); }
  /// Returns the date of a step since the model's start.
  config::Instant date_of(std::int64_t model_step) const {
    return calendar_.at_step(start_, model_step);
  }

  /// Goes on to a later step of this run.
  void advance(std::int64_t step);
  /// Something has been sent or received at this date.
  void note_data() { has_data_ = true; }
  bool has_data() const { return has_data_; }

  // When the run ends: a step in which there were no data has only been announced.

  config::Instant end() const { return has_data_ ? now_ : before_now_; }
  std::int64_t end_model_step() const { return steps_before_ + (has_data_ ? step_ : before_step_); }

 private:
  config::Calendar calendar_;
  config::Instant start_;
  std::int64_t steps_before_;
  std::int64_t step_ = 0;
  config::Instant now_;
  bool has_data_ = false;
  config::Instant before_now_;  // the date before the last advance()
  std::int64_t before_step_ = 0;
};

}  // namespace epios::client
