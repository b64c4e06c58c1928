// Inclusive and exclusive scans: prefixes over runs of ranks that live in one process, a doubling
// exchange of them between processes, then the prefixes of endpoints. The association follows ranks
// only. In order: the state, stages, local prefixes, rounds.
#include <algorithm>
#include <array>

#include "cliques/clique.hpp"
#include "datatypes/reducer.hpp"
#include "recipes/reduction_flow.hpp"

namespace ep {

namespace {

/// The values of one endpoint in a step.
struct Prefix {
  const void* before = nullptr;  // value before the combination
  const void* left = nullptr;    // operand from the left; null if there is none
  const void* value = nullptr;   // value after the combination
  void* received = nullptr;      // memory of a `left` that comes from another process
  std::array<void*, 2> memory{};
};

struct ScanState {
  Reducer reducer;
  std::int64_t count = 0;
  ElementSplit split;
  std::span<Prefix> prefixes;  // by slot

  TypedView view(const void* data) const { return view_of(data, count, reducer.type); }
};

/// Computes prefixes by doubling distances over ranks (Hillis and Steele 1986): in each step, rank
/// r combines the value of rank r - distance with its own. The association depends on ranks only.
/// The exclusive scan first moves all operands up by one rank, then does the same among the ranks
/// from 1 on.
///
/// Stage s combines the operands that the transfers of step s - 1 brought, then performs those of
/// step s.
class ScanRecipe final : public Recipe {
 public:
  explicit ScanRecipe(bool exclusive) : exclusive_(exclusive) {}

  Stage begin(Operation& operation, int stage) const override {
    if (stage == 1) prepare_scan(operation);
    Stage out;
    out.over = stage > last_stage(operation);
    if (out.over) return out;
    const ScanState& state = operation.state<ScanState>();
    if (stage > 1) take_from_left(operation, stage - 1);
    if (stage < last_stage(operation)) write_transfers(operation, stage);
    if (stage > 1 || last_stage(operation) == 1) out.items = state.split.items;
    out.heavy = out.items > 1;
    return out;
  }

  void run_item(Operation& operation, int stage, int item) const override {
    const ScanState& state = operation.state<ScanState>();
    const std::int64_t begin = state.split.begin(item);
    const std::int64_t end = state.split.end(item);
    const Reducer& reducer = state.reducer;
    for (const Prefix& p : state.prefixes) {
      if (p.value == p.before || p.value == p.left) continue;
      reducer.combine(end - begin, reducer.at(p.left, begin), reducer.at(p.before, begin),
                      reducer.at(const_cast<void*>(p.value), begin));
    }
    if (stage == last_stage(operation)) deliver(operation, begin, end);
  }

 private:
  bool moves(int step) const { return exclusive_ && step == 1; }
  int distance(int step) const { return moves(step) ? 1 : 1 << (exclusive_ ? step - 2 : step - 1); }
  // The rank whose value rank `rank` gets, or -1.
  int left_of(int rank, int step) const {
    const int left = rank - distance(step);
    const int lowest = exclusive_ && !moves(step) ? 1 : 0;
    return left >= lowest ? left : -1;
  }
  int last_stage(Operation& operation) const {
    const int ranks = operation.clique().local_group(0).size() - (exclusive_ ? 1 : 0);
    int steps = exclusive_ ? 1 : 0;
    for (int reach = 1; reach < ranks; reach *= 2) ++steps;
    return steps + 1;
  }

  static void prepare_scan(Operation& operation) {
    check_same_reduction(operation);
    ScanState& state = operation.make_state<ScanState>();
    const Call& call = operation.call(0);
    ReductionFlow shape;
    shape.reducer = state.reducer = make_reducer(call.op, call.send.type);
    state.count = common_count(operation, 0);
    state.split = split_elements(operation, shape, state.count);
    state.prefixes = operation.scratch().take_array<Prefix>(operation.slot_count());
    for (int slot = 0; slot < operation.slot_count(); ++slot) {
      const Call& mine = operation.call(slot);
      Prefix& p = state.prefixes[static_cast<std::size_t>(slot)];
      p.value = is_in_place(mine.send.base) ? mine.receive.base : mine.send.base;
      p.before = p.value;
    }
  }

  void take_from_left(Operation& operation, int step) const {
    ScanState& state = operation.state<ScanState>();
    const RankTable& ranks = operation.clique().local_group(0);
    for (Prefix& p : state.prefixes) p.before = p.value;
    for (int slot = 0; slot < operation.slot_count(); ++slot) {
      Prefix& p = state.prefixes[static_cast<std::size_t>(slot)];
      const int left = left_of(operation.contribution(slot).rank, step);
      p.left = nullptr;
      if (left < 0) continue;
      const Place place = ranks.place(left);
      const bool here = place.process == operation.clique().my_process();
      p.left = here ? state.prefixes[static_cast<std::size_t>(place.slot)].before : p.received;
      if (moves(step)) {
        p.value = p.left;
        continue;
      }
      void*& memory = p.memory[static_cast<std::size_t>(step % 2)];
      if (memory == nullptr) {
        memory = operation.scratch().take_elements(state.count, state.reducer.type);
      }
      p.value = memory;
    }
  }

  void write_transfers(Operation& operation, int step) const {
    ScanState& state = operation.state<ScanState>();
    const RankTable& ranks = operation.clique().local_group(0);
    const int me = operation.clique().my_process();
    for (int slot = 0; slot < operation.slot_count(); ++slot) {
      Prefix& p = state.prefixes[static_cast<std::size_t>(slot)];
      const int rank = operation.contribution(slot).rank;
      const int right = rank + distance(step);
      if (right < ranks.size() && left_of(right, step) == rank) {
        const int process = ranks.place(right).process;
        if (process != me) operation.schedule().send(process, state.view(p.value));
      }
      const int left = left_of(rank, step);
      if (left < 0 || ranks.place(left).process == me) continue;
      // The memory of the step before cannot be used, since its operand is combined only now.
      p.received = operation.scratch().take_elements(state.count, state.reducer.type);
      operation.schedule().receive(ranks.place(left).process, state.view(p.received));
    }
  }

  // Copies results when all combinations of these elements are done, so that no operand is
  // overwritten too early.
  void deliver(Operation& operation, std::int64_t begin, std::int64_t end) const {
    const ScanState& state = operation.state<ScanState>();
    for (int slot = 0; slot < operation.slot_count(); ++slot) {
      const void* const from = state.prefixes[static_cast<std::size_t>(slot)].value;
      void* const to = operation.call(slot).receive.base;
      if (from == to || (exclusive_ && operation.contribution(slot).rank == 0)) continue;
      const std::int64_t count = end - begin;
      copy_typed(view_of(state.reducer.at(from, begin), count, state.reducer.type),
                 {state.reducer.at(to, begin), count, state.reducer.type});
    }
  }

  bool exclusive_;
};

}  // namespace

const Recipe& scan_recipe() {
  static const ScanRecipe recipe(false);
  return recipe;
}

const Recipe& exscan_recipe() {
  static const ScanRecipe recipe(true);
  return recipe;
}

}  // namespace ep
