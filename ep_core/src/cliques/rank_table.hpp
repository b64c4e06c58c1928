#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ep {

/// Where an endpoint lives: index of its process in the communicator, slot in that process.
struct Place {
  int process;
  int slot;
  bool operator==(const Place&) const = default;
};

/// A run of consecutive ranks in consecutive slots of one process. `first_id` and its successors
/// tell the endpoints of that process apart whichever communicator they are in; 0 is the endpoint
/// that the process itself is.
struct RankRun {
  int first_rank = 0;
  int process = 0;
  int first_slot = 0;
  int length = 0;
  int first_id = 0;
};

/// Rank of a group <-> place, as runs: O(processes) when ranks are contiguous per process, more
/// only where a split interleaved them. Immutable; lookups are binary searches.
class RankTable {
 public:
  RankTable() = default;
  /// `places` in rank order.
  explicit RankTable(std::span<const Place> places);
  /// `runs` in rank order, starting at rank 0 without gaps.
  explicit RankTable(std::vector<RankRun> runs);

  int size() const noexcept { return size_; }
  /// Precondition: 0 <= rank < size().
  Place place(int rank) const;
  /// Which endpoint of its process this is, in all communicators.
  int id(int rank) const;
  /// -1 when the place is not in the group.
  int rank(Place place) const;
  /// Number of endpoints of `process`.
  int count(int process) const;
  /// One past the last rank that follows `rank` in the same process without interruption.
  int run_end(int rank) const;
  std::span<const RankRun> runs() const noexcept { return runs_; }

 private:
  const RankRun& run_of(int rank) const;
  void index_runs();

  int size_ = 0;
  std::vector<RankRun> runs_;
  std::vector<int> by_place_;
};

}  // namespace ep
