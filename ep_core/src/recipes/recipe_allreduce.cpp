// Allreduce: partials of this process, an exchange between processes by one of several algorithms,
// then the result to all endpoints. An intercommunicator has two directions, which run in the same
// stages. In order: the state, stages, one function per algorithm.
#include <array>

#include "cliques/clique.hpp"
#include "recipes/routed_reduction.hpp"
#include "schedules/collective_tuning.hpp"

namespace ep {

namespace {

/// One direction. Small operands: every process receives all partials and computes the whole
/// result. Large operands: each process with results receives one slice of all partials, and the
/// computed slices are passed around.
struct Direction {
  ReductionFlow flow;
  ElementSplit split;              // split of the stage
  std::int64_t first = 0;          // element that the stage's items begin with
  Participants targets;            // processes with results
  std::span<std::int64_t> slices;  // bounds of their slices
  bool here = false;               // this process has results
  bool by_operands = false;
};

struct AllreduceState {
  std::array<Direction, 2> directions;
  std::size_t count = 1;
};

class AllreduceRecipe final : public Recipe {
 public:
  Stage begin(Operation& operation, int stage) const override {
    if (stage == 1) return begin_all(operation);
    AllreduceState& state = operation.state<AllreduceState>();
    Stage out;
    out.over = true;
    for (std::size_t k = 0; k < state.count; ++k) {
      Direction& d = state.directions[k];
      d.split = {};
      if (!d.flow.takes_part() || d.flow.local || (stage > 2 && d.by_operands) || stage > 3)
        continue;
      out.over = false;
      if (d.here) begin_direction(operation, d, stage);
    }
    count_parts(state, out);
    return out;
  }

  void run_item(Operation& operation, int stage, int item) const override {
    AllreduceState& state = operation.state<AllreduceState>();
    std::size_t k = 0;
    while (item >= state.directions[k].split.items) item -= state.directions[k++].split.items;
    const Direction& d = state.directions[k];
    const std::int64_t begin = d.first + d.split.begin(item);
    const std::int64_t end = d.first + d.split.end(item);
    if (stage == 1 && !d.flow.local) {
      compute_partials(d.flow, begin, end);
    } else if (stage == 3) {
      share_result(operation, d.flow, begin, end);
    } else if (stage == 1 || d.by_operands) {
      compute_result(operation, d.flow, begin, end);
    } else {
      evaluate(d.flow.program(), d.flow.inputs(), d.flow.reducer, begin, end,
               operation.call(d.flow.receivers.front()).receive.base);
    }
  }

 private:
  static void count_parts(const AllreduceState& state, Stage& out) {
    for (std::size_t k = 0; k < state.count; ++k) out.items += state.directions[k].split.items;
    out.heavy = out.items > static_cast<int>(state.count);
  }

  static Stage begin_all(Operation& operation) {
    check_same_reduction(operation);
    AllreduceState& state = operation.make_state<AllreduceState>();
    state.count = operation.clique().is_inter() ? 2 : 1;
    Stage out;
    for (std::size_t k = 0; k < state.count; ++k) {
      Direction& d = state.directions[k];
      d.flow = make_flow(operation, static_cast<int>(k), -1);
      if (!d.flow.takes_part()) continue;
      if (!d.flow.local) {
        const Algorithm algorithm = choose_algorithm(operation, d.flow);
        if (is_route(algorithm)) return follow_route(operation, d.flow, algorithm);
        d.by_operands = algorithm == Algorithm::operands;
      }
      begin_first(operation, d);
    }
    count_parts(state, out);
    return out;
  }

  static Algorithm choose_algorithm(Operation& operation, const ReductionFlow& flow) {
    const Clique& clique = operation.clique();
    AlgorithmSet usable{Algorithm::slices};
    if (!clique.is_inter() && flow.reducer.contiguous) usable.add(Algorithm::operands);
    add_usable_routes(operation, flow, usable);
    return operation.choose(Collective::allreduce, shape_of(operation, flow),
                            flow.count * flow.reducer.size, usable);
  }

  static bool is_route(Algorithm algorithm) {
    return algorithm != Algorithm::slices && algorithm != Algorithm::operands;
  }

  static Stage follow_route(Operation& operation, const ReductionFlow& flow, Algorithm algorithm) {
    const Participants all = operation.all_processes();
    RouteTarget target;
    target.everybody = true;
    if (algorithm == Algorithm::doubling) {
      return begin_route(operation, flow, doubling_route(all, flow.count), target);
    }
    if (algorithm == Algorithm::halving) {
      return begin_route(operation, flow, halving_route(all, flow.count, -1), target);
    }
    const auto slices = operation.scratch().take_array<std::int64_t>(all.count + 1);
    for (int i = 0; i <= all.count; ++i) {
      slices[static_cast<std::size_t>(i)] = flow.count * i / all.count;
    }
    return begin_route(operation, flow, ring_route(all, slices, true), target);
  }

