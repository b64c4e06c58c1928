#include "data/run_clock.hpp"

#include <utility>

#include "config/model.hpp"

namespace epios::client {

RunClock::RunClock(const config::Model& model)
    : calendar_(model.calendar()),
      start_(model.start_date),
      steps_before_(model.steps_before),
      now_(date_of(steps_before_)),
      before_now_(now_) {}

void RunClock::advance(std::int64_t step) {
  before_step_ = std::exchange(step_, step);
  before_now_ = std::exchange(now_, date_of(steps_before_ + step));
  has_data_ = false;
}

}  // namespace epios::client
