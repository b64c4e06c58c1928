#pragma once

#include "recipes/reduction_flow.hpp"
#include "schedules/algorithm_choice.hpp"
#include "schedules/reduction_route.hpp"

namespace ep {

/// Where the result of a routed reduction goes, from the process that has it.
struct RouteTarget {
  int root_slot = -1;                ///< to this endpoint, if it is here
  bool everybody = false;            ///< or to all endpoints
  std::span<ElementRange> blocks{};  ///< or a range to each of flow.receivers
};

/// Adds to `usable` what routes may do: without changing the association of sums unless the flow
/// may. The same answer in all processes.
void add_usable_routes(Operation& operation, const ReductionFlow& flow, AlgorithmSet& usable);

/// Whether the flow may associate as it likes.
bool may_reassociate(const Operation& operation, const ReductionFlow& flow);

/// What the choice of an algorithm goes by. The same answer in all processes.
Shape shape_of(const Operation& operation, const ReductionFlow& flow);

/// Stage 1 of a reduction along `route`; hands the operation over to the recipe that goes on.
Recipe::Stage begin_route(Operation& operation, const ReductionFlow& flow, ReductionRoute route,
                          const RouteTarget& target);

}  // namespace ep
