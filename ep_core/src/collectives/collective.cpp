#include "collectives/collective.hpp"

#include <memory>
#include <utility>

#include "cliques/clique.hpp"
#include "handles/endpoint.hpp"
#include "recipes/recipes.hpp"

namespace ep {

void barrier(Endpoint& endpoint) { run(endpoint, call_of(barrier_recipe(), "EP_Barrier")); }

void bcast(Endpoint& endpoint, const TypedView& view, int root) {
  Call call = call_of(bcast_recipe(), "EP_Bcast");
  call.receive = {view.data, view.count, {}, {}, view.type, nullptr};
  call.root = root;
  run(endpoint, call);
}

void allgather_bytes(Endpoint& endpoint, const void* mine, int size, void* all) {
  Call call = call_of(allgather_recipe(), "EP_Allgather");
  call.send = {const_cast<void*>(mine), size, {}, {}, MPI_BYTE, nullptr};
  call.receive = {all, size, {}, {}, MPI_BYTE, nullptr};
  run(endpoint, call);
}

namespace {

struct Exchange {
  std::vector<std::int64_t> sizes;  // one number per process, addressed as offsets
  std::vector<std::int64_t> offsets;
  ExchangeRecipe::Lumps lumps;
};

void send_sizes(Operation& operation, Exchange& state) {
  const Participants all = operation.all_processes();
  const auto count = static_cast<std::size_t>(all.count);
  state.sizes.assign(count, 0);
  state.sizes[static_cast<std::size_t>(all.me)] =
      static_cast<std::int64_t>(state.lumps[static_cast<std::size_t>(all.me)].size());
  for (std::size_t i = 0; i <= count; ++i) {
    state.offsets.push_back(static_cast<std::int64_t>(i * sizeof(std::int64_t)));
  }
  bruck_allgather(operation.schedule(), all,
                  {reinterpret_cast<std::byte*>(state.sizes.data()), state.offsets.data()});
}

void send_lumps(Operation& operation, Exchange& state) {
  std::vector<std::byte*> places;
  state.offsets.assign(1, 0);
  for (std::size_t p = 0; p < state.lumps.size(); ++p) {
    state.lumps[p].resize(static_cast<std::size_t>(state.sizes[p]));
    places.push_back(state.lumps[p].data());
    state.offsets.push_back(state.offsets.back() + state.sizes[p]);
  }
  ring_allgather(operation.schedule(), operation.all_processes(), places, state.offsets.data());
}

}  // namespace

Recipe::Stage ExchangeRecipe::begin(Operation& operation, int stage) const {
  Stage out;
  if (stage == 1) {
    auto state = std::make_shared<Exchange>();
    const Participants all = operation.all_processes();
    state->lumps.resize(static_cast<std::size_t>(all.count));
    state->lumps[static_cast<std::size_t>(all.me)] = contribute(operation);
    send_sizes(operation, *state);
    operation.make_state<Exchange*>() = state.get();
    operation.keep(std::move(state));
    return out;
  }
  Exchange& state = *operation.state<Exchange*>();
  if (stage == 2) {
    send_lumps(operation, state);
    return out;
  }
  conclude(operation, state.lumps);
  out.over = true;
  return out;
}

}  // namespace ep
