#include "progress/doorbell.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <cmath>
#include <ctime>

namespace ep {

namespace {

constexpr std::size_t page_bytes = 4096;

}  // namespace

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected, double timeout_s,
                bool between_processes) noexcept {
  static_assert(sizeof word == sizeof(std::uint32_t));
  timespec timeout{};
  timeout.tv_sec = static_cast<time_t>(std::floor(timeout_s));
  timeout.tv_nsec = static_cast<long>((timeout_s - std::floor(timeout_s)) * 1e9);
  const int op = between_processes ? FUTEX_WAIT : FUTEX_WAIT_PRIVATE;
  // After any outcome (woken, value changed, timeout, signal) the caller checks again.
  static_cast<void>(
      syscall(SYS_futex, &word, op, expected, timeout_s > 0 ? &timeout : nullptr, nullptr, 0));
}

void futex_wake(std::atomic<std::uint32_t>& word, bool between_processes) noexcept {
  const int op = between_processes ? FUTEX_WAKE : FUTEX_WAKE_PRIVATE;
  static_cast<void>(syscall(SYS_futex, &word, op, INT_MAX, nullptr, nullptr, 0));
}

void full_fence() noexcept {
#ifdef __SANITIZE_THREAD__
  // ThreadSanitizer knows no fences; a read-modify-write of one word orders the same way.
  static std::atomic<std::uint32_t> word{0};
  word.fetch_add(1, std::memory_order_seq_cst);
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

void ring(BellPage& page) noexcept {
  full_fence();
  if (page.poller_asleep.load(std::memory_order_seq_cst) == 0) return;
  page.bell.fetch_add(1, std::memory_order_seq_cst);
  futex_wake(page.bell, true);
}

void ring_everyone(BellPage& page) noexcept {
  full_fence();
  if (page.sleepers.load(std::memory_order_seq_cst) == 0) return;
  page.user_rings.fetch_add(1, std::memory_order_seq_cst);
  page.bell.fetch_add(1, std::memory_order_seq_cst);
  futex_wake(page.bell, true);
}

// Peers that cannot map the page will poll instead of ringing.
Doorbell::Doorbell() : pages_("ep_doorbell", page_bytes) {}

PeerBell::PeerBell(const PagesAddress& address) noexcept : pages_(address, page_bytes) {}

}  // namespace ep
