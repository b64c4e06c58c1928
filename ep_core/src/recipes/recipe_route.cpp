// Reductions along a route (doubling, halving, ring): in each stage a process sends elements of its
// vector, receives others and combines them. Other recipes hand their operation over to this one.
// In order: the state, the stages, delivery of the result, and which routes are usable.
#include <algorithm>
#include <bit>
#include <memory>

#include "cliques/clique.hpp"
#include "datatypes/reducer.hpp"
#include "recipes/routed_reduction.hpp"
#include "schedules/collective_tuning.hpp"

namespace ep {

namespace {

/// A vector that is passed between processes: at first the partial of this process, in the end its
/// part of the result.
struct RouteState {
  ReductionFlow flow;
  RouteTarget target;
  const ReductionRoute* route = nullptr;
  void* value = nullptr;
  void* memory = nullptr;  // memory for elements to be combined
  // Address in `memory` at which element i of the vector is element i.
  const void* incoming = nullptr;
  ElementRange range;  // range of the stage
  ElementSplit split;  // split of this range
};

class RouteRecipe final : public Recipe {
 public:
  /// From stage 2 on, the elements that the step of the stage before brought are combined; then the
  /// next step is sent.
  Stage begin(Operation& operation, int stage) const override {
    RouteState& state = operation.state<RouteState>();
    const std::size_t done = static_cast<std::size_t>(stage) - 1;  // steps
    Stage out;
    state.split = {};
    if (done > state.route->size()) return begin_delivery(operation, stage);
    const RouteStep& last = (*state.route)[done - 1];
    if (last.from >= 0 && last.then != RouteStep::Then::take) {
      set_range(operation, last.received);
      state.incoming = state.flow.reducer.at(state.memory, -last.received.first);
    }
    if (done < state.route->size()) write_transfers(operation, (*state.route)[done]);
    out.items = state.split.items;
    out.heavy = out.items > 1;
    return out;
  }

  void run_item(Operation& operation, int stage, int item) const override {
    const RouteState& state = operation.state<RouteState>();
    if (is_delivery(state, stage) && !state.target.blocks.empty()) {
      deliver_block(operation, static_cast<std::size_t>(item));
      return;
    }
    const std::int64_t begin = state.range.first + state.split.begin(item);
    const std::int64_t end = state.range.first + state.split.end(item);
    if (stage == 1) {
      const ReductionProgram& program = state.flow.plan->programs.front();
      evaluate(program, state.flow.operands, state.flow.reducer, begin, end, state.value);
    } else if (is_delivery(state, stage)) {
      share_result(operation, state.flow, begin, end);
    } else {
      combine(state, stage, begin, end);
    }
  }

  static Stage start(Operation& operation) {
    RouteState& state = operation.state<RouteState>();
    std::int64_t most = 0;
    for (const RouteStep& step : *state.route) {
      if (step.then != RouteStep::Then::take) most = std::max(most, step.received.count);
    }
    state.memory = operation.scratch().take_elements(most, state.flow.reducer.type);
    state.value = value_memory(operation);
    set_range(operation, {0, state.flow.count});
    write_transfers(operation, state.route->front());
    Stage out;
    out.items = state.split.items;
    out.heavy = out.items > 1;
    return out;
  }

 private:
  static bool is_delivery(const RouteState& state, int stage) {
    return static_cast<std::size_t>(stage) == state.route->size() + 2;
  }

  static void set_range(Operation& operation, const ElementRange& range) {
    RouteState& state = operation.state<RouteState>();
    state.range = range;
    state.split = split_elements(operation, state.flow, range.count);
  }

  static void* value_memory(Operation& operation) {
    const RouteState& state = operation.state<RouteState>();
    if (state.target.everybody) {
      return operation.call(state.flow.receivers.front()).receive.base;
    }
    if (state.target.root_slot >= 0) return operation.call(state.target.root_slot).receive.base;
    return operation.scratch().take_elements(state.flow.count, state.flow.reducer.type);
  }

