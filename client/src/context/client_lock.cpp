#include "context/client_lock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "config/error.hpp"

namespace epios::client {

void ClientLock::wait() const {
  constexpr int looks_awake = 200;
  constexpr std::chrono::microseconds shortest{20};
  constexpr std::chrono::microseconds longest{500};
  int looks = 0;
  auto pause = shortest;
  while (lock_->served.load(std::memory_order_acquire) != ticket_) {
    if (++looks <= looks_awake) {
      std::this_thread::yield();
      continue;
    }
    std::this_thread::sleep_for(pause);
    if (looks % looks_awake == 0) pause = std::min(2 * pause, longest);
  }
}

void ClientLock::refuse(const ClientState& client, std::string_view context) {
  throw Error(
      ErrorCode::call_order,
      fmt::format("{}two threads call client {} at the same time (a client and its contexts "
                  "belong to one thread at a time, but for tiles). Open one client per "
                  "thread, or let only one of them call?",
                  context.empty() ? "" : fmt::format("context '{}': ", context), client.rank()));
}

}  // namespace epios::client
