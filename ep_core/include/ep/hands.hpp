/// @file
/// Thin C++ over <ep/hands.h>, as <ep/ep.hpp> is over the rest.
#pragma once

#include <ep/hands.h>

#include <atomic>
#include <ep/ep.hpp>
#include <exception>
#include <type_traits>
#include <utility>

namespace ep {

/// EP_Are_hands_lent
inline bool are_hands_lent() {
  int flag = 0;
  check(EP_Are_hands_lent(&flag));
  return flag != 0;
}

/// EP_Share_pieces, of work that may throw: the first exception is thrown again when no piece is
/// under way any more; pieces that begin after it are not done.
template <class Work>
void share_among_hands(int pieces, Work&& work) {
  struct State {
    std::remove_reference_t<Work>* work;
    std::atomic<bool> has_failed{false};
    std::exception_ptr error;
  } state{&work, false, nullptr};
  check(EP_Share_pieces(
      pieces,
      [](int piece, void* opaque) {
        auto& s = *static_cast<State*>(opaque);
        if (s.has_failed.load(std::memory_order_relaxed)) return;
        try {
          (*s.work)(piece);
        } catch (...) {
          if (!s.has_failed.exchange(true)) s.error = std::current_exception();
        }
      },
      &state));
  if (state.error) std::rethrow_exception(state.error);
}

/// Threads that help others of their process while they wait. Any thread; whoever waits inside must
/// have returned before the end.
class Hands {
 public:
  Hands() { check(EP_Team_create(1, MPI_INFO_NULL, &team_)); }
  Hands(const Hands&) = delete;
  Hands(Hands&&) = delete;
  Hands& operator=(const Hands&) = delete;
  Hands& operator=(Hands&&) = delete;
  ~Hands() { static_cast<void>(EP_Team_free(team_)); }

  /// EP_Team_help_until: `is_over()` may throw, which ends the wait.
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
  /// EP_Team_ring
  void ring() { check(EP_Team_ring(team_)); }

 private:
  EP_Team team_ = EP_TEAM_NULL;
};

}  // namespace ep
