#pragma once

#include <cstdint>
#include <span>

#include "datatypes/reducer.hpp"
#include "recipes/recipes.hpp"
#include "schedules/operation.hpp"
#include "schedules/reduction.hpp"

namespace ep {

/// Splits elements into work items that threads may run at the same time.
struct ElementSplit {
  std::int64_t count = 0;
  std::int64_t per_item = 1;
  int items = 0;

  std::int64_t begin(int item) const { return per_item * item; }
  std::int64_t end(int item) const { return item + 1 == items ? count : per_item * (item + 1); }
};

/// A reduction from the endpoints of one group to those of another (or the same), as one process
/// sees it. Lives in the scratch memory of its operation.
struct ReductionFlow {
  int from_side = 0;
  int to_side = 0;
  const RankTable* from = nullptr;
  const RankTable* to = nullptr;
  const ReductionPlan* plan = nullptr;
  Reducer reducer;
  std::int64_t count = 0;           ///< elements of each operand
  std::span<const void*> operands;  ///< by slot, null where it contributes none
  std::span<const void*> values;    ///< by number in the plan; null while unknown
  std::span<void*> buffers;         ///< values in memory of the operation, else null
  std::span<int> receivers;         ///< slots with a result
  int reference = -1;               ///< a slot that takes part
  bool sends = false;               ///< true if an operand is in this process
  bool local = false;               ///< true if all operands and results are in this process

  bool takes_part() const noexcept { return sends || !receivers.empty(); }
  /// Returns the program of the result: the whole tree over operands, or its top over partials.
  const ReductionProgram& program() const { return local ? plan->programs.front() : plan->top; }
  std::span<const void* const> inputs() const { return local ? operands : values; }
  TypedView view(const void* data, std::int64_t first, std::int64_t elements) const {
    return view_of(reducer.at(data, first), elements, reducer.type);
  }
};

/// Makes a flow; `only_to` is the one process with results, or -1 for all that have endpoints in
/// the group.
ReductionFlow make_flow(Operation& operation, int from_side, int only_to);

/// Splits `elements` into work items: several only if they read much.
ElementSplit split_elements(const Operation& operation, const ReductionFlow& flow,
                            std::int64_t elements);

/// Prepares the partials of this process. Returns true if there is something to compute.
bool begin_partials(Operation& operation, ReductionFlow& flow);
void compute_partials(const ReductionFlow& flow, std::int64_t begin, std::int64_t end);

/// Computes elements [begin, end) of the result into `out`, then copies them to all other
/// receivers.
void compute_result(Operation& operation, const ReductionFlow& flow, std::int64_t begin,
                    std::int64_t end);
/// Copies those elements of the first receiver's result to the others.
void share_result(Operation& operation, const ReductionFlow& flow, std::int64_t begin,
                  std::int64_t end);

/// Returns the elements of the operand in slot `reference`; if endpoints of the process differ,
/// only as many as all have.
std::int64_t common_count(Operation& operation, int reference);
/// Checks that the endpoints of one process request the same reduction. If not, it is an error of
/// all, and the pattern of messages stays that of a correct call.
void check_same_reduction(Operation& operation);

}  // namespace ep
