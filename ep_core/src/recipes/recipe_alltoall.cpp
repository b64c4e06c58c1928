// Alltoall of equal blocks: Bruck's algorithm between processes where messages are small, otherwise
// the moves of recipe_move.cpp. In order: the state, packing by process, rounds that combine
// blocks, unpacking.
#include <algorithm>

#include "cliques/clique.hpp"
#include "recipes/recipes.hpp"
#include "schedules/algorithm_choice.hpp"
#include "schedules/collective_tuning.hpp"

namespace ep {

namespace {

/// Bruck's exchange: a block for the process at some distance ahead moves by the powers of two
/// whose sum is that distance, together with all other blocks that move by the same power.
struct BruckState {
  Participants all;
  std::int64_t block = 0;                 // bytes from one rank to one
  std::span<int> ranks_of;                // number of endpoints by process
  std::span<std::byte*> at;               // data in this process, by distance
  std::span<std::span<const int>> ranks;  // by process, ascending
  std::byte* row = nullptr;               // data to send in this stage
  std::byte* incoming = nullptr;          // data to receive in this stage

  int count(int process) const { return ranks_of[static_cast<std::size_t>(process)]; }
  /// Returns the size of the data here for `distance`, of which it has already moved `done`.
  std::int64_t size(int distance, int done) const {
    const int origin = all.behind(done);
    const int target = all.process((all.me + distance - done + all.count) % all.count);
    return std::int64_t{1} * count(origin) * count(target) * block;
  }
};

class AlltoallRecipe final : public Recipe {
 public:
  /// Stage 1 packs, each of the next does a power of two, the last unpacks.
  Stage begin(Operation& operation, int stage) const override {
    if (stage == 1) {
      if (!is_by_bruck(operation)) {
        operation.call(0).recipe = &move_recipe();
        return move_recipe().begin(operation, stage);
      }
      prepare(operation);
    }
    const BruckState& state = operation.state<BruckState>();
    const int last = ceil_log2(state.all.count) + 2;
    Stage out;
    out.over = stage > last;
    if (out.over) return out;
    if (stage > 2) take_incoming(operation, stage - 1);
    if (stage > 1 && stage < last) write_transfer(operation, stage);
    out.items = state.all.count;
    out.heavy =
        state.block * state.count(state.all.me) * operation.clique().local_group(0).size() >=
        heavy_bytes;
    return out;
  }

  void run_item(Operation& operation, int stage, int item) const override {
    const BruckState& state = operation.state<BruckState>();
    if (stage == 1) {
      pack(operation, item);
    } else if (stage == ceil_log2(state.all.count) + 2) {
      unpack(operation, item);
    } else if (moves(item, stage)) {
      std::byte* to = state.row;
      for (int d = 0; d < item; ++d) to += moves(d, stage) ? size_in(state, d, stage) : 0;
      const std::byte* const from = state.at[static_cast<std::size_t>(item)];
      std::copy_n(from, size_in(state, item, stage), to);
    }
  }

 private:
  static int power(int stage) { return 1 << (stage - 2); }
  static bool moves(int distance, int stage) { return (distance & power(stage)) != 0; }
  static std::int64_t size_in(const BruckState& state, int distance, int stage) {
    return state.size(distance, distance & (power(stage) - 1));
  }

  static bool is_by_bruck(Operation& operation) {
    const Clique& clique = operation.clique();
    if (clique.is_inter() || clique.process_count() < 2 || !operation.call(0).regular) return false;
    const int processes = clique.process_count();
    const std::int64_t ranks = clique.local_group(0).size();
    // All processes must compute the same value, so it is that of a process with the mean number of
    // endpoints.
    const std::int64_t bytes = operation.call(0).receive.bytes(0) * ranks * ranks / processes;
    return operation.choose(Collective::alltoall, {processes}, bytes,
                            {Algorithm::linear, Algorithm::pairwise, Algorithm::bruck}) ==
           Algorithm::bruck;
  }