  static void write_transfers(Operation& operation, const RouteStep& step) {
    const RouteState& state = operation.state<RouteState>();
    const ReductionFlow& flow = state.flow;
    if (step.from >= 0) {
      const bool combines = step.then != RouteStep::Then::take;
      const TypedView view = combines
                                 ? flow.view(state.memory, 0, step.received.count)
                                 : flow.view(state.value, step.received.first, step.received.count);
      operation.schedule().receive(step.from, view);
    }
    if (step.to >= 0) {
      operation.schedule().send(step.to, flow.view(state.value, step.sent.first, step.sent.count));
    }
  }

  static void combine(const RouteState& state, int stage, std::int64_t begin, std::int64_t end) {
    const RouteStep& step = (*state.route)[static_cast<std::size_t>(stage) - 2];
    const Reducer& reducer = state.flow.reducer;
    const void* const theirs = reducer.at(state.incoming, begin);
    void* const mine = reducer.at(state.value, begin);
    const bool left = step.then == RouteStep::Then::theirs_is_left;
    reducer.combine(end - begin, left ? theirs : mine, left ? mine : theirs, mine);
  }

  static Stage begin_delivery(Operation& operation, int stage) {
    RouteState& state = operation.state<RouteState>();
    Stage out;
    out.over = !is_delivery(state, stage);
    if (out.over) return out;
    if (!state.target.blocks.empty()) {
      out.items = static_cast<int>(state.target.blocks.size());
      out.heavy = state.flow.count * state.flow.reducer.size >= heavy_bytes;
    } else if (state.target.everybody && state.flow.receivers.size() > 1) {
      set_range(operation, {0, state.flow.count});
      out.items = state.split.items;
      out.heavy = out.items > 1;
    } else {
      out.over = true;
    }
    return out;
  }

  static void deliver_block(Operation& operation, std::size_t k) {
    const RouteState& state = operation.state<RouteState>();
    const ReductionFlow& flow = state.flow;
    const ElementRange& block = state.target.blocks[k];
    void* const to = operation.call(flow.receivers[k]).receive.base;
    copy_typed(flow.view(state.value, block.first, block.count), flow.view(to, 0, block.count));
  }
};

const RouteRecipe& route_recipe() {
  static const RouteRecipe recipe;
  return recipe;
}

// True if there is one partial per process, in the order of processes.
bool is_plain(const ReductionPlan& plan, int processes) {
  if (plan.partials.size() != static_cast<std::size_t>(processes)) return false;
  for (int p = 0; p < processes; ++p) {
    if (plan.partials[static_cast<std::size_t>(p)] != p) return false;
  }
  return true;
}

// The tree over processes is the one that doubling and halving follow: a power of two of leaves, as
// deep as it must be.
bool is_perfect(const ReductionPlan& plan, int processes) {
  return std::has_single_bit(static_cast<unsigned>(processes)) &&
         plan.height_of(plan.whole()) == ceil_log2(processes);
}

}  // namespace

bool may_reassociate(const Operation& operation, const ReductionFlow& flow) {
  return flow.reducer.exact ||
         (tuning_of(operation.clique()).fast_reduction() && flow.reducer.commutative);
}

void add_usable_routes(Operation& operation, const ReductionFlow& flow, AlgorithmSet& usable) {
  const int processes = operation.clique().process_count();
  if (operation.clique().is_inter()) return;
  if (!is_plain(*flow.plan, processes)) return;
  const bool free = may_reassociate(operation, flow);
  if (free || is_perfect(*flow.plan, processes)) {
    usable.add(Algorithm::doubling);
    usable.add(Algorithm::halving);
  }
  if (free) usable.add(Algorithm::ring);
}

Shape shape_of(const Operation& operation, const ReductionFlow& flow) {
  const int processes = operation.clique().process_count();
  return {processes, std::max(1, flow.from->size() / processes),
          static_cast<double>(flow.plan->partials.size()) / processes};
}

Recipe::Stage begin_route(Operation& operation, const ReductionFlow& flow, ReductionRoute route,
                          const RouteTarget& target) {
  auto kept = std::make_shared<ReductionRoute>(std::move(route));
  RouteState& state = operation.make_state<RouteState>();
  state.flow = flow;
  state.target = target;
  state.route = kept.get();
  operation.keep(std::move(kept));
  operation.call(0).recipe = &route_recipe();
  return RouteRecipe::start(operation);
}

}  // namespace ep
