// Reduce-scatter: partials of this process, an exchange that leaves each process its slices, then
// blocks to the receivers. An intercommunicator has two directions in the same stages. In order:
// the blocks of receivers, stages, algorithms, the work items of a block.
#include <array>
#include <bit>
#include <sstream>
#include <utility>

#include "cliques/clique.hpp"
#include "recipes/routed_reduction.hpp"
#include "schedules/collective_tuning.hpp"

namespace ep {

namespace {

/// The block of one receiver here: which elements of the result, split into which items, to where.
struct Block {
  int slot = 0;
  std::int64_t first = 0;
  std::int64_t count = 0;
  ElementSplit split;
  void* out = nullptr;  // such that element `first` is the block's first
};

struct ScatterDirection {
  ReductionFlow flow;
  std::span<std::int64_t> bounds;  // bounds of the blocks, by rank of the group with results
  std::span<Block> blocks;         // blocks of this process
  ElementSplit partials;
};

struct ReduceScatterState {
  std::array<ScatterDirection, 2> directions;
  std::size_t count = 1;
  bool in_place = false;
};

int items_of(const ScatterDirection& d) {
  int items = 0;
  for (const Block& block : d.blocks) items += block.split.items;
  return items;
}

/// Every process gets the partials of its ranks' blocks only, and computes them. Between groups,
/// the group with operands has to learn the blocks of the other first.
class ReduceScatterRecipe final : public Recipe {
 public:
  Stage begin(Operation& operation, int stage) const override {
    if (stage == 1) {
      const Stage first = learn_blocks(operation);
      const Algorithm algorithm = choose_algorithm(operation);
      return algorithm == Algorithm::slices ? first : follow_route(operation, algorithm);
    }
    ReduceScatterState& state = operation.state<ReduceScatterState>();
    Stage out;
    out.over = stage > 4 || (stage == 4 && !state.in_place);
    if (out.over) return out;
    for (std::size_t k = 0; k < state.count; ++k) {
      ScatterDirection& d = state.directions[k];
      if (!d.flow.takes_part()) continue;
      if (stage == 2) exchange(operation, d);
      out.items += stage == 2 ? d.partials.items : items_of(d);
    }
    out.heavy = out.items > static_cast<int>(state.count) * operation.slot_count();
    return out;
  }

  void run_item(Operation& operation, int stage, int item) const override {
    ReduceScatterState& state = operation.state<ReduceScatterState>();
    for (std::size_t k = 0; k < state.count; ++k) {
      ScatterDirection& d = state.directions[k];
      const int items = !d.flow.takes_part() ? 0 : stage == 2 ? d.partials.items : items_of(d);
      if (item >= items) {
        item -= items;
        continue;
      }
      if (stage == 2) {
        compute_partials(d.flow, d.partials.begin(item), d.partials.end(item));
      } else {
        run_block_item(operation, d, stage, item);
      }
      return;
    }
  }

 private:
  static Algorithm choose_algorithm(Operation& operation) {
    const ReduceScatterState& state = operation.state<ReduceScatterState>();
    const Clique& clique = operation.clique();
    const ScatterDirection& d = state.directions[0];
    if (clique.is_inter() || d.flow.local || !has_row_of_blocks(*d.flow.to)) {
      return Algorithm::slices;
    }
    ReductionFlow whole = d.flow;
    whole.count = d.bounds.back();
    AlgorithmSet usable{Algorithm::slices};
    // Both algorithms combine in an order of their own.
    if (may_reassociate(operation, whole)) {
      add_usable_routes(operation, whole, usable);
    }
    if (!std::has_single_bit(static_cast<unsigned>(clique.process_count()))) {
      usable.remove(Algorithm::halving);
    }
    return operation.choose(Collective::reduce_scatter, shape_of(operation, whole),
                            whole.count * whole.reducer.size, usable);
  }

  // True if the blocks of each process are neighbours, in the order of processes.
  static bool has_row_of_blocks(const RankTable& ranks) {
    int before = -1;
    for (const RankRun& run : ranks.runs()) {
      if (run.process < before) return false;
      before = run.process;
    }
    return true;
  }

