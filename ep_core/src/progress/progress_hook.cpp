#include "progress/progress_hook.hpp"

#include <atomic>
#include <chrono>
#include <thread>

#include "progress/diagnostic_signal.hpp"

namespace ep {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds hook_interval{20};

/// A process has one hook, as it has one SIGUSR1.
struct ProgressHook {
  std::atomic<bool> is_set{false};
  std::atomic<bool> is_running{false};  // the thread that set it owns what follows
  void (*function)(void* state, int diagnostics) = nullptr;
  void* state = nullptr;
  Clock::time_point last_run{};
};
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
ProgressHook hook;

}  // namespace

void set_progress_hook(void (*function)(void* state, int diagnostics), void* state) noexcept {
  while (hook.is_running.exchange(true, std::memory_order_acquire)) std::this_thread::yield();
  if (function != nullptr || hook.state == state) {
    hook.function = function;
    hook.state = function != nullptr ? state : nullptr;
    hook.is_set.store(function != nullptr);
  }
  hook.is_running.store(false, std::memory_order_release);
}

bool has_progress_hook() noexcept { return hook.is_set.load(std::memory_order_relaxed); }

void run_progress_hook() {
  if (hook.is_running.exchange(true, std::memory_order_acquire))
    return;  // perhaps this very thread
  const Clock::time_point now = Clock::now();
  if (hook.function != nullptr && now - hook.last_run >= hook_interval) {
    hook.last_run = now;
    hook.function(hook.state, diagnostics_requested() ? 1 : 0);
  }
  hook.is_running.store(false, std::memory_order_release);
}

}  // namespace ep
