// C functions that make endpoints and communicators, query and free them, and those about waiting.
// They check arguments and call the rooms below. In order: creation, queries, split and free,
// intercommunicators, progress and waiting.
#include <ep/ep.h>
#include <ep/watch.h>

#include <algorithm>

#include "cliques/wire.hpp"
#include "collectives/collective.hpp"
#include "creation/api_creation.hpp"
#include "creation/hints.hpp"
#include "handles/api_arguments.hpp"
#include "handles/endpoint.hpp"
#include "handles/start_handles.hpp"
#include "process/error.hpp"
#include "process/process.hpp"
#include "progress/progress.hpp"
#include "progress/progress_hook.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

void check_entered() {
  if (!process().is_entered()) {
    fail(EP_ERR_OTHER, "neither EP_Init_thread nor EP_Init_library was called. Call one first?");
  }
}

void check_rank(int rank, int size, const char* role) {
  if (rank < 0 || rank >= size) {
    fail(EP_ERR_RANK, role, " ", rank, " (the group has ", size, " ranks).");
  }
}

Endpoint& inter_endpoint_of(EP_Comm comm, const char* operation) {
  Endpoint& endpoint = endpoint_of(comm);
  if (!endpoint.clique->is_inter()) {
    fail(EP_ERR_COMM, operation, " of an intracommunicator (it has one group).");
  }
  return endpoint;
}

Membership asked_endpoints(int count) {
  Membership mine;
  mine.count = count;
  mine.first_id = draw_endpoint_ids(std::max(count, 0));
  if (count > most_endpoints) mine.error = EP_ERR_ENDPOINTS;
  if (count < 0) mine.error = EP_ERR_ARG;
  if (count > 1 && process().thread_level() < MPI_THREAD_MULTIPLE) mine.error = EP_ERR_ENDPOINTS;
  return mine;
}

}  // namespace

int EP_Comm_from_mpi(MPI_Comm comm, EP_Comm* out) {
  if (out != nullptr) *out = EP_COMM_NULL;
  return guarded([&] {
    check_out(out);
    check_entered();
    if (comm == MPI_COMM_NULL) fail(EP_ERR_COMM, "the communicator is MPI_COMM_NULL.");
    *out = handle_of(nullptr, create_from_mpi(comm));
  });
}

int EP_Comm_create_endpoints(EP_Comm parent, int num_ep, MPI_Info info, EP_Comm out[]) {
  const bool has_room = out != nullptr && num_ep > 0 && num_ep <= most_endpoints;
  if (has_room) std::fill_n(out, num_ep, EP_COMM_NULL);
  return call_on(parent, [&] {
    Endpoint& endpoint = endpoint_of(parent);
    if (num_ep > 0) check_out(out);
    Membership mine = asked_endpoints(num_ep);
    read_hints(info, mine);
    const auto created = create_members(endpoint, mine, "EP_Comm_create_endpoints");
    for (std::size_t i = 0; i < created.size(); ++i) {
      out[i] = handle_of(&endpoint, created[i]);
      apply_info(endpoint_of(out[i]), info);
    }
  });
}

int EP_Comm_mpi(EP_Comm comm, MPI_Comm* out) {
  if (out != nullptr) *out = MPI_COMM_NULL;
  return call_on(comm, [&] {
    check_out(out);
    *out = create_raw(intra_endpoint_of(comm, "EP_Comm_mpi"));
  });
}

int EP_Comm_rank(EP_Comm comm, int* rank) {
  return call_on(comm, [&] {
    check_out(rank);
    *rank = endpoint_of(comm).rank;
  });
}

int EP_Comm_size(EP_Comm comm, int* size) {
  return call_on(comm, [&] {
    check_out(size);
    *size = endpoint_of(comm).local_group().size();
  });
}

int EP_Comm_remote_size(EP_Comm comm, int* size) {
  return call_on(comm, [&] {
    check_out(size);
    const Endpoint& endpoint = endpoint_of(comm);
    if (!endpoint.clique->is_inter()) {
      fail(EP_ERR_COMM, "EP_Comm_remote_size of an intracommunicator. Use EP_Comm_size?");
    }
    *size = endpoint.remote_group().size();
  });
}

int EP_Comm_test_inter(EP_Comm comm, int* flag) {
  return call_on(comm, [&] {
    check_out(flag);
    *flag = endpoint_of(comm).clique->is_inter() ? 1 : 0;
  });
}

int EP_Comm_tag_ub(EP_Comm comm, int* tag_ub) {
  return call_on(comm, [&] {
    check_out(tag_ub);
    static_cast<void>(endpoint_of(comm));
    // A tag that does not fit in a raw tag is sent in a header, so every non-negative int is a
    // valid tag.
    *tag_ub = 2147483647;
  });
}

int EP_Comm_locality(EP_Comm comm, int rank, int* locality) {
  return call_on(comm, [&] {
    check_out(locality);
    const Endpoint& endpoint = endpoint_of(comm);
    check_rank(rank, endpoint.remote_group().size(), "rank");
    const Clique& clique = *endpoint.clique;
    const int process = endpoint.remote_group().place(rank).process;
    if (process == clique.my_process()) {
      *locality = EP_LOCALITY_PROCESS;
    } else {
      *locality = clique.wire()->on_node(clique.process(process).wire_rank) ? EP_LOCALITY_NODE
                                                                            : EP_LOCALITY_REMOTE;
    }
  });
}

