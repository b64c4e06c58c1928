#pragma once

#include <functional>
#include <span>
#include <vector>

#include "datatype.hpp"
#include "p2p.hpp"

namespace ep {

/// A collective's stage between processes, as rounds: the communication of a round is started
/// together; when all of it is complete its actions run, then the next round begins. Says nothing
/// of when: any test or wait may advance it.
class Schedule {
 public:
  /// Following steps belong to a new round.
  void next_round() { rounds_.emplace_back(); }
  void send(int process, const TypedView& view) {
    last().transfers.push_back({true, process, view});
  }
  void receive(int process, const TypedView& view) {
    last().transfers.push_back({false, process, view});
  }
  void act(std::function<void()> action) { last().actions.push_back(std::move(action)); }

  struct Transfer {
    bool is_send;
    int process;
    TypedView view;
  };
  struct Round {
    std::vector<Transfer> transfers;
    std::vector<std::function<void()>> actions;
  };
  const std::vector<Round>& rounds() const noexcept { return rounds_; }

 private:
  Round& last() {
    if (rounds_.empty()) rounds_.emplace_back();
    return rounds_.back();
  }
  std::vector<Round> rounds_;
};

/// A schedule under way on behalf of one process of a communicator.
class ScheduleRun {
 public:
  /// `tag` tells concurrent operations of the communicator apart; `what` names the wait.
  ScheduleRun(Endpoint& endpoint, Schedule schedule, int tag, const char* what);

  /// Goes on as far as possible without waiting; true when finished. Throws transfer errors.
  bool advance();

 private:
  void start_round();

  Endpoint& endpoint_;
  Schedule schedule_;
  int tag_;
  const char* what_;
  std::size_t round_ = 0;
  bool started_ = false;
  std::vector<BorrowedRequest> requests_;
};

/// Runs to the end, waiting as all waits do.
void run(Endpoint& endpoint, Schedule schedule, int tag, const char* what);

// The schedules, each for process `me` of `processes`.

/// Dissemination: ceil(log2(processes)) rounds. Hensgen, Finkel, Manber 1988.
Schedule dissemination_barrier(int processes, int me);
/// Binomial tree from `root`; `view` is source there and target elsewhere.
Schedule binomial_bcast(int processes, int me, int root, const TypedView& view);
/// Ring: block p goes from process p to everyone; blocks[me] is filled in already.
Schedule ring_allgather(int processes, int me, std::span<const TypedView> blocks);

// The choice of a schedule is apart from the schedules: by size and number, once there are several.

Schedule select_barrier(int processes, int me);
Schedule select_bcast(int processes, int me, int root, const TypedView& view);
Schedule select_allgather(int processes, int me, std::span<const TypedView> blocks);

}  // namespace ep
