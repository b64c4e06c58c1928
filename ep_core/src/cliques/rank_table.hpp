#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ep {

/// The place of an endpoint: index of its process in the communicator, slot in that process.
struct Place {
  int process;
  int slot;
  bool operator==(const Place&) const = default;
};

/// A run of consecutive ranks in consecutive slots of one process. `first_id` and its successors
/// identify the endpoints of that process in every communicator; 0 is the endpoint that the process
/// itself is.
struct RankRun {
  int first_rank = 0;
  int process = 0;
  int first_slot = 0;
  int length = 0;
  int first_id = 0;
};

/// Maps ranks of a group to places and back, as runs: O(processes) if ranks are contiguous per
/// process, more only where a split interleaved them. Immutable; lookups are binary searches.
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
  /// Returns the number that identifies the endpoint in its process, in all communicators.
  int id(int rank) const;
  /// Returns the rank, or -1 if the place is not in the group.
  int rank(Place place) const;
  /// Returns the number of endpoints of `process`.
  int count(int process) const;
  /// Returns one past the last rank that follows `rank` in the same process without interruption.
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
