#pragma once

#include <algorithm>
#include <chrono>

namespace ep {

/// How long a parked thread that looks for messages sleeps between two looks: the longer the less
/// moves.
class Backoff {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr double shortest_s = 50e-6;
  static constexpr double longest_s = 1e-3;
  /// Something that is under way between nodes keeps sleeps at the shortest until nothing has
  /// ended for this long: a network without hardware for it moves a long message only while
  /// somebody calls MPI, and MPI tells its end but not its bytes. Who waits for a slow peer leaves
  /// the processor to others after this.
  static constexpr std::chrono::milliseconds transfer_time{20};

  explicit Backoff(Clock::time_point now) noexcept : moved_at_(now) {}

  /// Returns the seconds to sleep after a look at `now`, before which something moved or not, and
  /// after which something is under way between nodes or not.
  double next_s(bool moved, bool is_under_way, Clock::time_point now) noexcept {
    if (moved) moved_at_ = now;
    const bool stays = moved || (is_under_way && now - moved_at_ < transfer_time);
    seconds_ = stays ? shortest_s : std::min(2 * seconds_, longest_s);
    return seconds_;
  }

 private:
  double seconds_ = shortest_s;
  Clock::time_point moved_at_;
};

}  // namespace ep
