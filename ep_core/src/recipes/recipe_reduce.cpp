// Reduction to one root: partials of this process, combination of partials along the tree of the
// plan, one level per stage, then delivery. Routes replace the tree where they may. In order: the
// state and the root, the stages, the schedule of a level.
#include "cliques/clique.hpp"
#include "process/error.hpp"
#include "recipes/routed_reduction.hpp"
#include "schedules/collective_tuning.hpp"

namespace ep {

namespace {

/// A reduction to one root: partials combine along the tree, one level per stage.
struct ReduceState {
  ReductionFlow flow;
  ElementSplit split;
  int root_process = -1;
  int root_slot = -1;  // when it is here
  int from_side = 0;
};

void find_root(Operation& operation, ReduceState& state) {
  Clique& clique = operation.clique();
  for (int slot = 0; slot < operation.slot_count(); ++slot) {
    const Contribution& c = operation.contribution(slot);
    if (c.call.root == EP_PROC_NULL) continue;
    if (c.call.root == EP_ROOT) {
      state.from_side = 1 - c.side;
      state.root_process = clique.my_process();
      state.root_slot = slot;
      continue;
    }
    const Place place = clique.remote_group(c.side).place(c.call.root);
    if (state.root_process >= 0 && state.root_process != place.process) {
      fail(EP_ERR_ROOT, c.call.what, ": endpoints of one process name different roots.");
    }
    state.from_side = c.side;
    state.root_process = place.process;
    if (place.process == clique.my_process()) state.root_slot = place.slot;
  }
}

class ReduceRecipe final : public Recipe {
 public:
  Stage begin(Operation& operation, int stage) const override {
    if (stage == 1) return combine_here(operation);
    ReduceState& state = operation.state<ReduceState>();
    Stage out;
    out.over = !state.flow.takes_part() || state.flow.local || stage > last_stage(state);
    if (out.over) return out;
    // Operands that arrived in the stage before are combined here; then the next level is sent.
    for (const ReductionPlan::Node& node : state.flow.plan->nodes) {
      if (node.height == stage - 1 && combines(operation, node)) out.items = state.split.items;
    }
    out.heavy = out.items > 1;
    for (std::size_t k = 0; k < state.flow.plan->nodes.size(); ++k) place_node(operation, k, stage);
    write_transfers(operation, stage);
    return out;
  }

  void run_item(Operation& operation, int stage, int item) const override {
    const ReduceState& state = operation.state<ReduceState>();
    const ReductionFlow& flow = state.flow;
    const std::int64_t begin = state.split.begin(item);
    const std::int64_t end = state.split.end(item);
    if (stage == 1) {
      if (flow.local) {
        evaluate(flow.program(), flow.inputs(), flow.reducer, begin, end, target(operation));
      } else {
        compute_partials(flow, begin, end);
      }
      return;
    }
    const std::size_t partials = flow.plan->partials.size();
    for (std::size_t k = 0; k < flow.plan->nodes.size(); ++k) {
      const ReductionPlan::Node& node = flow.plan->nodes[k];
      if (node.height != stage - 1 || !combines(operation, node)) continue;
      flow.reducer.combine(end - begin, flow.reducer.at(value(flow, node.left), begin),
                           flow.reducer.at(value(flow, node.right), begin),
                           flow.reducer.at(flow.buffers[partials + k], begin));
    }
  }

 private:
  static const void* value(const ReductionFlow& flow, int number) {
    return flow.values[static_cast<std::size_t>(number)];
  }

  static bool combines(Operation& operation, const ReductionPlan::Node& node) {
    return node.process == operation.clique().my_process();
  }

  static void* target(Operation& operation) {
    return operation.call(operation.state<ReduceState>().root_slot).receive.base;
  }

  static int last_stage(const ReduceState& state) {
    return state.flow.plan->height_of(state.flow.plan->whole()) + 1;
  }

  static Stage combine_here(Operation& operation) {
    check_same_reduction(operation);
    ReduceState& state = operation.make_state<ReduceState>();
    find_root(operation, state);
    Stage out;
    if (state.root_process < 0) return out;
    state.flow = make_flow(operation, state.from_side, state.root_process);
    if (!state.flow.takes_part()) return out;
    if (!state.flow.local && is_halved(operation, state.flow)) {
      RouteTarget target;
      target.root_slot = state.root_slot;
      return begin_route(
          operation, state.flow,
          halving_route(operation.all_processes(), state.flow.count, state.root_process), target);
    }
    state.split = split_elements(operation, state.flow, state.flow.count);
    if (state.flow.local || begin_partials(operation, state.flow)) out.items = state.split.items;
    out.heavy = out.items > 1;
    if (!state.flow.local) write_transfers(operation, 1);
    return out;
  }

  static bool is_halved(Operation& operation, const ReductionFlow& flow) {
    AlgorithmSet usable{Algorithm::binomial};
    add_usable_routes(operation, flow, usable);
    return operation.choose(Collective::reduce, shape_of(operation, flow),
                            flow.count * flow.reducer.size, usable) == Algorithm::halving;
  }

  // Places the result of node k of the level below: in the memory of its right operand if the
  // operation owns it.
  static void place_node(Operation& operation, std::size_t k, int stage) {
    ReduceState& state = operation.state<ReduceState>();
    ReductionFlow& flow = state.flow;
    const ReductionPlan::Node& node = flow.plan->nodes[k];
    if (node.height != stage - 1 || !combines(operation, node)) return;
    const std::size_t number = flow.plan->partials.size() + k;
    const bool whole = static_cast<int>(number) == flow.plan->whole();
    if (whole && state.root_slot >= 0) {
      flow.buffers[number] = target(operation);
    } else if (void* const ours = flow.buffers[static_cast<std::size_t>(node.right)]) {
      flow.buffers[number] = ours;
    } else {
      flow.buffers[number] = operation.scratch().take_elements(flow.count, flow.reducer.type);
    }
    flow.values[number] = flow.buffers[number];
  }

  // Writes the transfers that the nodes of height `stage` need; in the last stage, the result for
  // the root.
  static void write_transfers(Operation& operation, int stage) {
    ReduceState& state = operation.state<ReduceState>();
    ReductionFlow& flow = state.flow;
    const int me = operation.clique().my_process();
    for (const ReductionPlan::Node& node : flow.plan->nodes) {
      const int right = flow.plan->process_of(node.right);
      if (node.height != stage || node.process == right) continue;
      const auto number = static_cast<std::size_t>(node.right);
      if (right == me) {
        operation.schedule().send(node.process, flow.view(flow.values[number], 0, flow.count));
      } else if (node.process == me) {
        flow.buffers[number] = operation.scratch().take_elements(flow.count, flow.reducer.type);
        flow.values[number] = flow.buffers[number];
        operation.schedule().receive(right, flow.view(flow.values[number], 0, flow.count));
      }
    }
    const int whole = flow.plan->whole();
    const int owner = flow.plan->process_of(whole);
    if (stage != last_stage(state) || owner == state.root_process) return;
    if (owner == me) {
      operation.schedule().send(state.root_process, flow.view(value(flow, whole), 0, flow.count));
    } else if (state.root_process == me) {
      operation.schedule().receive(owner, flow.view(target(operation), 0, flow.count));
    }
  }
};

}  // namespace

const Recipe& reduce_recipe() {
  static const ReduceRecipe recipe;
  return recipe;
}

}  // namespace ep