  static void begin_first(Operation& operation, Direction& d) {
    ReductionFlow& flow = d.flow;
    d.here = !flow.receivers.empty();
    if (flow.local) {
      d.split = split_elements(operation, flow, flow.count);
      return;
    }
    if (d.by_operands) {
      exchange_partials(operation, d);
    } else {
      if (begin_partials(operation, flow)) d.split = split_elements(operation, flow, flow.count);
      exchange_slices(operation, d);
    }
  }

  // Exchanges all partials as one array, in which those of a process are contiguous.
  static void exchange_partials(Operation& operation, Direction& d) {
    ReductionFlow& flow = d.flow;
    const Participants all = operation.all_processes();
    const std::int64_t size = flow.count * flow.reducer.size;
    const auto offsets = operation.scratch().take_array<std::int64_t>(all.count + 1);
    for (const int process : flow.plan->partials)
      offsets[static_cast<std::size_t>(process) + 1] += size;
    for (std::size_t p = 1; p < offsets.size(); ++p) offsets[p] += offsets[p - 1];
    std::byte* const row = operation.scratch().take(offsets.back());
    const auto used = operation.scratch().take_array<std::int64_t>(all.count);
    for (std::size_t i = 0; i < flow.plan->partials.size(); ++i) {
      const auto process = static_cast<std::size_t>(flow.plan->partials[i]);
      flow.values[i] = row + offsets[process] + used[process];
      used[process] += size;
    }
    for (const int number : flow.plan->mine) {
      const auto i = static_cast<std::size_t>(number);
      flow.buffers[i] = const_cast<void*>(flow.values[i]);
    }
    compute_or_copy(operation, flow);
    bruck_allgather(operation.schedule(), all, {row, offsets.data()});
  }

  // Little enough to be done at once.
  static void compute_or_copy(const Operation& operation, const ReductionFlow& flow) {
    if (operation.is_spoiled()) return;
    for (std::size_t k = 0; k < flow.plan->mine.size(); ++k) {
      evaluate(flow.plan->programs[k], flow.operands, flow.reducer, 0, flow.count,
               flow.buffers[static_cast<std::size_t>(flow.plan->mine[k])]);
    }
  }

  static void exchange_slices(Operation& operation, Direction& d) {
    ReductionFlow& flow = d.flow;
    find_targets(operation, d);
    Schedule& schedule = operation.schedule();
    const int me = operation.clique().my_process();
    for (int q = 0; q < d.targets.count; ++q) {
      const std::int64_t first = d.slices[static_cast<std::size_t>(q)];
      const std::int64_t elements = d.slices[static_cast<std::size_t>(q) + 1] - first;
      if (d.targets.process(q) != me) {
        for (const int number : flow.plan->mine) {
          schedule.send(d.targets.process(q),
                        flow.view(flow.values[static_cast<std::size_t>(number)], first, elements));
        }
        continue;
      }
      for (std::size_t i = 0; i < flow.plan->partials.size(); ++i) {
        if (flow.plan->partials[i] == me) continue;
        void* const slice = operation.scratch().take_elements(elements, flow.reducer.type);
        flow.values[i] = flow.reducer.at(slice, -first);
        schedule.receive(flow.plan->partials[i], flow.view(flow.values[i], first, elements));
      }
    }
  }

  static void find_targets(Operation& operation, Direction& d) {
    Clique& clique = operation.clique();
    const auto members = operation.scratch().take_array<int>(clique.process_count());
    d.targets = {0, 0, members.data()};
    for (int p = 0; p < clique.process_count(); ++p) {
      if (d.flow.to->count(p) == 0) continue;
      if (p == clique.my_process()) d.targets.me = d.targets.count;
      members[static_cast<std::size_t>(d.targets.count++)] = p;
    }
    d.slices = operation.scratch().take_array<std::int64_t>(d.targets.count + 1);
    for (std::size_t q = 1; q < d.slices.size(); ++q) {
      d.slices[q] = d.flow.count * static_cast<std::int64_t>(q) / d.targets.count;
    }
  }

  static void begin_direction(Operation& operation, Direction& d, int stage) {
    const ReductionFlow& flow = d.flow;
    d.first = 0;
    if (stage == 3) {
      if (flow.receivers.size() > 1) d.split = split_elements(operation, flow, flow.count);
      return;
    }
    if (d.by_operands) {
      d.split = split_elements(operation, flow, flow.count);
      return;
    }
    const auto mine = static_cast<std::size_t>(d.targets.me);
    d.first = d.slices[mine];
    d.split = split_elements(operation, flow, d.slices[mine + 1] - d.first);
    void* const result = operation.call(flow.receivers.front()).receive.base;
    const auto views = operation.scratch().take_array<TypedView>(d.targets.count);
    for (std::size_t q = 0; q < views.size(); ++q) {
      views[q] = flow.view(result, d.slices[q], d.slices[q + 1] - d.slices[q]);
    }
    ring_allgather(operation.schedule(), d.targets, views);
  }
};

}  // namespace

const Recipe& allreduce_recipe() {
  static const AllreduceRecipe recipe;
  return recipe;
}

}  // namespace ep
