#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "process/parts.hpp"
#include "schedules/operation.hpp"
#include "schedules/reduction.hpp"
#include "schedules/ways.hpp"

namespace ep {

/// Where the endpoints of a process meet for the operations of one communicator. Operations are
/// numbered by each endpoint for itself: all call them in the same order.
class Meeting {
 public:
  explicit Meeting(int slots) : slots_(slots) {}

  /// Operation `number`, new to the first who asks. Any number may be under way.
  Operation& join(std::uint64_t number, const std::shared_ptr<Clique>& clique);
  /// The way to reduce over `ranks`, the group of `side`. Made once.
  const ReductionPlan& plan(const RankTable& ranks, int me, int side, bool ordered);
  /// After everybody left.
  void recycle(Operation& operation) noexcept;

 private:
  Operation* take_spare();
  void grow();

  int slots_;
  std::mutex mutex_;
  std::vector<Operation*> ring_;  // operation n at n % size
  std::vector<std::unique_ptr<Operation>> all_;
  std::vector<Operation*> spare_;
  std::array<std::unique_ptr<const ReductionPlan>, 4> plans_;
};

/// The collectives of a communicator in this process.
struct CliqueCollectives final : Part {
  static constexpr Room room = Room::schedules;
  explicit CliqueCollectives(int slots) : meeting(slots) {}

  Meeting meeting;
  Ways ways;
};

Meeting& meeting_of(const Clique& clique);

}  // namespace ep
