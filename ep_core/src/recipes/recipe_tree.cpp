// Gather and scatter along a binomial tree of processes, for regular blocks that are small: the
// blocks of a subtree are sent as one message. One recipe serves both directions. In order: the
// state, stages, copies of endpoints, copies of runs of ranks.
#include "cliques/clique.hpp"
#include "process/error.hpp"
#include "recipes/recipes.hpp"
#include "schedules/algorithm_choice.hpp"
#include "schedules/collective_tuning.hpp"

namespace ep {

namespace {

/// Gather and scatter along a binomial tree: the blocks of processes lie in a row that begins with
/// the root's, those of a process in the order of its ranks. All blocks have one size.
struct TreeState {
  Participants from_root;
  int root_slot = -1;
  std::int64_t block = 0;           // bytes of one rank
  std::span<std::int64_t> offsets;  // offsets of the processes' blocks, from the root on
  ByteBlocks row{nullptr, nullptr};
};

enum class TreeDirection { to_root, from_root };

class TreeRecipe final : public Recipe {
 public:
  explicit TreeRecipe(TreeDirection direction) : direction_(direction) {}

  Stage begin(Operation& operation, int stage) const override {
    if (stage == 1) {
      if (!is_by_tree(operation)) {
        operation.call(0).recipe = &move_recipe();
        return move_recipe().begin(operation, stage);
      }
      prepare(operation);
      write_schedule(operation);
    }
    const TreeState& state = operation.state<TreeState>();
    Stage out;
    out.over = stage > 2;
    if (out.over) return out;
    const bool of_root = (direction_ == TreeDirection::to_root) == (stage == 2);
    const auto runs = static_cast<int>(operation.clique().local_group(0).runs().size());
    out.items = of_root ? (state.root_slot >= 0 ? runs : 0) : operation.slot_count();
    const std::int64_t bytes = of_root ? state.offsets.back() : state.block * out.items;
    out.heavy = out.items > 1 && bytes >= heavy_bytes;
    return out;
  }

  void run_item(Operation& operation, int stage, int item) const override {
    if ((direction_ == TreeDirection::to_root) == (stage == 2)) {
      copy_run(operation, item);
    } else {
      copy_own(operation, item);
    }
  }

 private:
  const Blocks& all_blocks(const Call& call) const {
    return direction_ == TreeDirection::to_root ? call.receive : call.send;
  }
  const Blocks& own_block(const Call& call) const {
    return direction_ == TreeDirection::to_root ? call.send : call.receive;
  }
  const Ends& own_ends(const Call& call) const {
    return direction_ == TreeDirection::to_root ? call.out : call.in;
  }
  bool is_root(const Contribution& c) const { return c.rank == c.call.root; }

  std::int64_t block_bytes(Operation& operation) const {
    int slot = 0;
    while (slot + 1 < operation.slot_count() && !is_root(operation.contribution(slot))) ++slot;
    const Contribution& c = operation.contribution(slot);
    return is_root(c) ? all_blocks(c.call).bytes(0) : own_block(c.call).bytes(0);
  }

  bool is_by_tree(Operation& operation) const {
    const Clique& clique = operation.clique();
    if (clique.is_inter() || clique.process_count() < 2 || !operation.call(0).regular) return false;
    const std::int64_t bytes = block_bytes(operation) * clique.local_group(0).size();
    const Collective collective =
        direction_ == TreeDirection::to_root ? Collective::gather : Collective::scatter;
    return operation.choose(collective, {clique.process_count()}, bytes,
                            {Algorithm::linear, Algorithm::binomial}) == Algorithm::binomial;
  }

