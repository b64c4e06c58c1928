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

/// One round of a process in a reduction. It sends elements of its vector to one process and
/// receives elements from one process, which it combines with its own or stores in their place.
struct RouteStep {
  enum class Then { take, theirs_is_left, theirs_is_right };

  int to = -1;  ///< destination process; -1 for none
  ElementRange sent;
  int from = -1;
  ElementRange received;
  Then then = Then::take;
};
/// The rounds of one process, which begins with the partial of its endpoints. A route contains no
/// values.
using ReductionRoute = std::vector<RouteStep>;

// If the number of participants is a power of two, doubling and halving combine along the tree of
// ReductionPlan over participants, so that the association is that of every other algorithm.
// Otherwise pairs combine first until the number is a power of two.

/// Returns the route of recursive doubling: every participant gets the whole result.
ReductionRoute doubling_route(const Participants& all, std::int64_t count);
/// Returns Rabenseifner's route: recursive halving, then the same steps in reverse to collect the
/// result at every participant (`root` = -1) or only at the one with index `root`.
ReductionRoute halving_route(const Participants& all, std::int64_t count, int root);

/// Returns the route of a ring over slices by `bounds` (count + 1 values): participant i ends with
/// all of slice i, and if `everybody` is true, with all slices. Each slice is combined in an order
/// of its own.
ReductionRoute ring_route(const Participants& all, std::span<const std::int64_t> bounds,
                          bool everybody);
/// Returns the route of recursive halving for the slices only; the number of participants must be a
/// power of two. Combines the farthest participants first.
ReductionRoute halving_scatter_route(const Participants& all, std::span<const std::int64_t> bounds);

}  // namespace ep
