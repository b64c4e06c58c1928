#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <span>

#include "progress/engine.hpp"
#include "shm/inbox.hpp"

namespace ep {

/// True if processes of a node may share memory that the program has not requested to be shared;
/// EP_SHM=0 in the environment forbids it.
bool shm_is_enabled() noexcept;

/// Sends messages to another process of the node through shared memory.
class ShmPeer {
 public:
  /// Opens the inbox of the peer before its first use; stays closed if it cannot be reached.
  void open(const PagesAddress& inbox) noexcept { inbox_.open(inbox); }
  explicit operator bool() const noexcept { return static_cast<bool>(inbox_); }

  /// Sends the message if there is room. Otherwise returns false and does nothing.
  bool send_at_once(const ShmMessage& message) noexcept;
  /// Sends messages in the order of the calls of a thread. Returns true if the data has been
  /// copied; then `owner` is not notified. Returns false if the data is needed until `owner` is
  /// notified.
  bool send(const ShmMessage& message, RawOwner& owner, ShmKind kind);
  /// Sends waiting messages; returns how many have left. Called under the engine's lock.
  int push() noexcept;
  CopyPage* copy(std::uint32_t number) const noexcept { return inbox_.copy(number); }
  bool has_queued() const noexcept { return queued_.load(std::memory_order_acquire) > 0; }

 private:
  struct Queued {
    ShmMessage message;
    RawOwner* owner = nullptr;
  };

  PeerInbox inbox_;
  std::atomic<int> queued_{0};
  std::mutex mutex_;
  std::deque<Queued> queue_;
};

/// Memory of another process of the node, which the system may let this one read and write.
class PeerMemory {
 public:
  PeerMemory() noexcept = default;
  /// Tests whether `address` of `process` can be read and holds `value`; EP_TEST_SHM_READ=0 in the
  /// environment makes it unreadable.
  PeerMemory(std::int64_t process, std::uint64_t address, std::uint64_t value) noexcept;

  explicit operator bool() const noexcept { return process_ > 0; }
  /// Reads by one copy of the operating system. Returns false if not all bytes can be read.
  bool read(std::uint64_t address, std::span<std::byte> into) const noexcept;
  /// Writes by one copy of the operating system. Returns false if not all bytes can be written;
  /// EP_TEST_SHM_WRITE=0 in the environment makes it always fail.
  bool write(std::uint64_t address, std::span<const std::byte> from) const noexcept;
  /// True if that process has ended.
  bool is_gone() const noexcept;

 private:
  std::int64_t process_ = 0;
};

}  // namespace ep
