#include "file_collective.hpp"

#include <utility>

#include "clique.hpp"
#include "error.hpp"
#include "file_exchange.hpp"
#include "recipes.hpp"

namespace ep {

namespace {

enum class Step { ranges, sizes, exchange, move, answer, unpack, over };

struct AccessState {
  FileExchange* exchange;
  Step step;  // the one under way
};

// What comes after `step` for this process.
Step next_step(const FileExchange& exchange, Step step, bool alone) {
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
      return exchange.has_peers() ? Step::unpack : Step::over;
    default:
      return Step::over;
  }
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

  void part(Operation& operation, int /*stage*/, int part) const override {
    const AccessState& state = operation.state<AccessState>();
    if (state.step == Step::sizes) state.exchange->pack(part);
    if (state.step == Step::move) state.exchange->move_part(part);
    if (state.step == Step::unpack) state.exchange->unpack(part);
  }

 private:
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
        out.parts = exchange.peer_count();
        out.heavy = exchange.domain_bytes() >= heavy_bytes;
        out.communicates_first = true;
        break;
      case Step::exchange:
        exchange.exchange(schedule);
        break;
      case Step::move:
        exchange.divide();
        out.parts = exchange.part_count();
        out.heavy = out.parts > 1;
        break;
      case Step::answer:
        exchange.answer(schedule);
        break;
      case Step::unpack:
        out.parts = exchange.peer_count();
        out.heavy = exchange.domain_bytes() >= heavy_bytes;
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
  Call call;
  call.recipe = &recipe;
  call.what = what;
  call.more = &access;
  return call;
}

}  // namespace

void access_together(FileAccess& access, const char* what) {
  const Call call = call_of(access, what);
  run(access.file().endpoint(), call);
}

EP_Request start_together(std::shared_ptr<FileAccess> access, const char* what) {
  Endpoint& endpoint = access->file().endpoint();
  const Call call = call_of(*access, what);
  return start(endpoint, call, std::move(access));
}

}  // namespace ep
