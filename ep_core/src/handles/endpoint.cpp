#include "handles/endpoint.hpp"

#include <mutex>
#include <utility>

#include "handles/handle_tables.hpp"
#include "handles/start_handles.hpp"
#include "process/error.hpp"
#include "traces/observation.hpp"

namespace ep {

namespace {

// Returns the sleeper that the endpoint with this number uses in all its communicators.
std::shared_ptr<Sleeper> sleeper_of(int id) {
  Sleepers& all = handle_tables().sleepers;
  const std::lock_guard lock(all.mutex);
  std::weak_ptr<Sleeper>& place = all.living[id];
  std::shared_ptr<Sleeper> sleeper = place.lock();
  if (!sleeper) {
    // A wait point that still refers to a recycled sleeper only causes a needless wake-up.
    sleeper.reset(all.memory.take(), [&all, id](Sleeper* item) {
      all.memory.give(item);
      const std::lock_guard relock(all.mutex);
      const auto found = all.living.find(id);
      if (found != all.living.end() && found->second.expired()) all.living.erase(found);
    });
    place = sleeper;
  }
  return sleeper;
}

}  // namespace

int draw_endpoint_ids(int count) noexcept { return handle_tables().next_id.fetch_add(count); }

bool is_endpoint(EP_Comm comm) noexcept {
  return handle_tables().endpoints.contains(comm) && comm->alive.load() == endpoint_alive;
}

EP_Comm endpoint_or_null(EP_Comm comm) noexcept {
  if (!is_predefined(comm)) return is_endpoint(comm) ? comm : EP_COMM_NULL;
  try {
    return resolved(comm);
  } catch (const std::exception&) {
    return EP_COMM_NULL;  // not started, or the thread is no endpoint of it
  }
}

Endpoint& endpoint_of(EP_Comm comm) {
  if (comm == EP_COMM_NULL) fail(EP_ERR_COMM, "the communicator is EP_COMM_NULL.");
  if (is_predefined(comm)) return *resolved(comm);
  if (!is_endpoint(comm)) {
    fail(EP_ERR_COMM, "the communicator handle is not valid (freed, or not made by this library).");
  }
  return *comm;
}

Endpoint& intra_endpoint_of(EP_Comm comm, const char* operation) {
  Endpoint& endpoint = endpoint_of(comm);
  if (endpoint.clique->is_inter()) {
    fail(EP_ERR_COMM, operation,
         " on an intercommunicator (it needs one group). Use the local communicator?");
  }
  return endpoint;
}

namespace {

// Every endpoint has a reference count of its own. Otherwise the endpoints of a process would
// contend for one counter at each message.
std::shared_ptr<Clique> own_reference(std::shared_ptr<Clique> clique) {
  Clique* const same = clique.get();
  return {std::make_shared<std::shared_ptr<Clique>>(std::move(clique)), same};
}

struct Waiting {
  std::shared_ptr<Sleeper> as;
  int size;  // size of the group, for the watchdog
  int id;    // number of the endpoint in the process
};

EP_Comm make_handle(const Endpoint* parent, std::shared_ptr<Clique> clique, const Member& as,
                    const Waiting& waiting) {
  ep_comm* const endpoint = handle_tables().endpoints.take();
  endpoint->clique = own_reference(std::move(clique));
  endpoint->slot = as.slot;
  endpoint->side = as.side;
  endpoint->rank = as.rank;
  endpoint->operations = 0;
  endpoint->persistent_operations = 0;
  endpoint->duplications = 0;
  endpoint->sleeper = waiting.as;
  endpoint->of_start = parent != nullptr && parent->of_start;
  Slot& place = endpoint->place();
  place.rank = as.rank;
  place.size = waiting.size;
  place.sleeper.store(waiting.as.get());
  observation().listen_at(*endpoint->clique, {as.slot, as.side, as.rank, waiting.id});
  place.errors.set_comm(endpoint);
  if (parent != nullptr) {
    place.errors.inherit(parent->place().errors);
    if (parent->clique->checks_types.load()) endpoint->clique->checks_types.store(true);
  }
  endpoint->alive.store(endpoint_alive);
  return endpoint;
}

}  // namespace

EP_Comm make_early_endpoint(const Endpoint& parent, std::shared_ptr<Clique> clique, int size) {
  return make_handle(&parent, std::move(clique), parent,
                     {parent.sleeper, size, parent.local_group().id(parent.rank)});
}

EP_Comm make_endpoint(const Endpoint* parent, std::shared_ptr<Clique> clique, int slot, int side,
                      int rank) {
  const RankTable& group = clique->local_group(side);
  const int id = group.id(rank);
  const Waiting waiting{sleeper_of(id), group.size(), id};
  return make_handle(parent, std::move(clique), {nullptr, slot, side, rank}, waiting);
}

void free_endpoint(EP_Comm comm) {
  Endpoint& endpoint = endpoint_of(comm);
  delete_attributes(comm, comm);
  endpoint.alive.store(0);
  endpoint.place().errors.set_comm(EP_COMM_NULL);
  endpoint.topology.reset();
  endpoint.hints.clear();
  endpoint.clique.reset();
  endpoint.sleeper.reset();
  handle_tables().endpoints.give(comm);
}

}  // namespace ep
