#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "schedules/cost_model.hpp"

namespace ep {

/// A machine to estimate: nodes of equal processes with equal numbers of endpoints, ranks in a row.
struct MachineModel {
  CostParameters costs;            ///< inside a process, and between processes of a node
  LinkCost network{3e-6, 0.1e-9};  ///< between nodes
  int endpoints_per_process = 1;
  int processes_per_node = 1;
};

/// One round of a process: the messages that leave and arrive together, then the work on them.
struct EstimatedRound {
  struct Message {
    int peer;
    std::int64_t bytes;
  };
  std::vector<Message> sends;
  std::vector<Message> receives;
  std::int64_t combined_bytes = 0;
  std::int64_t copied_bytes = 0;
  bool is_step = false;  ///< step of a reduction, after which any endpoint may continue
};

/// The stage between `processes` of a collective, as its schedules write it: the rounds of one
/// process. `bytes` as in work_between(); the root is 0.
class EstimatedCollective {
 public:
  /// `segments` is for pipelines; `endpoints` counts those of each process.
  EstimatedCollective(Collective collective, Algorithm algorithm, int processes, std::int64_t bytes,
                      int segments = 1, int endpoints = 1);

  int processes() const noexcept { return processes_; }
  int endpoints() const noexcept { return endpoints_; }
  std::int64_t bytes() const noexcept { return bytes_; }
  /// Replaces `out` by the rounds of process `me`.
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
  std::vector<std::int64_t> offsets_;  // offsets of equal blocks
};

struct Estimate {
  double time_s = 0;
  std::int64_t messages = 0;
  int rounds = 0;             ///< rounds of the process with the most rounds
  bool extrapolated = false;  ///< from fewer processes with messages of the same size
};

/// Simulates the rounds of all processes on the machine, message by message. A process sends its
/// messages one after the other and receives them one after the other; on a node it is slower if it
/// does both in one round. Its next round begins when the current round has ended. Covers only the
/// stage between processes. Costs O(messages) time, and memory for the processes and the messages
/// in transfer.
Estimate simulate(const MachineModel& machine, const EstimatedCollective& what);

/// Estimates the whole collective for `endpoints` in all, with work_inside() for the work inside
/// processes. If every process has as many rounds or messages as there are processes, and there are
/// more than `most_played` processes, extrapolates linearly from fewer processes, since all rounds
/// are similar.
Estimate estimate(const MachineModel& machine, Collective collective, Algorithm algorithm,
                  std::int64_t endpoints, std::int64_t bytes, int most_played = 512);

/// True if the algorithm is possible: halving of slices needs a power of two.
bool is_possible(Collective collective, Algorithm algorithm, int processes);

}  // namespace ep
