#include "event/stall_timeout.hpp"

namespace epios::io {

void StallTimeout::look(std::optional<std::uint64_t> event, double now_s) {
  if (event != event_) since_s_ = now_s;
  event_ = event;
  waited_s_ = now_s - since_s_;
}

}  // namespace epios::io
