#pragma once

#include <epios/epios.h>

#include <atomic>
#include <string_view>

#include "client_state.hpp"
#include "context_state.hpp"
#include "handle_table.hpp"

namespace epios::client {

/// A thread's turn with a client and its contexts: from the start to the end of a call that changes
/// them. Tiles need none, and two that only ask do not disturb each other. Takes a few ns.
class Turn {
 public:
  /// Throws Error{call_order} while it is another thread's turn. A turn may contain others of the
  /// same thread. `context`: the id of the one that is called, for the error.
  explicit Turn(ClientState& client, std::string_view context = {}) : mark_(&client.turn()) {
    // Of each thread another address.
    thread_local const char self = 0;
    const void* holder = nullptr;
    if (mark_->compare_exchange_strong(holder, &self, std::memory_order_acquire)) return;
    if (holder != &self) refuse(client, context);
    mark_ = nullptr;  // the outer call's
  }
  Turn(const Turn&) = delete;
  Turn(Turn&&) = delete;
  Turn& operator=(const Turn&) = delete;
  Turn& operator=(Turn&&) = delete;
  ~Turn() {
    if (mark_ != nullptr) mark_->store(nullptr, std::memory_order_release);
  }

 private:
  [[noreturn]] static void refuse(const ClientState& client, std::string_view context);

  std::atomic<const void*>* mark_;  // null: not this one's to clear
};

/// The client of a handle, in the calling thread's turn.
class ClientTurn {
 public:
  explicit ClientTurn(const epios_client* handle)
      : state_(HandleTable::instance().client(handle)), turn_(state_) {}
  ClientState* operator->() const { return &state_; }

 private:
  ClientState& state_;
  Turn turn_;
};

/// The context of a handle, in the calling thread's turn.
class ContextTurn {
 public:
  explicit ContextTurn(const epios_context* handle)
      : state_(HandleTable::instance().context(handle)), turn_(state_.client(), state_.id()) {}
  ContextState& operator*() const { return state_; }
  ContextState* operator->() const { return &state_; }

 private:
  ContextState& state_;
  Turn turn_;
};

}  // namespace epios::client
