#pragma once

#include <ep/ep.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "process/arena.hpp"
#include "process/extensions.hpp"
#include "progress/waiting.hpp"
#include "progress/work_board.hpp"

namespace ep {

/// The object behind an EP_Team: threads that join, help while they wait to leave, and leave
/// together. Rounds and both models: <ep/teams.h>. The arena reuses it: counters that threads on
/// their way out may still read only grow.
class Team {
 public:
  /// Initialises a team in an object of the arena.
  void open(int size, bool synchronous);
  /// Ends the team. Throws while threads are in it.
  void close();
  bool is_open() const noexcept { return is_open_.load(std::memory_order_acquire); }

  void join();
  void leave();
  void break_out();
  /// Records that the calling thread ends inside the team.
  void lose_thread() noexcept;

  /// Makes the calling thread, a member or not, take items of shared work until `ready()` returns
  /// true.
  void help_until(const char* reason, double max_sleep_s, Condition ready);

  bool has_helpers() const noexcept { return helpers_.load(std::memory_order_seq_cst) > 0; }
  bool has_others() const noexcept { return size_ > 1; }
  WorkBoard& board() noexcept { return board_; }
  WaitPoint& point() noexcept { return point_; }

 private:
  using Round = std::uint64_t;

  Round enter();
  Round begin_to_leave(const char* call);
  bool is_over(Round round) const noexcept {
    return round_.load(std::memory_order_seq_cst) > round;
  }
  void remove_one() noexcept;
  void end_round() noexcept;
  void update_settled() noexcept;
  void wait_for_latecomers(Round round);

  std::atomic<bool> is_open_{false};
  int size_ = 0;
  bool synchronous_ = false;
  std::string join_reason_;
  std::string leave_reason_;
  WaitPoint point_;
  WorkBoard board_;
  std::atomic<int> helpers_{0};

  std::mutex mutex_;                     // guards the counts of a round
  int in_ = 0;                           // threads that have joined and neither left nor broken out
  int leaving_ = 0;                      // threads among them that have called leave
  int came_ = 0;                         // in this round, with those that broke out
  std::atomic<bool> is_settled_{false};  // all joined threads are leaving
  std::atomic<Round> round_{0};          // the current round
  std::atomic<Round> gathered_{0};       // all have joined in the rounds before this one
  std::atomic<Round> torn_{0};           // a thread ended in the round before this one
};

}  // namespace ep

// The handle of the C interface points to this.
struct ep_team : ep::Team {};

namespace ep {

/// The teams of a process. A helper is a thread that waits to leave a team.
class Teams final : public Extension, public Helpers {
 public:
  static constexpr Room room = Room::teams;

  ep_team& make(int size, bool synchronous);
  /// Returns the team. Throws EP_ERR_ARG for an unknown handle.
  ep_team& find(EP_Team handle) const;
  /// Frees the team. Throws while threads are in it.
  void free(ep_team& team);

  /// Returns a team whose threads wait, for a thread that is in none; or null.
  Team* find_helpers();
  void count_helper(int change) noexcept { helpers_.fetch_add(change, std::memory_order_seq_cst); }
  bool has_helpers() const noexcept { return helpers_.load(std::memory_order_seq_cst) > 0; }

  /// True if the calling thread is in a team with others, or some team waits.
  bool are_available() const noexcept override;
  /// Offers work to the team of the calling thread, or to one that waits if the thread is in none.
  WorkBoard::Place* offer(SharedWork& work) noexcept override;
  void wake() noexcept override;

 private:
  Arena<ep_team> handles_;
  std::mutex mutex_;
  std::vector<ep_team*> all_;
  std::atomic<int> helpers_{0};
};

Teams& teams();

}  // namespace ep