  static Stage follow_route(Operation& operation, Algorithm algorithm) {
    ScatterDirection& d = operation.state<ReduceScatterState>().directions[0];
    ReductionFlow flow = d.flow;
    flow.count = d.bounds.back();
    RouteTarget target;
    target.blocks = operation.scratch().take_array<ElementRange>(
        static_cast<std::int64_t>(flow.receivers.size()));
    for (std::size_t k = 0; k < flow.receivers.size(); ++k) {
      const auto rank = static_cast<std::size_t>(operation.contribution(flow.receivers[k]).rank);
      target.blocks[k] = {d.bounds[rank], d.bounds[rank + 1] - d.bounds[rank]};
    }
    const Participants all = operation.all_processes();
    const auto slices = operation.scratch().take_array<std::int64_t>(all.count + 1);
    for (const RankRun& run : flow.to->runs()) {
      slices[static_cast<std::size_t>(run.process) + 1] =
          d.bounds[static_cast<std::size_t>(run.first_rank) + static_cast<std::size_t>(run.length)];
    }
    ReductionRoute route = algorithm == Algorithm::ring ? ring_route(all, slices, false)
                                                        : halving_scatter_route(all, slices);
    return begin_route(operation, flow, std::move(route), target);
  }

  static Stage learn_blocks(Operation& operation) {
    check_same_reduction(operation);
    ReduceScatterState& state = operation.make_state<ReduceScatterState>();
    state.count = operation.clique().is_inter() ? 2 : 1;
    for (int slot = 0; slot < operation.slot_count(); ++slot) {
      state.in_place = state.in_place || is_in_place(operation.call(slot).send.base);
    }
    for (std::size_t k = 0; k < state.count; ++k) {
      ScatterDirection& d = state.directions[k];
      d.flow = make_flow(operation, static_cast<int>(k), -1);
      if (!d.flow.takes_part()) continue;
      d.bounds = operation.scratch().take_array<std::int64_t>(d.flow.to->size() + 1);
      if (!d.flow.receivers.empty()) write_bounds(operation, d);
      if (state.count > 1) send_bounds(operation, d);
    }
    return {};
  }

  static void write_bounds(Operation& operation, ScatterDirection& d) {
    const Blocks& receive = operation.call(d.flow.receivers.front()).receive;
    for (std::size_t rank = 0; rank + 1 < d.bounds.size(); ++rank) {
      d.bounds[rank + 1] = d.bounds[rank] + receive.count(rank);
    }
    for (const int slot : d.flow.receivers.subspan(1)) {
      const Blocks& other = operation.call(slot).receive;
      if (other.counts == receive.counts && other.uniform == receive.uniform) continue;
      for (std::size_t rank = 0; rank + 1 < d.bounds.size(); ++rank) {
        check_block(operation, slot, rank, d.bounds[rank + 1] - d.bounds[rank]);
      }
    }
  }

  // Sends the bounds from the process of the first receiver to processes that have operands only.
  static void send_bounds(Operation& operation, ScatterDirection& d) {
    Clique& clique = operation.clique();
    const int me = clique.my_process();
    const int knows = d.flow.to->place(0).process;
    const auto size = static_cast<std::int64_t>(d.bounds.size_bytes());
    if (me != knows) {
      if (d.flow.receivers.empty()) {
        operation.schedule().receive_bytes(knows, d.bounds.data(), size);
      }
      return;
    }
    for (int p = 0; p < clique.process_count(); ++p) {
      if (d.flow.to->count(p) > 0 || d.flow.from->count(p) == 0) continue;
      operation.schedule().send_bytes(p, d.bounds.data(), size);
    }
  }

