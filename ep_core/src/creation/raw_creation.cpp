#include <cstdint>
#include <vector>

#include "cliques/wire.hpp"
#include "collectives/collective.hpp"
#include "creation/clique_creation.hpp"
#include "creation/creation.hpp"
#include "handles/endpoint.hpp"
#include "messages/message_wire.hpp"
#include "process/error.hpp"
#include "process/mpi_library.hpp"
#include "progress/progress.hpp"

// Communicators of MPI over some processes.

namespace ep {

std::shared_ptr<Wire> create_wire(const std::vector<int>& world_ranks, int tag) {
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Group group = MPI_GROUP_NULL;
  check_mpi(MPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group");
  check_mpi(MPI_Group_incl(world, static_cast<int>(world_ranks.size()), world_ranks.data(), &group),
            "MPI_Group_incl");
  MPI_Comm comm = MPI_COMM_NULL;
  // MPI 4.0 has no other way to connect some processes: blocking, entered by all at about one time.
  engine().send_queued();  // the library makes no progress during the call
  check_mpi(MPI_Comm_create_group(MPI_COMM_WORLD, group, tag, &comm), "MPI_Comm_create_group");
  check_mpi(MPI_Group_free(&group), "MPI_Group_free");
  check_mpi(MPI_Group_free(&world), "MPI_Group_free");
  return MessageWire::make(comm);
}

namespace {

bool same_as_wire(const Clique& clique, const RankTable& group) {
  if (clique.process_count() != clique.wire()->size()) return false;
  for (int rank = 0; rank < group.size(); ++rank) {
    if (clique.process(group.place(rank).process).wire_rank != rank) return false;
  }
  return true;
}

/// Where the messages of MPI_Comm_create_group travel.
struct Ground {
  MPI_Comm comm;
  int tag;
};

/// MPICH hides them. Open MPI 4.1 sends them with the caller's tag where our probes for any tag of
/// a wire find them, and the call would wait for ever: there they go through MPI_COMM_WORLD, which
/// nobody probes, with tags that tell wires apart.
Ground ground_of_creation(const Wire& wire, int tag) {
  static const bool are_hidden = library_of_build().kind == MpiKind::mpich;
  if (are_hidden) return {wire.comm(), tag};
  constexpr std::uint64_t bits = 0x7fff;
  const std::uint64_t mixed = (wire.uid() ^ (wire.uid() >> 32U) * 31U) & bits;
  const std::uint64_t wanted = (mixed << 15U) | static_cast<std::uint64_t>(tag);
  return {MPI_COMM_WORLD,
          static_cast<int>(wanted % (static_cast<std::uint64_t>(wire.raw_tag_ub()) + 1))};
}

MPI_Comm create_raw_group(const Clique& clique, const std::vector<int>& members, int tag) {
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group mine = MPI_GROUP_NULL;
  MPI_Comm out = MPI_COMM_NULL;
  check_mpi(MPI_Comm_group(clique.wire()->comm(), &all), "MPI_Comm_group");
  check_mpi(MPI_Group_incl(all, static_cast<int>(members.size()), members.data(), &mine),
            "MPI_Group_incl");
  // The call blocks, as MPI 4.0 has no other way. All processes have passed a barrier of the
  // library, so that none spins for long. The library makes no progress during the call.
  engine().send_queued();
  const Ground ground = ground_of_creation(*clique.wire(), tag);
  check_mpi(MPI_Comm_create_group(ground.comm, mine, ground.tag, &out), "MPI_Comm_create_group");
  check_mpi(MPI_Group_free(&mine), "MPI_Group_free");
  check_mpi(MPI_Group_free(&all), "MPI_Group_free");
  check_mpi(MPI_Comm_set_errhandler(out, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  return out;
}

}  // namespace

MPI_Comm create_raw_over_processes(const Clique& clique) {
  std::vector<int> members;
  members.reserve(static_cast<std::size_t>(clique.process_count()));
  for (int p = 0; p < clique.process_count(); ++p) members.push_back(clique.process(p).wire_rank);
  // Cliques of the same processes may do this at the same time: their first process tells them
  // apart.
  return create_raw_group(clique, members, static_cast<int>(clique.process(0).context & 0x7fffU));
}

MPI_Comm create_raw(Endpoint& endpoint) {
  const Clique& clique = *endpoint.clique;
  const RankTable& group = endpoint.local_group();
  if (group.size() != clique.process_count()) {
    fail(EP_ERR_COMM, "EP_Comm_mpi of ", group.size(), " endpoints in ", clique.process_count(),
         " processes (every process must take part with exactly one). Split first?");
  }
  barrier(endpoint);
  const MPI_Comm made = creation_of(clique).raw_comm;
  if (made != MPI_COMM_NULL) return made;
  MPI_Comm out = MPI_COMM_NULL;
  if (!clique.wire() || same_as_wire(clique, group)) {
    MPI_Request raw = MPI_REQUEST_NULL;
    check_mpi(MPI_Comm_idup(clique.wire() ? clique.wire()->comm() : MPI_COMM_SELF, &out, &raw),
              "MPI_Comm_idup");
    wait_for_mpi(raw, "other processes to call EP_Comm_mpi");
  } else {
    std::vector<int> members;
    members.reserve(static_cast<std::size_t>(group.size()));
    for (int rank = 0; rank < group.size(); ++rank) {
      members.push_back(clique.process(group.place(rank).process).wire_rank);
    }
    out = create_raw_group(clique, members, static_cast<int>(endpoint.operations & 0x7fffU));
  }
  check_mpi(MPI_Comm_set_errhandler(out, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  creation_of(clique).keep(out);
  return out;
}

}  // namespace ep
