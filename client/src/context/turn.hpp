#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>
#include <thread>

#include "context/client_state.hpp"

namespace epios::client {

/// A thread's turn with a client and its contexts: from the start to the end of a call. Takes a few
/// ns.
class Turn {
 public:
  /// Those that only ask and those that send tiles come from several threads: others wait for them.
  enum class Kind : std::uint8_t { change, question, tile };

  /// Throws Error{call_order} while it is the turn of another thread that changes something, unless
  /// the client is patient; a tile waits. A turn may contain others of the same thread. `context`:
  /// the id of the one that is called, for the error.
  explicit Turn(ClientState& client, std::string_view context = {}, Kind kind = Kind::change)
      : queue_(&client.turns()) {
    // Of each thread other addresses, of each kind one of them.
    alignas(4) thread_local const std::array<char, 4> self{};
    const void* const holder = queue_->holder.load(std::memory_order_relaxed);
    if (place_of(holder) == place_of(self.data())) {
      queue_ = nullptr;  // the outer call's
      return;
    }
    if (holder != nullptr && kind_of(holder) == Kind::change && kind != Kind::tile &&
        !queue_->is_patient.load(std::memory_order_relaxed)) {
      refuse(client, context);
    }
    ticket_ = queue_->tickets.fetch_add(1, std::memory_order_relaxed);
    if (queue_->served.load(std::memory_order_acquire) != ticket_) wait();
    queue_->holder.store(&self[static_cast<std::size_t>(kind)], std::memory_order_relaxed);
  }
  Turn(const Turn&) = delete;
  Turn(Turn&&) = delete;
  Turn& operator=(const Turn&) = delete;
  Turn& operator=(Turn&&) = delete;
  ~Turn() {
    if (queue_ == nullptr) return;
    queue_->holder.store(nullptr, std::memory_order_relaxed);
    // Who waits looks by itself: to wake it would cost each call that nobody waits for 10 ns.
    queue_->served.store(ticket_ + 1, std::memory_order_release);
  }

 private:
  static std::uintptr_t place_of(const void* holder) {
    return reinterpret_cast<std::uintptr_t>(holder) & ~std::uintptr_t{3};
  }
  static Kind kind_of(const void* holder) {
    return static_cast<Kind>(reinterpret_cast<std::uintptr_t>(holder) & 3U);
  }
  void wait() const;
  [[noreturn]] static void refuse(const ClientState& client, std::string_view context);

  TurnQueue* queue_;  // null: the turn is not this one's to end
  std::uint32_t ticket_ = 0;
};

}  // namespace epios::client
