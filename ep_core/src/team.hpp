#pragma once

#include <ep/ep.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "arena.hpp"
#include "first_exception.hpp"
#include "shared_work.hpp"
#include "waiting.hpp"

namespace ep {

/// Where threads hang out work for others. A few at a time; who finds no place works alone.
class WorkBoard {
 public:
  struct Place {
    std::atomic<bool> is_taken{false};
    std::atomic<SharedWork*> work{nullptr};
    std::atomic<int> visitors{0};
  };

  /// A place for `work`, which has begun; null if all are taken.
  Place* hang_out(SharedWork& work) noexcept;
  /// On return nobody looks at the work any more.
  static void take_down(Place& place) noexcept;
  /// Does pieces of what hangs there.
  void help() noexcept;

 private:
  std::array<Place, 4> places_;
};

/// Behind an EP_Team: threads that join, help while they wait to leave, and leave together. Rounds
/// and both models: <ep/teams.h>. Reused by the arena: counters that threads on their way out may
/// still read only grow.
class Team {
 public:
  /// What the arena's object becomes.
  void open(int size, bool synchronous);
  /// Throws while threads are in it.
  void close();
  bool is_open() const noexcept { return is_open_.load(std::memory_order_acquire); }

  void join();
  void leave();
  void break_out();
  /// The calling thread ends inside the team.
  void lose_thread() noexcept;

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
  void help_until(const std::string& reason, double max_sleep_s, Condition ready);
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
  int in_ = 0;                           // joined, and neither left nor broken out
  int leaving_ = 0;                      // of them, those that called leave
  int came_ = 0;                         // in this round, with those that broke out
  std::atomic<bool> is_settled_{false};  // all who are in are leaving
  std::atomic<Round> round_{0};          // the one under way
  std::atomic<Round> gathered_{0};       // all have joined in the rounds before this one
  std::atomic<Round> torn_{0};           // a thread ended in the round before this one
};

}  // namespace ep

// The handle of the C interface points to this.
struct ep_team : ep::Team {};

namespace ep {

/// The teams of a process.
class Teams {
 public:
  ep_team& make(int size, bool synchronous);
  /// Throws EP_ERR_ARG for a handle that is none.
  ep_team& find(EP_Team handle) const;
  /// Throws while threads are in it.
  void free(ep_team& team);

  /// A team whose threads wait, for a thread that is in none; or null.
  Team* find_helpers();
  void count_helper(int change) noexcept { helpers_.fetch_add(change, std::memory_order_seq_cst); }
  bool has_helpers() const noexcept { return helpers_.load(std::memory_order_seq_cst) > 0; }
  /// Lets the threads that wait in teams look for something to do.
  void wake() noexcept;

 private:
  Arena<ep_team> handles_;
  std::mutex mutex_;
  std::vector<ep_team*> all_;
  std::atomic<int> helpers_{0};
};

/// Whether sharing may be worth while: the calling thread is in a team with others, or some team
/// waits.
bool is_help_near() noexcept;

/// Lets the team of the calling thread help with work that has begun, or a team that waits if the
/// thread is in none; nobody if there is no team. For as long as the scope; the work completes
/// inside.
class WorkOffer {
 public:
  explicit WorkOffer(SharedWork& work) noexcept;
  WorkOffer(const WorkOffer&) = delete;
  WorkOffer(WorkOffer&&) = delete;
  WorkOffer& operator=(const WorkOffer&) = delete;
  WorkOffer& operator=(WorkOffer&&) = delete;
  ~WorkOffer() {
    if (place_ != nullptr) WorkBoard::take_down(*place_);
  }

 private:
  WorkBoard::Place* place_ = nullptr;
};

/// Calls `work(piece)` for all pieces in [0, pieces): here, and in threads of a team that wait.
/// They make no MPI calls in `work` unless the program may everywhere. Pieces do not depend on each
/// other. On return none is under way, and all are done unless one threw: the first exception is
/// thrown again. Costs two loads where no team is near.
template <class Work>
void share_pieces(std::size_t pieces, Work&& work) {
  if (pieces < 2 || !is_help_near()) {
    for (std::size_t piece = 0; piece < pieces; ++piece) work(piece);
    return;
  }
  FirstException first;
  const auto guarded_work = [&](std::size_t piece) { first.guard([&] { work(piece); }); };
  SharedWork shared;
  shared.begin(pieces, guarded_work);
  {
    const WorkOffer offer(shared);
    shared.complete();
  }
  first.rethrow();
}

}  // namespace ep
