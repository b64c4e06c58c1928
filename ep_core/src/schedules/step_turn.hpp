#pragma once

#include <atomic>
#include <thread>

namespace ep {

/// Lets one thread at a time take the steps of an operation. A thread that finds the turn taken
/// leaves word and need not wait.
///
/// No change is missed: a thread leaves word after the change that it saw and before it tries to
/// take the turn, and the thread with the turn checks for word after it has given the turn back.
class StepTurn {
 public:
  /// Calls `step()`, unless another thread has the turn; that thread will then call it again.
  template <class Step>
  void step_or_leave_word(Step&& step) {
    has_word_.store(true, std::memory_order_seq_cst);
    while (has_word_.load(std::memory_order_seq_cst) && try_take()) {
      has_word_.store(false, std::memory_order_seq_cst);
      step();
      give_back();
    }
  }
  bool try_take() noexcept { return !is_taken_.exchange(true, std::memory_order_seq_cst); }
  void take() noexcept {
    while (!try_take()) std::this_thread::yield();
  }
  void give_back() noexcept { is_taken_.store(false, std::memory_order_seq_cst); }
  /// Clears the word that was left. No thread may be in a call of this object.
  void clear() noexcept { has_word_.store(false, std::memory_order_relaxed); }

 private:
  std::atomic<bool> is_taken_{false};
  std::atomic<bool> has_word_{false};
};

}  // namespace ep
