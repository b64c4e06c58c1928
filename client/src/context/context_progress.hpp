#pragma once

#include <chrono>

#include "context/client_state.hpp"
#include "context/context_account.hpp"
#include "links/server_link.hpp"

namespace epios::client {

/// What one context's calls do for whoever may wait for this client, while they wait themselves or
/// pass by.
class ContextProgress {
 public:
  using Clock = std::chrono::steady_clock;

  /// What is given outlives this.
  ContextProgress(ClientState& client, ContextAccount& account)
      : client_(client), account_(account) {}

  /// From now on what is sent through the link moves, too; null: no longer.
  void move(ServerLink* link) { link_ = link; }

  /// Takes what the servers say, and moves what goes from and to partners of the client's contexts,
  /// which may wait for room. Throws when the context has failed.
  void poll();
  /// As poll(), in a call that does not wait: at most every few microseconds, and only where
  /// channels need somebody to move their bytes. `now`: the time. Throws when the context has
  /// failed.
  void poll_now_and_then(Clock::time_point now);
  /// While this client waits for partners, or for others of its context: others may wait for it.
  void poll_for_partners();
  /// While it waits for points of other clients, which may wait for what is on its way to servers.
  void poll_for_steps();

 private:
  ClientState& client_;
  ContextAccount& account_;
  ServerLink* link_ = nullptr;
  Clock::time_point polled_;
};

}  // namespace epios::client
