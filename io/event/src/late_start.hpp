#pragma once

#include <string>
#include <thread>

namespace epios::io {

/// Beside the rendezvous, when nobody knows yet who is there: says a line once it has taken long
/// (as EP_WATCHDOG_S has it, else half a minute). Until then it sleeps; the thread makes no call of
/// MPI.
class LateStart {
 public:
  LateStart() = default;
  explicit LateStart(std::string line);

 private:
  std::jthread thread_;
};

}  // namespace epios::io
