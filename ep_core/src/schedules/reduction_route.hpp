#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedules/schedule.hpp"

namespace ep {

/// Elements [first, first + count) of a vector.
struct ElementRange {
  std::int64_t first = 0;
  std::int64_t count = 0;

  std::int64_t end() const { return first + count; }
};

/// One round of a process in a reduction: it sends elements of its vector to one process and
/// receives elements from one, which it combines with its own or puts in their place.
struct RouteStep {
  enum class Then { take, theirs_is_left, theirs_is_right };

  int to = -1;  ///< process; -1: nobody
  ElementRange sent;
  int from = -1;
  ElementRange received;
  Then then = Then::take;
};
/// The rounds of one process that begins with the partial of its endpoints. Contains no values.
using ReductionRoute = std::vector<RouteStep>;

// With participants a power of two, the first two combine along the tree of ReductionPlan over
// participants, so that the association is that of every other algorithm; else pairs are combined
// first until there are no more than that.

/// Recursive doubling: every participant gets the whole result.
ReductionRoute doubling_route(const Participants& all, std::int64_t count);
/// Rabenseifner: recursive halving, then doubling for the result, at every participant or only at
/// the one with index `root` (-1: every).
ReductionRoute halving_route(const Participants& all, std::int64_t count, int root);

/// Ring over slices by `bounds` (count + 1 of them): participant i has all of slice i in the end,
/// and with `everybody` all slices. Each slice is combined in an order of its own.
ReductionRoute ring_route(const Participants& all, std::span<const std::int64_t> bounds,
                          bool everybody);
/// Recursive halving for the slices only; needs a power of two. Combines the farthest participants
/// first.
ReductionRoute halving_scatter_route(const Participants& all, std::span<const std::int64_t> bounds);

}  // namespace ep