  static void prepare(Operation& operation) {
    BruckState& state = operation.make_state<BruckState>();
    Scratch& scratch = operation.scratch();
    state.all = operation.all_processes();
    state.block = operation.call(0).receive.bytes(0);
    for (int slot = 0; slot < operation.slot_count(); ++slot) {
      const Call& call = operation.call(slot);
      check_sent_size(operation, slot, call.send.bytes(0), state.block);
      check_sent_size(operation, slot, call.receive.bytes(0), state.block);
    }
    find_ranks(operation);
    state.at = scratch.take_array<std::byte*>(state.all.count);
    for (int d = 0; d < state.all.count; ++d) {
      state.at[static_cast<std::size_t>(d)] = scratch.take(state.size(d, 0));
    }
  }

  static void find_ranks(Operation& operation) {
    BruckState& state = operation.state<BruckState>();
    const RankTable& table = operation.clique().local_group(0);
    state.ranks_of = operation.scratch().take_array<int>(state.all.count);
    for (const RankRun& run : table.runs()) {
      state.ranks_of[static_cast<std::size_t>(run.process)] += run.length;
    }
    const auto used = operation.scratch().take_array<int>(state.all.count);
    const auto places = operation.scratch().take_array<std::span<int>>(state.all.count);
    state.ranks = operation.scratch().take_array<std::span<const int>>(state.all.count);
    for (std::size_t p = 0; p < places.size(); ++p) {
      state.ranks[p] = places[p] = operation.scratch().take_array<int>(state.ranks_of[p]);
    }
    for (const RankRun& run : table.runs()) {
      const auto p = static_cast<std::size_t>(run.process);
      for (int i = 0; i < run.length; ++i) {
        places[p][static_cast<std::size_t>(used[p]++)] = run.first_rank + i;
      }
    }
  }

  // Sends all data that moves in this stage as one message, in the order of distances.
  static void write_transfer(Operation& operation, int stage) {
    BruckState& state = operation.state<BruckState>();
    std::int64_t out = 0;
    std::int64_t in = 0;
    Participants sender = state.all;
    sender.me = (state.all.me - power(stage) + state.all.count) % state.all.count;
    BruckState theirs = state;
    theirs.all = sender;
    for (int d = 0; d < state.all.count; ++d) {
      if (!moves(d, stage)) continue;
      out += size_in(state, d, stage);
      in += size_in(theirs, d, stage);
    }
    state.row = operation.scratch().take(out);
    state.incoming = operation.scratch().take(in);
    operation.schedule().receive_bytes(state.all.behind(power(stage)), state.incoming, in);
    operation.schedule().send_bytes(state.all.ahead(power(stage)), state.row, out);
  }

  static void take_incoming(Operation& operation, int stage) {
    BruckState& state = operation.state<BruckState>();
    std::byte* bytes = state.incoming;
    for (int d = 0; d < state.all.count; ++d) {
      if (!moves(d, stage)) continue;
      state.at[static_cast<std::size_t>(d)] = bytes;
      bytes += state.size(d, d & (2 * power(stage) - 1));
    }
  }

  // Packs the blocks from every rank here to every rank of the process `distance` ahead.
  static void pack(Operation& operation, int distance) {
    const BruckState& state = operation.state<BruckState>();
    const RankTable& table = operation.clique().local_group(0);
    std::byte* bytes = state.at[static_cast<std::size_t>(distance)];
    const auto target = static_cast<std::size_t>(state.all.ahead(distance));
    for (const int from : state.ranks[static_cast<std::size_t>(state.all.me)]) {
      const Blocks& send = operation.call(table.place(from).slot).send;
      for (const int to : state.ranks[target]) {
        pack_bytes(send.block(to), bytes);
        bytes += state.block;
      }
    }
  }

  static void unpack(Operation& operation, int distance) {
    const BruckState& state = operation.state<BruckState>();
    const RankTable& table = operation.clique().local_group(0);
    const std::byte* bytes = state.at[static_cast<std::size_t>(distance)];
    const auto origin = static_cast<std::size_t>(state.all.behind(distance));
    for (const int from : state.ranks[origin]) {
      for (const int to : state.ranks[static_cast<std::size_t>(state.all.me)]) {
        const Blocks& receive = operation.call(table.place(to).slot).receive;
        unpack_bytes(bytes, state.block, receive.block(from));
        bytes += state.block;
      }
    }
  }
};

}  // namespace

const Recipe& alltoall_recipe() {
  static const AlltoallRecipe recipe;
  return recipe;
}

}  // namespace ep
