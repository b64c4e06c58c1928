// Collective accesses as a recipe: the steps of FileExchange become stages of an operation, whose
// work items any endpoint of the process runs. In order: the sequence of steps, the recipe, and the
// blocking and non-blocking calls.
#include "files/file_collective.hpp"

#include <algorithm>
#include <utility>

#include "cliques/clique.hpp"
#include "files/file_exchange.hpp"
#include "handles/endpoint.hpp"
#include "progress/work_board.hpp"
#include "recipes/recipes.hpp"

namespace ep {

namespace {

enum class Step { ranges, sizes, exchange, move, answer, unpack, over };

struct AccessState {
  FileExchange* exchange;
  Step step;  // the current step
};

// Returns the step after `step` in this process. Other processes may be in other steps of a round,
// but the messages are the same.
Step next_step(const FileExchange& exchange, Step step, bool alone) {
  const Step after_round = exchange.has_more_rounds() ? Step::sizes : Step::over;
  switch (step) {
    case Step::ranges:
      if (!exchange.all_well()) return Step::answer;
      return alone ? Step::move : Step::sizes;
    case Step::sizes:
      return exchange.has_peers() ? Step::exchange : Step::move;
    case Step::exchange:
      return Step::move;
    case Step::move:
      return Step::answer;
    case Step::answer:
      return exchange.has_peers() ? Step::unpack : after_round;
    case Step::unpack:
      return after_round;
    case Step::over:
      break;
  }
  return Step::over;
}

class AccessRecipe final : public Recipe {
 public:
  Stage begin(Operation& operation, int stage) const override {
    const bool alone = operation.clique().process_count() == 1;
    if (stage == 1) {
      auto made = std::make_shared<FileExchange>(operation);
      operation.make_state<AccessState>() = {made.get(), Step::ranges};
      operation.keep(std::move(made));
    } else {
      AccessState& state = operation.state<AccessState>();
      state.step = next_step(*state.exchange, state.step, alone);
    }
    return begin_step(operation, operation.state<AccessState>());
  }

  void run_item(Operation& operation, int /*stage*/, int item) const override {
    const AccessState& state = operation.state<AccessState>();
    if (!has_siblings(operation)) {
      share_items(static_cast<std::size_t>(items_of(state)),
                  [&](std::size_t item) { run_item(state, static_cast<int>(item)); });
    } else {
      run_item(state, item);
    }
  }

 private:
  static bool has_siblings(const Operation& operation) { return operation.slot_count() > 1; }

  static int items_of(const AccessState& state) {
    return state.step == Step::move ? state.exchange->chunk_count() : state.exchange->peer_count();
  }

  static void run_item(const AccessState& state, int item) {
    if (state.step == Step::sizes) state.exchange->pack(item);
    if (state.step == Step::move) state.exchange->move_chunk(item);
    if (state.step == Step::unpack) state.exchange->unpack(item);
  }

  // Siblings take items by themselves; an endpoint alone has one, which it shares with a team.
  static Stage divided(const Operation& operation, const AccessState& state) {
    Stage out;
    out.items = items_of(state);
    if (!has_siblings(operation)) out.items = std::min(out.items, 1);
    out.heavy = out.items > 1 && state.exchange->domain_bytes() >= heavy_bytes;
    return out;
  }

  static Stage begin_step(Operation& operation, const AccessState& state) {
    FileExchange& exchange = *state.exchange;
    Schedule& schedule = operation.schedule();
    Stage out;
    switch (state.step) {
      case Step::ranges:
        exchange.tell_ranges(schedule);
        break;
      case Step::sizes:
        exchange.tell_sizes(schedule);
        out = divided(operation, state);
        out.communicates_first = true;
        break;
      case Step::exchange:
        exchange.exchange(schedule);
        break;
      case Step::move:
        exchange.divide();
        out = divided(operation, state);
        break;
      case Step::answer:
        exchange.answer(schedule);
        break;
      case Step::unpack:
        out = divided(operation, state);
        break;
      case Step::over:
        exchange.conclude();
        out.over = true;
        break;
    }
    return out;
  }
};

Call call_of(FileAccess& access, const char* what) {
  static const AccessRecipe recipe;
  access.hold_file();
  return call_of(recipe, what, &access);
}

}  // namespace

void access_together(FileAccess& access, const char* what) {
  run(access.file().endpoint(), call_of(access, what));
}

EP_Request start_together(std::shared_ptr<FileAccess> access, const char* what) {
  Endpoint& endpoint = access->file().endpoint();
  const Call call = call_of(*access, what);
  return start(endpoint, call, std::move(access));
}

}  // namespace ep
