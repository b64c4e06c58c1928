#pragma once

#include <atomic>
#include <cstdint>

namespace ep {

/// Sleeps while `word` holds `expected`, at most `timeout_s` (no bound if <= 0). May return early.
void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected, double timeout_s,
                bool between_processes) noexcept;
void futex_wake(std::atomic<std::uint32_t>& word, bool between_processes) noexcept;

/// Orders everything before against everything after, for "publish, then look for sleepers".
void full_fence() noexcept;

/// The page of a process that its peers on the node map.
struct BellPage {
  std::uint64_t nonce;                       ///< proves that the right page was mapped
  std::atomic<std::uint32_t> bell;           ///< futex word of the polling sleeper
  std::atomic<std::uint32_t> poller_asleep;  ///< somebody sleeps on `bell`
  std::atomic<std::uint32_t> sleepers;       ///< threads in a long wait, polling or not
  std::atomic<std::uint32_t> user_rings;     ///< rings that concern conditions we cannot see
  std::atomic<std::uint32_t> attention;      ///< peers that need us awake for a moment
  std::atomic<std::uint32_t> long_waits;     ///< threads that wait so long that watchdogs ask
};

/// Rings for communication: only the polling sleeper has to look. Costs a load when it is awake.
void ring(BellPage& page) noexcept;
/// Rings for conditions outside this library: every waiter of the process has to look.
void ring_everyone(BellPage& page) noexcept;

/// What a peer needs in order to map a doorbell.
struct BellAddress {
  std::uint64_t host;  ///< boot and pid namespace: elsewhere the pid means another process
  std::int64_t pid;
  std::int32_t descriptor;
  std::uint64_t nonce;
};

/// The doorbell of this process: an anonymous memory file that peers open through /proc, so that
/// nothing has a name and a killed process leaves nothing behind.
class Doorbell {
 public:
  Doorbell();
  Doorbell(const Doorbell&) = delete;
  Doorbell(Doorbell&&) = delete;
  Doorbell& operator=(const Doorbell&) = delete;
  Doorbell& operator=(Doorbell&&) = delete;
  ~Doorbell();

  BellPage& page() noexcept { return *page_; }
  BellAddress address() const noexcept;

 private:
  int descriptor_ = -1;
  BellPage* page_ = nullptr;
};

/// A mapped doorbell of another process.
class PeerBell {
 public:
  PeerBell() noexcept = default;
  /// Empty when the address is not of this node or may not be opened.
  explicit PeerBell(const BellAddress& address) noexcept;
  PeerBell(const PeerBell&) = delete;
  PeerBell& operator=(const PeerBell&) = delete;
  PeerBell(PeerBell&& other) noexcept;
  PeerBell& operator=(PeerBell&& other) noexcept;
  ~PeerBell();

  explicit operator bool() const noexcept { return page_ != nullptr; }
  BellPage& page() const noexcept { return *page_; }

 private:
  BellPage* page_ = nullptr;
};

}  // namespace ep
