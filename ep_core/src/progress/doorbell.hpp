#pragma once

#include <atomic>
#include <cstdint>

#include "progress/shared_pages.hpp"

namespace ep {

/// Sleeps while `word` holds `expected`, at most `timeout_s` (no bound if <= 0). May return early.
void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected, double timeout_s,
                bool between_processes) noexcept;
void futex_wake(std::atomic<std::uint32_t>& word, bool between_processes) noexcept;

/// Orders everything before against everything after, for "publish, then check for sleepers".
void full_fence() noexcept;

/// The page of a process that its peers on the node map.
struct BellPage {
  std::uint64_t nonce;                       ///< checked by SharedPages
  std::atomic<std::uint32_t> bell;           ///< futex word of the polling sleeper
  std::atomic<std::uint32_t> poller_asleep;  ///< non-zero if a thread sleeps on `bell`
  std::atomic<std::uint32_t> sleepers;       ///< threads in a long wait, polling or not
  std::atomic<std::uint32_t> user_rings;  ///< number of rings for conditions of the library above
  /// Number of peers that need this process awake for a moment.
  std::atomic<std::uint32_t> attention;
  /// Number of threads that wait long enough for watchdog reports.
  std::atomic<std::uint32_t> long_waits;
};

/// Rings for communication: only the polling sleeper has to check. Costs one load if it is awake.
void ring(BellPage& page) noexcept;
/// Rings for conditions outside this library: every waiter of the process has to check.
void ring_everyone(BellPage& page) noexcept;

/// The doorbell of this process.
class Doorbell {
 public:
  Doorbell();

  BellPage& page() noexcept { return *static_cast<BellPage*>(pages_.data()); }
  PagesAddress address() const noexcept { return pages_.address(); }

 private:
  SharedPages pages_;
};

/// The mapped doorbell of another process.
class PeerBell {
 public:
  PeerBell() noexcept = default;
  /// Stays empty if the address is not of this node or may not be opened.
  explicit PeerBell(const PagesAddress& address) noexcept;

  explicit operator bool() const noexcept { return static_cast<bool>(pages_); }
  BellPage& page() const noexcept { return *static_cast<BellPage*>(pages_.data()); }

 private:
  PeerPages pages_;
};

}  // namespace ep
