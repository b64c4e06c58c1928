#pragma once

#include "messages/request.hpp"
#include "traces/account.hpp"

namespace ep {

/// Records for listeners that a message of the program has matched its receive.
inline void hear_received(const Request& request) noexcept {
  const EP_Status& status = request.status;
  if (request.owner == nullptr || status.EP_TAG < 0) return;
  if (Account* const account = account_at(*request.owner); account != nullptr) [[unlikely]] {
    account->receive(status.EP_SOURCE, status.EP_TAG, status.ep_bytes);
  }
}

}  // namespace ep
