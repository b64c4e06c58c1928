// Allgather: the endpoints of a process pack into common blocks, processes exchange these, and
// endpoints unpack. The comment below draws the data flow. In order: where blocks lie, the recipe
// with its stages, and the algorithms.
#include <bit>

#include "cliques/clique.hpp"
#include "datatypes/overlap.hpp"
#include "recipes/recipes.hpp"
#include "schedules/algorithm_choice.hpp"
#include "schedules/collective_tuning.hpp"

namespace ep {

namespace {

// In one process, every block is copied directly from its source to all targets (copy_block()).
// Between processes:
//
//   source of slot s --pack()--> blocks[me] + begins[s]      stage 1, an item per slot
//   blocks[me] --schedule--> blocks[me] of all others        stage 1, between processes
//   blocks[p] --unpack()--> receive buffer of slot s         stage 2, an item per slot and process
//
// place_blocks() decides where blocks[p] lies. It is in the receive buffer of slot 0, shared by all
// slots, if that has the layout of the messages; then slot 0 needs no copy to pack or unpack, and
// other slots need one. The algorithms have different requirements:
//
//   bruck, doubling: all blocks in one row, by process    whole_region(), else scratch memory
//   ring:            each block separately                region() of each, else scratch memory
//
// Items of other slots write to slot 0's buffer while slot 0 reads its own source. That is its send
// buffer, or its own block, to which only its own item writes. Sizes are those that slot 0 expects:
// measure() compares them with the sizes that slots send, unpack() with those that they expect.

/// The bytes of a process are sent as one block, in the order of its ranks.
struct AllgatherState {
  std::span<std::int64_t> offsets;  // offsets of process blocks if all were contiguous
  std::span<std::byte*> blocks;     // addresses of the process blocks
  std::span<std::int64_t> begins;   // offsets of this process's endpoints in its block
};

TypedView source_of(const Contribution& c) {
  return is_in_place(c.call.send.base) ? c.call.receive.block(c.rank) : c.call.send.block(0);
}

// Returns where the blocks of `process` lie without gaps in this buffer, or null.
std::byte* region(const RankTable& ranks, const Blocks& blocks, int process) {
  if (!type_facts(blocks.type).contiguous) return nullptr;
  std::byte* begin = nullptr;
  std::byte* end = nullptr;
  for (const RankRun& run : ranks.runs()) {
    if (run.process != process) continue;
    for (int rank = run.first_rank; rank < run.first_rank + run.length; ++rank) {
      const TypedView block = blocks.block(rank);
      auto* const data = static_cast<std::byte*>(block.data);
      if (begin == nullptr) begin = end = data;
      if (data != end) return nullptr;
      end += block.bytes();
    }
  }
  return begin;
}

// Returns where the blocks of all processes lie in their order without gaps, or null.
std::byte* whole_region(const RankTable& ranks, const Blocks& blocks) {
  if (blocks.counts || !type_facts(blocks.type).contiguous) return nullptr;
  int process = 0;
  for (const RankRun& run : ranks.runs()) {
    if (run.process < process) return nullptr;
    process = run.process;
  }
  return static_cast<std::byte*>(blocks.base);
}

class AllgatherRecipe final : public Recipe {
 public:
  Stage begin(Operation& operation, int stage) const override {
    const bool alone = operation.clique().process_count() == 1;
    Stage out;
    if (stage == 1) {
      return alone ? copy_directly(operation) : gather_processes(operation);
    }
    out.over = alone || stage > 2;
    if (out.over) return out;
    const AllgatherState& state = operation.state<AllgatherState>();
    out.items = operation.slot_count() * static_cast<int>(state.blocks.size());
    out.heavy = state.offsets.back() * operation.slot_count() >= heavy_bytes;
    return out;
  }

  void run_item(Operation& operation, int stage, int item) const override {
    if (operation.clique().process_count() == 1) {
      const int slots = operation.slot_count();
      copy_block(operation, item % slots, item / slots);
    } else if (stage == 1) {
      pack(operation, item);
    } else {
      const int processes = operation.clique().process_count();
      unpack(operation, item / processes, item % processes);
    }
  }

 private:
  static Stage copy_directly(Operation& operation) {
    Stage out;
    out.items = operation.slot_count() * operation.slot_count();
    std::int64_t bytes = 0;
    for (int slot = 0; slot < operation.slot_count(); ++slot) {
      bytes += source_of(operation.contribution(slot)).bytes();
    }
    out.heavy = bytes * operation.slot_count() >= heavy_bytes;
    return out;
  }

  static void copy_block(Operation& operation, int from, int to) {
    const Contribution& source = operation.contribution(from);
    const MappedView view = mapped(source_of(source));
    const MappedView target = mapped(operation.call(to).receive.block(source.rank));
    if (coincide(view, target)) return;
    check_size(operation, to, source.rank, view.bytes(), target.bytes());
    copy_typed(view, target);
  }

