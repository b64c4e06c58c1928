#pragma once

#include <epios/epios.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>
#include <thread>

#include "client_state.hpp"
#include "context_state.hpp"
#include "handle_table.hpp"

namespace epios::client {

/// A thread's turn with a client and its contexts: from the start to the end of a call. Tiles need
/// none. Those that only ask have it for a moment, and others wait for them. Takes a few ns.
class Turn {
 public:
  enum class Kind { change, question };

  /// Throws Error{call_order} while it is the turn of another thread that changes something. A turn
  /// may contain others of the same thread. `context`: the id of the one that is called, for the
  /// error.
  explicit Turn(ClientState& client, std::string_view context = {}, Kind kind = Kind::change)
      : mark_(&client.turn()) {
    // Of each thread other addresses; the odd ones are those of questions.
    alignas(2) thread_local const std::array<char, 2> self{};
    const void* const mine = &self[kind == Kind::question ? 1 : 0];
    const void* holder = nullptr;
    while (!mark_->compare_exchange_strong(holder, mine, std::memory_order_acquire)) {
      if (holder == &self[0] || holder == &self[1]) {
        mark_ = nullptr;  // the outer call's
        return;
      }
      if (!is_question(holder)) refuse(client, context);
      std::this_thread::yield();
      holder = nullptr;
    }
  }
  Turn(const Turn&) = delete;
  Turn(Turn&&) = delete;
  Turn& operator=(const Turn&) = delete;
  Turn& operator=(Turn&&) = delete;
  ~Turn() {
    if (mark_ != nullptr) mark_->store(nullptr, std::memory_order_release);
  }

 private:
  static bool is_question(const void* holder) {
    return (reinterpret_cast<std::uintptr_t>(holder) & 1U) != 0;
  }
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
  explicit ContextTurn(const epios_context* handle, Turn::Kind kind = Turn::Kind::change)
      : state_(HandleTable::instance().context(handle)),
        turn_(state_.client(), state_.id(), kind) {}
  ContextState& operator*() const { return state_; }
  ContextState* operator->() const { return &state_; }

 private:
  ContextState& state_;
  Turn turn_;
};

}  // namespace epios::client
