/// @file
/// Thin C++ interface over <ep/work_sharing.h>.
#pragma once

#include <ep/work_sharing.h>

#include <atomic>
#include <ep/ep.hpp>
#include <exception>
#include <type_traits>
#include <utility>

namespace ep {

/// Returns true if helper threads may take work that the calling thread shares now
/// (EP_Helpers_available). Local, any thread.
inline bool helpers_available() {
  int flag = 0;
  check(EP_Helpers_available(&flag));
  return flag != 0;
}

/// Calls EP_Share_work with work that may throw. After an exception no further item begins; once no
/// item is running, the function rethrows the first exception. Local, any thread.
template <class Work>
void share_work(int items, Work&& work) {
  struct State {
    std::remove_reference_t<Work>* work;
    std::atomic<bool> has_failed{false};
    std::exception_ptr error;
  } state{&work, false, nullptr};
  check(EP_Share_work(
      items,
      [](int item, void* opaque) {
        auto& s = *static_cast<State*>(opaque);
        if (s.has_failed.load(std::memory_order_relaxed)) return;
        try {
          (*s.work)(item);
        } catch (...) {
          if (!s.has_failed.exchange(true)) s.error = std::current_exception();
        }
      },
      &state));
  if (state.error) std::rethrow_exception(state.error);
}

/// A pool of threads that help other threads of their process while they wait. Any thread may use
/// it; all threads must have returned from help_until() before the pool is destroyed.
class HelperPool {
 public:
  /// Creates a pool without threads. Local. Throws Error.
  HelperPool() { check(EP_Team_create(1, MPI_INFO_NULL, &team_)); }
  HelperPool(const HelperPool&) = delete;
  HelperPool(HelperPool&&) = delete;
  HelperPool& operator=(const HelperPool&) = delete;
  HelperPool& operator=(HelperPool&&) = delete;
  ~HelperPool() { static_cast<void>(EP_Team_free(team_)); }

  /// Makes the calling thread help until `is_over()` returns true (EP_Team_help_until). An
  /// exception from `is_over` ends the wait and propagates.
  template <class IsOver>
  void help_until(WaitReason reason, IsOver&& is_over) {
    struct State {
      std::remove_reference_t<IsOver>* is_over;
      std::exception_ptr error;
    } state{&is_over, nullptr};
    check(EP_Team_help_until(
        team_,
        [](void* opaque) -> int {
          auto& s = *static_cast<State*>(opaque);
          try {
            return (*s.is_over)() ? 1 : 0;
          } catch (...) {
            s.error = std::current_exception();
            return 1;
          }
        },
        &state, reason.what, reason.max_sleep_s));
    if (state.error) std::rethrow_exception(state.error);
  }
  /// Makes the helpers check whether their wait is over (EP_Team_ring).
  void ring() { check(EP_Team_ring(team_)); }

 private:
  EP_Team team_ = EP_TEAM_NULL;
};

}  // namespace ep