  static Stage gather_processes(Operation& operation) {
    AllgatherState& state = operation.make_state<AllgatherState>();
    measure(operation, state);
    const Participants all = operation.all_processes();
    const std::int64_t total = state.offsets.back();
    const Algorithm algorithm = choose_algorithm(operation, total);
    place_blocks(operation, state, algorithm != Algorithm::ring);
    Schedule& schedule = operation.schedule();
    if (algorithm == Algorithm::ring) {
      ring_allgather(schedule, all, state.blocks, state.offsets.data());
    } else if (algorithm == Algorithm::doubling) {
      doubling_allgather(schedule, all, {state.blocks[0], state.offsets.data()});
    } else {
      bruck_allgather(schedule, all, {state.blocks[0], state.offsets.data()});
    }
    Stage out;
    out.items = operation.slot_count();
    const auto me = static_cast<std::size_t>(all.me);
    out.heavy = state.offsets[me + 1] - state.offsets[me] >= heavy_bytes;
    return out;
  }

  static Algorithm choose_algorithm(Operation& operation, std::int64_t bytes) {
    const int processes = operation.clique().process_count();
    AlgorithmSet usable{Algorithm::ring, Algorithm::bruck};
    if (std::has_single_bit(static_cast<unsigned>(processes))) usable.add(Algorithm::doubling);
    return operation.choose(Collective::allgather, {processes}, bytes, usable);
  }

  static void measure(Operation& operation, AllgatherState& state) {
    Clique& clique = operation.clique();
    const int processes = clique.process_count();
    const Blocks& receive = operation.call(0).receive;
    state.offsets = operation.scratch().take_array<std::int64_t>(processes + 1);
    for (const RankRun& run : clique.local_group(0).runs()) {
      std::int64_t& size = state.offsets[static_cast<std::size_t>(run.process) + 1];
      for (int i = 0; i < run.length; ++i) size += receive.bytes(run.first_rank + i);
    }
    for (std::size_t p = 1; p < state.offsets.size(); ++p) {
      state.offsets[p] += state.offsets[p - 1];
    }
    state.begins = operation.scratch().take_array<std::int64_t>(operation.slot_count() + 1);
    for (int slot = 0; slot < operation.slot_count(); ++slot) {
      const auto i = static_cast<std::size_t>(slot);
      const Contribution& c = operation.contribution(slot);
      const std::int64_t expected = receive.bytes(c.rank);
      check_sent_size(operation, slot, source_of(c).bytes(), expected);
      state.begins[i + 1] = state.begins[i] + expected;
    }
  }

  // Places blocks in the receive buffer of the first endpoint if possible, so that it needs no
  // copy.
  static void place_blocks(Operation& operation, AllgatherState& state, bool in_a_row) {
    const std::size_t processes = state.offsets.size() - 1;
    state.blocks = operation.scratch().take_array<std::byte*>(static_cast<std::int64_t>(processes));
    const RankTable& ranks = operation.clique().local_group(0);
    const Blocks& receive = operation.call(0).receive;
    if (in_a_row) {
      std::byte* row = whole_region(ranks, receive);
      if (row == nullptr) row = operation.scratch().take(state.offsets.back());
      for (std::size_t p = 0; p < processes; ++p) state.blocks[p] = row + state.offsets[p];
      return;
    }
    for (std::size_t p = 0; p < processes; ++p) {
      state.blocks[p] = region(ranks, receive, static_cast<int>(p));
      if (state.blocks[p] != nullptr) continue;
      state.blocks[p] = operation.scratch().take(state.offsets[p + 1] - state.offsets[p]);
    }
  }

  static void pack(Operation& operation, int slot) {
    const AllgatherState& state = operation.state<AllgatherState>();
    const auto i = static_cast<std::size_t>(slot);
    const Contribution& c = operation.contribution(slot);
    const MappedView source = mapped(source_of(c));
    std::byte* const target =
        state.blocks[static_cast<std::size_t>(operation.clique().my_process())] + state.begins[i];
    if (source.block() != target) pack_bytes(source, target);
  }

  static void unpack(Operation& operation, int slot, int process) {
    const AllgatherState& state = operation.state<AllgatherState>();
    const Blocks& receive = operation.call(slot).receive;
    const Blocks& measured = operation.call(0).receive;
    const std::byte* bytes = state.blocks[static_cast<std::size_t>(process)];
    for (const RankRun& run : operation.clique().local_group(0).runs()) {
      if (run.process != process) continue;
      for (int rank = run.first_rank; rank < run.first_rank + run.length; ++rank) {
        const MappedView target = mapped(receive.block(rank));
        const std::int64_t size = measured.bytes(rank);
        check_size(operation, slot, rank, size, target.bytes());
        if (bytes != target.block()) unpack_bytes(bytes, size, target);
        bytes += size;
      }
    }
  }
};

}  // namespace

const Recipe& allgather_recipe() {
  static const AllgatherRecipe recipe;
  return recipe;
}

}  // namespace ep