  void prepare(Operation& operation) const {
    TreeState& state = operation.make_state<TreeState>();
    const Clique& clique = operation.clique();
    const RankTable& ranks = clique.local_group(0);
    const int root = operation.call(0).root;
    for (int slot = 0; slot < operation.slot_count(); ++slot) {
      if (operation.call(slot).root != root) {
        fail(EP_ERR_ROOT, operation.what(), ": endpoints of one process name different roots.");
      }
      if (is_root(operation.contribution(slot))) state.root_slot = slot;
    }
    state.block = block_bytes(operation);
    for (int slot = 0; direction_ == TreeDirection::to_root && slot < operation.slot_count();
         ++slot) {
      const Call& call = operation.call(slot);
      if (own_ends(call).count == 0) continue;  // in place
      check_sent_size(operation, slot, own_block(call).bytes(0), state.block);
    }
    const int root_process = ranks.place(root).process;
    state.from_root = counted_from(operation.all_processes(), root_process);
    const int count = state.from_root.count;
    state.offsets = operation.scratch().take_array<std::int64_t>(count + 1);
    for (const RankRun& run : ranks.runs()) {
      const int index = (run.process - root_process + count) % count;
      state.offsets[static_cast<std::size_t>(index) + 1] += run.length * state.block;
    }
    for (std::size_t i = 1; i < state.offsets.size(); ++i) state.offsets[i] += state.offsets[i - 1];
    const int me = state.from_root.me;
    const ByteBlocks sizes{nullptr, state.offsets.data()};
    std::byte* const memory = operation.scratch().take(sizes.size(me, subtree_size(count, me)));
    state.row = {memory - state.offsets[static_cast<std::size_t>(me)], state.offsets.data()};
  }

  void write_schedule(Operation& operation) const {
    const TreeState& state = operation.state<TreeState>();
    if (direction_ == TreeDirection::to_root) {
      binomial_gather(operation.schedule(), state.from_root, state.row);
    } else {
      binomial_scatter(operation.schedule(), state.from_root, state.row);
    }
  }

  // Returns where the blocks of a run of ranks begin in the row.
  static std::byte* run_begin(Operation& operation, int index) {
    const TreeState& state = operation.state<TreeState>();
    const auto runs = operation.clique().local_group(0).runs();
    const RankRun& run = runs[static_cast<std::size_t>(index)];
    const int count = state.from_root.count;
    std::byte* begin = state.row.block((run.process - state.from_root.shift + count) % count);
    for (int i = 0; i < index; ++i) {
      const RankRun& before = runs[static_cast<std::size_t>(i)];
      if (before.process == run.process) begin += before.length * state.block;
    }
    return begin;
  }

  // Between the row and the blocks of all ranks that the root has.
  void copy_run(Operation& operation, int index) const {
    const TreeState& state = operation.state<TreeState>();
    const RankRun& run = operation.clique().local_group(0).runs()[static_cast<std::size_t>(index)];
    const Call& root = operation.call(state.root_slot);
    std::byte* bytes = run_begin(operation, index);
    for (int i = 0; i < run.length; ++i, bytes += state.block) {
      const int rank = run.first_rank + i;
      if (rank == root.root && own_ends(root).count == 0) continue;  // in place
      const TypedView view = all_blocks(root).block(rank);
      if (direction_ == TreeDirection::to_root) {
        unpack_bytes(bytes, state.block, view);
      } else {
        pack_bytes(view, bytes);
      }
    }
  }

  // Between the row and the block of one endpoint here.
  void copy_own(Operation& operation, int slot) const {
    const TreeState& state = operation.state<TreeState>();
    const Contribution& c = operation.contribution(slot);
    if (own_ends(c.call).count == 0) return;  // in place
    const TypedView view = own_block(c.call).block(0);
    if (direction_ == TreeDirection::from_root) {
      check_size(operation, slot, c.call.root, state.block, view.bytes());
      if (view.bytes() != state.block) return;
    }
    const auto runs = operation.clique().local_group(0).runs();
    int index = 0;
    while (runs[static_cast<std::size_t>(index)].first_rank +
               runs[static_cast<std::size_t>(index)].length <=
           c.rank) {
      ++index;
    }
    std::byte* const bytes =
        run_begin(operation, index) +
        (c.rank - runs[static_cast<std::size_t>(index)].first_rank) * state.block;
    if (direction_ == TreeDirection::to_root) {
      pack_bytes(view, bytes);
    } else {
      unpack_bytes(bytes, state.block, view);
    }
  }

  TreeDirection direction_;
};

}  // namespace

const Recipe& gather_recipe() {
  static const TreeRecipe recipe(TreeDirection::to_root);
  return recipe;
}

const Recipe& scatter_recipe() {
  static const TreeRecipe recipe(TreeDirection::from_root);
  return recipe;
}

}  // namespace ep
