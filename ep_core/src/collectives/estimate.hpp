#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "schedules/cost_model.hpp"

namespace ep {

/// A machine to look at: nodes of equal processes of equal numbers of endpoints, ranks in a row.
struct MachineModel {
  CostParameters costs;            ///< inside a process, and between processes of a node
  LinkCost network{3e-6, 0.1e-9};  ///< between nodes
  int endpoints_per_process = 1;
  int processes_per_node = 1;
};

/// One round of a process: what leaves and comes together, then what is done with it.
struct EstimatedRound {
  struct Message {
    int peer;
    std::int64_t bytes;
  };
  std::vector<Message> sends;
  std::vector<Message> receives;
  std::int64_t combined_bytes = 0;
  std::int64_t copied_bytes = 0;
  bool is_step = false;  ///< of a reduction: any endpoint of the process may go on after it
};

/// The stage between `processes` of a collective, as its schedules write it: the rounds of one
/// process. `bytes` as in work_between(); of root 0.
class EstimatedCollective {
 public:
  /// `segments`: of pipelines; `endpoints`: of each process.
  EstimatedCollective(Collective collective, Algorithm algorithm, int processes, std::int64_t bytes,
                      int segments = 1, int endpoints = 1);

  int processes() const noexcept { return processes_; }
  int endpoints() const noexcept { return endpoints_; }
  std::int64_t bytes() const noexcept { return bytes_; }
  /// Those of process `me`, in place of what is in `out`.
  void rounds_of(int me, std::vector<EstimatedRound>& out) const;

 private:
  void reduction_rounds(int me, std::vector<EstimatedRound>& out) const;
  void add_copies(std::vector<EstimatedRound>& out) const;
  void slices_rounds(int me, bool collects, std::vector<EstimatedRound>& out) const;
  void tree_rounds(int me, std::vector<EstimatedRound>& out) const;
  void exchange_rounds(int me, std::vector<EstimatedRound>& out) const;

  Collective collective_;
  Algorithm algorithm_;
  int processes_;
  std::int64_t bytes_;
  int segments_;
  int endpoints_;
  std::vector<std::int64_t> offsets_;  // of equal blocks
};

struct Estimate {
  double time_s = 0;
  std::int64_t messages = 0;
  int rounds = 0;             ///< of the process with most
  bool extrapolated = false;  ///< from fewer processes with messages of the same size
};

/// Plays the rounds of all processes on the machine, message by message. A process sends one byte
/// after the other and receives likewise, on a node slower where it does both in one round; its
/// next round begins when all of this one has ended.
/// Only the stage between processes. O(messages) time, O(processes) memory and what is on its way.
Estimate simulate(const MachineModel& machine, const EstimatedCollective& what);

/// The whole collective for `endpoints` in all, the share inside processes by work_inside(). Where
/// everybody has as many rounds or messages as there are processes, and these are more than
/// `most_played`, the time of fewer is extended in a straight line: all rounds are alike.
Estimate estimate(const MachineModel& machine, Collective collective, Algorithm algorithm,
                  std::int64_t endpoints, std::int64_t bytes, int most_played = 512);

/// Whether there is a time at all: halving of slices needs a power of two.
bool is_possible(Collective collective, Algorithm algorithm, int processes);

}  // namespace ep
