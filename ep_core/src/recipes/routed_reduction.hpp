#pragma once

#include "recipes/reduction_flow.hpp"
#include "schedules/algorithm_choice.hpp"
#include "schedules/reduction_route.hpp"

namespace ep {

/// The receivers of the result of a routed reduction, from the process that has it.
struct RouteTarget {
  int root_slot = -1;                ///< to this endpoint, if it is here
  bool everybody = false;            ///< or to all endpoints
  std::span<ElementRange> blocks{};  ///< or a range to each of flow.receivers
};

/// Adds to `usable` the algorithms that are routes and do not change the association of sums,
/// unless the flow may. The answer is the same in all processes.
void add_usable_routes(Operation& operation, const ReductionFlow& flow, AlgorithmSet& usable);

/// True if the flow may associate in any order.
bool may_reassociate(const Operation& operation, const ReductionFlow& flow);

/// Returns the shape for the choice of an algorithm. The answer is the same in all processes.
Shape shape_of(const Operation& operation, const ReductionFlow& flow);

/// Performs stage 1 of a reduction along `route`, and gives the operation to the recipe that
/// continues.
Recipe::Stage begin_route(Operation& operation, const ReductionFlow& flow, ReductionRoute route,
                          const RouteTarget& target);

}  // namespace ep
