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

/// Whether processes of a node may share memory that a program did not ask to be shared: EP_SHM=0
/// in the environment says no.
bool shm_is_enabled() noexcept;

/// The way of messages to another process of the node that is not MPI's.
class ShmPeer {
 public:
  /// Before its first use; stays closed where that inbox cannot be reached.
  void open(const PagesAddress& inbox) noexcept { inbox_.open(inbox); }
  explicit operator bool() const noexcept { return static_cast<bool>(inbox_); }

  /// False if it would have to wait: nothing was done.
  bool send_at_once(const ShmMessage& message) noexcept;
  /// In the order of the calls of a thread. True: the data is copied, and `owner` will not be told.
  /// False: it is needed until then.
  bool send(const ShmMessage& message, RawOwner& owner, ShmKind kind);
  /// Sends what waits; how many have gone. Under the engine's lock.
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

/// Memory of another process of the node, which the system lets this one read and write or not.
class PeerMemory {
 public:
  PeerMemory() noexcept = default;
  /// `address` of `process` should hold `value`; EP_TEST_SHM_READ=0 in the environment: cannot be
  /// read.
  PeerMemory(std::int64_t process, std::uint64_t address, std::uint64_t value) noexcept;

  explicit operator bool() const noexcept { return process_ > 0; }
  /// One copy by the system. False if not all of it can be read.
  bool read(std::uint64_t address, std::span<std::byte> into) const noexcept;
  /// The same the other way. EP_TEST_SHM_WRITE=0 in the environment: never.
  bool write(std::uint64_t address, std::span<const std::byte> from) const noexcept;
  /// Whether that process is no more.
  bool is_gone() const noexcept;

 private:
  std::int64_t process_ = 0;
};

}  // namespace ep
