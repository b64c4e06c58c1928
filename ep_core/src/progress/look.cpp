#include "progress/look.hpp"

#include <atomic>
#include <chrono>
#include <thread>

#include "progress/question.hpp"

namespace ep {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds looks_apart{20};

/// One of a process, as the signal is that is handed on.
struct Look {
  std::atomic<bool> is_there{false};
  std::atomic<bool> is_looking{false};  // who has set it owns what follows
  void (*function)(void* state, int asked) = nullptr;
  void* state = nullptr;
  Clock::time_point last{};
};
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
Look own;

}  // namespace

void set_look(void (*look)(void* state, int asked), void* state) noexcept {
  while (own.is_looking.exchange(true, std::memory_order_acquire)) std::this_thread::yield();
  if (look != nullptr || own.state == state) {
    own.function = look;
    own.state = look != nullptr ? state : nullptr;
    own.is_there.store(look != nullptr);
  }
  own.is_looking.store(false, std::memory_order_release);
}

bool has_look() noexcept { return own.is_there.load(std::memory_order_relaxed); }

void let_look() {
  if (own.is_looking.exchange(true, std::memory_order_acquire)) return;  // we ourselves, perhaps
  const Clock::time_point now = Clock::now();
  if (own.function != nullptr && now - own.last >= looks_apart) {
    own.last = now;
    own.function(own.state, was_asked() ? 1 : 0);
  }
  own.is_looking.store(false, std::memory_order_release);
}

}  // namespace ep
