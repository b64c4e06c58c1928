#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>
#include <thread>

#include "config/index.hpp"
#include "context/client_state.hpp"

namespace epios::client {

/// Locks a client and its contexts for one thread, from the start to the end of a call. Takes a few
/// ns.
class ClientLock {
 public:
  /// Those that only ask and those that send tiles come from several threads: others wait for them.
  enum class Kind : std::uint8_t { change, question, tile };

  /// Throws Error{call_order} while another thread changes something, unless calls of the client
  /// block; a tile waits. A thread may lock a client again that it has locked. `context`: the id of
  /// the one that is called, for the error.
  explicit ClientLock(ClientState& client, std::string_view context = {}, Kind kind = Kind::change)
      : lock_(&client.ticket_lock()) {
    // Each thread has addresses of its own, one for each kind.
    alignas(4) thread_local const std::array<char, 4> self{};
    const void* const holder = lock_->holder.load(std::memory_order_relaxed);
    if (place_of(holder) == place_of(self.data())) {
      lock_ = nullptr;  // the outer call's
      return;
    }
    if (holder != nullptr && kind_of(holder) == Kind::change && kind != Kind::tile &&
        !lock_->is_blocking.load(std::memory_order_relaxed)) {
      refuse(client, context);
    }
    ticket_ = lock_->tickets.fetch_add(1, std::memory_order_relaxed);
    if (lock_->served.load(std::memory_order_acquire) != ticket_) wait();
    lock_->holder.store(&nth(self, kind), std::memory_order_relaxed);
  }
  ClientLock(const ClientLock&) = delete;
  ClientLock(ClientLock&&) = delete;
  ClientLock& operator=(const ClientLock&) = delete;
  ClientLock& operator=(ClientLock&&) = delete;
  ~ClientLock() {
    if (lock_ == nullptr) return;
    lock_->holder.store(nullptr, std::memory_order_relaxed);
    // Who waits looks by itself: to wake it would cost each call that nobody waits for 10 ns.
    lock_->served.store(ticket_ + 1, std::memory_order_release);
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

  TicketLock* lock_;  // null: an outer call has locked it
  std::uint32_t ticket_ = 0;
};

}  // namespace epios::client