int EP_Comm_split(EP_Comm comm, int color, int key, EP_Comm* out) {
  return call_creating(comm, out, [&] {
    Endpoint& endpoint = endpoint_of(comm);
    Membership mine;
    mine.color = color;
    mine.key = key;
    if (color < 0 && color != EP_UNDEFINED) mine.error = EP_ERR_ARG;
    const auto created = create_members(endpoint, mine, "EP_Comm_split", Derivation::split);
    *out = created.empty() ? EP_COMM_NULL : handle_of(&endpoint, created.front());
  });
}

int EP_Comm_free(EP_Comm* comm) {
  return call_local(comm != nullptr ? *comm : EP_COMM_NULL, [&] {
    check_out(comm);
    if (is_predefined(*comm)) {
      fail(EP_ERR_COMM, "EP_Comm_free of a predefined communicator (EP_Finalize frees them).");
    }
    free_endpoint(*comm);
    *comm = EP_COMM_NULL;
  });
}

int EP_Intercomm_create(EP_Comm local, int local_leader, EP_Comm peer, int remote_leader, int tag,
                        EP_Comm* out) {
  return call_creating(local, out, [&] {
    Endpoint& endpoint = intra_endpoint_of(local, "EP_Intercomm_create");
    check_rank(local_leader, endpoint.local_group().size(), "local leader");
    if (tag < 0) fail(EP_ERR_TAG, "tag ", tag, " of EP_Intercomm_create (negative).");
    *out = create_intercomm(endpoint, local_leader, endpoint_or_null(peer), remote_leader, tag);
  });
}

int EP_Intercomm_merge(EP_Comm inter, int high, EP_Comm* out) {
  return call_creating(inter, out, [&] {
    Endpoint& endpoint = inter_endpoint_of(inter, "EP_Intercomm_merge");
    Membership mine;
    mine.key = high != 0 ? 1 : 0;
    const auto created = create_members(endpoint, mine, "EP_Intercomm_merge", Derivation::merge);
    *out = handle_of(&endpoint, created.front());
  });
}

int EP_Intercomm_owner(EP_Comm inter, int rank, int* owner) {
  return call_on(inter, [&] {
    check_out(owner);
    const Endpoint& endpoint = inter_endpoint_of(inter, "EP_Intercomm_owner");
    check_rank(rank, endpoint.local_group().size(), "rank");
    const Owner side = endpoint.clique->owner(endpoint.local_group().place(rank).process);
    const Owner local = endpoint.side == 0 ? Owner::first : Owner::second;
    *owner = side == Owner::both ? EP_OWNER_BOTH : side == local ? EP_OWNER_LOCAL : EP_OWNER_REMOTE;
  });
}

int EP_Progress(EP_Comm comm) {
  return call_local(comm, [&] {
    static_cast<void>(endpoint_of(comm));
    engine().progress(Engine::Asking::always);
  });
}

int EP_Wait_until(EP_Comm comm, int (*ready)(void* state), void* state, const char* reason,
                  int peer, double max_sleep_s) {
  return call_on(comm, [&] {
    const Endpoint& endpoint = endpoint_of(comm);
    const WaitSpec spec{.reason = reason != nullptr ? reason : "a condition",
                        .peer = peer,
                        .max_sleep_s = max_sleep_s,
                        .is_of_caller = true};
    const std::shared_ptr<Clique> clique = endpoint.clique;
    registry().wait(endpoint.place(), spec, [&] {
      const int result = ready(state);
      if (result < 0) fail(EP_ERR_OTHER, "the condition of EP_Wait_until failed.");
      return result != 0;
    });
  });
}

int EP_Ring(EP_Comm comm, int rank) {
  return call_local(comm, [&] {
    const Endpoint& endpoint = endpoint_of(comm);
    check_rank(rank, endpoint.remote_group().size(), "rank");
    Clique& clique = *endpoint.clique;
    const Place place = endpoint.remote_group().place(rank);
    if (place.process == clique.my_process()) {
      registry().notify(clique.slot(place.slot));
    } else {
      clique.wire()->ring_everyone(clique.process(place.process).wire_rank);
    }
  });
}

int EP_Set_watchdog(double seconds) {
  return guarded([&] { registry().set_watchdog(seconds); });
}

int EP_Set_progress_hook(void (*hook)(void* state, int diagnostics), void* state) {
  return guarded([&] { set_progress_hook(hook, state); });
}

int EP_Visit_waits(void (*visit)(const EP_Wait_info* wait, void* state), void* state) {
  return guarded([&] {
    for (const WaitOfThread& wait : registry().waits_inside()) {
      const EP_Wait_info info{wait.text.c_str(), wait.seconds, wait.sleeper};
      visit(&info, state);
    }
  });
}

const void* EP_Sleeper(void) { return own_sleeper(); }