  static void exchange(Operation& operation, ScatterDirection& d) {
    ReductionFlow& flow = d.flow;
    flow.count = d.bounds.back();
    place_blocks(operation, d);
    if (flow.local) return;
    if (begin_partials(operation, flow)) d.partials = split_elements(operation, flow, flow.count);
    Schedule& schedule = operation.schedule();
    const int me = operation.clique().my_process();
    for (std::size_t rank = 0; rank + 1 < d.bounds.size(); ++rank) {
      const std::int64_t first = d.bounds[rank];
      const std::int64_t count = d.bounds[rank + 1] - first;
      const int process = flow.to->place(static_cast<int>(rank)).process;
      if (process == me) continue;
      for (const int number : flow.plan->mine) {
        schedule.send(process,
                      flow.view(flow.values[static_cast<std::size_t>(number)], first, count));
      }
    }
    receive_partials(operation, d);
  }

  // The blocks of this process lie in a row; a partial has memory from the first to the last.
  static void receive_partials(Operation& operation, ScatterDirection& d) {
    ReductionFlow& flow = d.flow;
    if (d.blocks.empty()) return;
    const std::int64_t begin = d.blocks.front().first;
    const std::int64_t end = d.blocks.back().first + d.blocks.back().count;
    const int me = operation.clique().my_process();
    for (std::size_t i = 0; i < flow.plan->partials.size(); ++i) {
      if (flow.plan->partials[i] == me) continue;
      void* const memory = operation.scratch().take_elements(end - begin, flow.reducer.type);
      flow.values[i] = flow.reducer.at(memory, -begin);
    }
    for (const Block& block : d.blocks) {
      for (std::size_t i = 0; i < flow.plan->partials.size(); ++i) {
        if (flow.plan->partials[i] == me) continue;
        operation.schedule().receive(flow.plan->partials[i],
                                     flow.view(flow.values[i], block.first, block.count));
      }
    }
  }

  // In place, a result would overwrite operands of blocks that other threads still compute, so it
  // is kept elsewhere.
  static void place_blocks(Operation& operation, ScatterDirection& d) {
    const ReductionFlow& flow = d.flow;
    d.blocks =
        operation.scratch().take_array<Block>(static_cast<std::int64_t>(flow.receivers.size()));
    const bool in_place = operation.state<ReduceScatterState>().in_place;
    for (std::size_t k = 0; k < d.blocks.size(); ++k) {
      const int slot = flow.receivers[k];
      const auto rank = static_cast<std::size_t>(operation.contribution(slot).rank);
      Block& block = d.blocks[k];
      block.slot = slot;
      block.first = d.bounds[rank];
      block.count = d.bounds[rank + 1] - block.first;
      block.split = split_elements(operation, flow, block.count);
      void* const out = in_place ? operation.scratch().take_elements(block.count, flow.reducer.type)
                                 : operation.call(slot).receive.base;
      block.out = flow.reducer.at(out, -block.first);
    }
  }

  static void check_block(Operation& operation, int slot, std::size_t rank, std::int64_t expected) {
    const Blocks& asked = operation.call(slot).receive;
    const std::int64_t count = asked.count(rank);
    if (count == expected) return;
    std::ostringstream text;
    text << operation.what() << ": endpoints of one process give " << count << " and " << expected
         << " elements for rank " << rank << ".";
    operation.fail_all(EP_ERR_COUNT, text.str());
  }

  static void run_block_item(Operation& operation, const ScatterDirection& d, int stage, int item) {
    std::size_t k = 0;
    while (item >= d.blocks[k].split.items) item -= d.blocks[k++].split.items;
    const Block& block = d.blocks[k];
    const ReductionFlow& flow = d.flow;
    const std::int64_t begin = block.split.begin(item);
    const std::int64_t end = block.split.end(item);
    if (stage == 3) {
      evaluate(flow.program(), flow.inputs(), flow.reducer, block.first + begin, block.first + end,
               block.out);
    } else {
      copy_typed(flow.view(block.out, block.first + begin, end - begin),
                 flow.view(operation.call(block.slot).receive.base, begin, end - begin));
    }
  }
};

}  // namespace

const Recipe& reduce_scatter_recipe() {
  static const ReduceScatterRecipe recipe;
  return recipe;
}

}  // namespace ep
