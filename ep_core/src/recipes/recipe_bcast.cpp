// Barrier and broadcast. In the root's process, a broadcast reads the root's buffer in place; in
// other processes, bytes arrive in the buffer of one endpoint, or packed, and the other endpoints
// copy. In order: the barrier, finding the root and the participants, the stages, the algorithms.
#include "cliques/clique.hpp"
#include "datatypes/overlap.hpp"
#include "process/error.hpp"
#include "recipes/recipes.hpp"
#include "schedules/algorithm_choice.hpp"
#include "schedules/collective_tuning.hpp"

namespace ep {

namespace {

class BarrierRecipe final : public Recipe {
 public:
  Stage begin(Operation& operation, int stage) const override {
    Stage out;
    out.over = stage > 1;
    if (!out.over) dissemination_barrier(operation.schedule(), operation.all_processes());
    return out;
  }
};

struct BcastState {
  int root_slot = -1;    // slot of the root if it is in this process
  int source_slot = -1;  // slot whose buffer other endpoints copy from
  bool to_siblings = false;
  std::byte* packed = nullptr;  // replaces that buffer if the type has gaps and slices are sent
  std::int64_t bytes = 0;
};

/// The sender of a broadcast: a slot of this process, or another process.
struct Root {
  int side = 0;
  int process = -1;  // -1: no endpoint of this process takes part
  int slot = -1;     // in this process
};

Root find_root(Operation& operation) {
  Clique& clique = operation.clique();
  Root root;
  for (int slot = 0; slot < operation.slot_count(); ++slot) {
    const Contribution& c = operation.contribution(slot);
    if (c.call.root == EP_PROC_NULL) continue;
    if (c.call.root == EP_ROOT) {
      return {c.side, clique.my_process(), slot};
    }
    const Place place = clique.remote_group(c.side).place(c.call.root);
    root.side = clique.is_inter() ? 1 - c.side : 0;
    if (root.process >= 0 && root.process != place.process) {
      fail(EP_ERR_ROOT, c.call.what, ": endpoints of one process name different roots.");
    }
    root.process = place.process;
    if (place.process == clique.my_process()) root.slot = place.slot;
  }
  return root;
}

bool receives(const Contribution& c) {
  return c.call.root != EP_ROOT && c.call.root != EP_PROC_NULL;
}

// The processes that take part, and where the root is among them.
Participants participants(Operation& operation, const Root& root, int& root_index) {
  Clique& clique = operation.clique();
  root_index = root.process;
  if (!clique.is_inter()) return operation.all_processes();
  const RankTable& targets = clique.remote_group(root.side);
  const auto members = operation.scratch().take_array<int>(clique.process_count());
  Participants out{0, 0, members.data()};
  for (int p = 0; p < clique.process_count(); ++p) {
    if (p != root.process && targets.count(p) == 0) continue;
    if (p == root.process) root_index = out.count;
    if (p == clique.my_process()) out.me = out.count;
    members[static_cast<std::size_t>(out.count++)] = p;
  }
  return out;
}

class BcastRecipe final : public Recipe {
 public:
  Stage begin(Operation& operation, int stage) const override {
    if (stage == 1) return between_processes(operation);
    const BcastState& state = operation.state<BcastState>();
    Stage out;
    out.over = stage > 2 || !state.to_siblings;
    if (!out.over) copies(operation, out);
    return out;
  }

  void run_item(Operation& operation, int stage, int item) const override {
    static_cast<void>(stage);
    const BcastState& state = operation.state<BcastState>();
    const Contribution& mine = operation.contribution(item);
    if (item == state.root_slot || !receives(mine)) return;
    if (item == state.source_slot && state.packed == nullptr) return;
    const MappedView target = mapped(mine.call.receive.block(0));
    if (state.packed != nullptr) {
      check_size(operation, item, mine.call.root, state.bytes, target.bytes());
      unpack_bytes(state.packed, state.bytes, target);
      return;
    }
    const MappedView source = mapped(operation.call(state.source_slot).receive.block(0));
    check_size(operation, item, mine.call.root, state.bytes, target.bytes());
    if (!coincide(source, target)) copy_typed(source, target);
  }

 private:
  static void copies(Operation& operation, Stage& out) {
    out.items = operation.slot_count();
    out.heavy = operation.state<BcastState>().bytes * out.items >= heavy_bytes;
  }

  static Stage between_processes(Operation& operation) {
    BcastState& state = operation.make_state<BcastState>();
    Stage out;
    const Root root = find_root(operation);
    if (root.process < 0) return out;
    const bool root_here = root.process == operation.clique().my_process();
    state.source_slot = root_here ? root.slot : first_receiver(operation);
    const TypedView view = operation.call(state.source_slot).receive.block(0);
    state.bytes = view.bytes();
    int root_index = 0;
    const Participants all = participants(operation, root, root_index);
    if (all.count > 1) write_schedule(operation, all, root_index, view);
    if (root_here) {
      state.root_slot = root.slot;
      copies(operation, out);
      out.communicates_first = true;
    } else {
      state.to_siblings = operation.slot_count() > 1 || state.packed != nullptr;
    }
    return out;
  }

  static int first_receiver(Operation& operation) {
    int slot = 0;
    while (!receives(operation.contribution(slot))) ++slot;
    return slot;
  }

  static void write_schedule(Operation& operation, const Participants& all, int root,
                             const TypedView& view) {
    BcastState& state = operation.state<BcastState>();
    const CostModel& model = tuning_of(operation.clique()).cost_model();
    const Algorithm algorithm =
        operation.choose(Collective::bcast, {all.count}, state.bytes,
                         {Algorithm::binomial, Algorithm::scatter_ring, Algorithm::scatter_doubling,
                          Algorithm::pipelined});
    Schedule& schedule = operation.schedule();
    if (algorithm == Algorithm::binomial) {
      binomial_bcast(schedule, all, root, view);
      return;
    }
    auto* bytes = static_cast<std::byte*>(view.data);
    if (!type_facts(view.type).contiguous) {
      bytes = state.packed = operation.scratch().take(state.bytes);
      if (all.me == root) pack_bytes(view, bytes);
    }
    const Participants from_root = counted_from(all, root);
    if (algorithm == Algorithm::scatter_ring) {
      scatter_ring_bcast(schedule, all, root, bytes, state.bytes);
    } else if (algorithm == Algorithm::scatter_doubling) {
      const auto offsets = operation.scratch().take_array<std::int64_t>(all.count + 1);
      for (int i = 0; i <= all.count; ++i) {
        offsets[static_cast<std::size_t>(i)] = slice_begin(state.bytes, all.count, i);
      }
      scatter_doubling_bcast(schedule, from_root, {bytes, offsets.data()});
    } else {
      pipelined_bcast(schedule, from_root, bytes, state.bytes,
                      pipeline_segments(model.costs, all.count, state.bytes));
    }
  }
};

}  // namespace

const Recipe& barrier_recipe() {
  static const BarrierRecipe recipe;
  return recipe;
}

const Recipe& bcast_recipe() {
  static const BcastRecipe recipe;
  return recipe;
}

}  // namespace ep
