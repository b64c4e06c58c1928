#include "creation.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "collective.hpp"
#include "error.hpp"
#include "wire.hpp"

namespace ep {

namespace {

/// What every process learns of every other while communicators are created.
struct ProcessShare {
  std::vector<Membership> memberships;    // by parent slot
  std::map<int, std::uint32_t> contexts;  // colour -> the process's number of that communicator
};

using LocalCliques = std::map<int, std::shared_ptr<Clique>>;

const Membership& membership_of(const Turn& turn, int slot) {
  return *static_cast<const Membership*>(turn.contribution(slot).more);
}

LocalCliques make_local_cliques(const Turn& turn) {
  Clique& parent = *turn.endpoint.clique;
  std::map<int, int> counts;
  for (int slot = 0; slot < parent.slot_count(); ++slot) {
    const Membership& m = membership_of(turn, slot);
    if (m.color != EP_UNDEFINED && m.error == EP_SUCCESS) counts[m.color] += m.count;
  }
  LocalCliques cliques;
  for (const auto& [color, count] : counts) {
    if (count > 0) cliques[color] = Clique::make(parent.wire(), count);
  }
  return cliques;
}

std::vector<std::byte> write_share(const Turn& turn, const LocalCliques& cliques) {
  BlobWriter blob;
  const int slots = turn.endpoint.clique->slot_count();
  blob.put(slots);
  for (int slot = 0; slot < slots; ++slot) blob.put(membership_of(turn, slot));
  blob.put(static_cast<int>(cliques.size()));
  for (const auto& [color, clique] : cliques) blob.put(color).put(clique->context());
  return blob.take();
}

ProcessShare read_share(const std::vector<std::byte>& bytes) {
  BlobReader blob(bytes);
  ProcessShare share;
  const int slots = blob.get<int>();
  for (int i = 0; i < slots; ++i) share.memberships.push_back(blob.get<Membership>());
  const int colors = blob.get<int>();
  for (int i = 0; i < colors; ++i) {
    const int color = blob.get<int>();
    share.contexts[color] = blob.get<std::uint32_t>();
  }
  return share;
}

std::vector<ProcessShare> exchange_shares(const Turn& turn, const LocalCliques& cliques) {
  std::vector<ProcessShare> shares;
  for (const auto& blob : exchange_between_processes(turn, write_share(turn, cliques))) {
    shares.push_back(read_share(blob));
  }
  const RankTable& parents = turn.endpoint.local_group();
  for (std::size_t p = 0; p < shares.size(); ++p) {
    for (std::size_t slot = 0; slot < shares[p].memberships.size(); ++slot) {
      const Membership& m = shares[p].memberships[slot];
      if (m.error == EP_SUCCESS) continue;
      const int rank = parents.rank({static_cast<int>(p), static_cast<int>(slot)});
      fail(m.error, turn.what, ": rank ", rank, " asks for ", m.count,
           " endpoints (negative, more than EP_COMM_MAX_ENDPOINTS, or more than one where MPI "
           "grants less "
           "than MPI_THREAD_MULTIPLE). Ask for MPI_THREAD_MULTIPLE?");
    }
  }
  return shares;
}

// Parent ranks with endpoints of `color`, in the order of their new ranks.
std::vector<int> members_in_order(const RankTable& parents, const std::vector<ProcessShare>& shares,
                                  int color) {
  std::vector<std::pair<int, int>> members;  // (key, parent rank)
  for (int rank = 0; rank < parents.size(); ++rank) {
    const Place place = parents.place(rank);
    const Membership& m = shares[static_cast<std::size_t>(place.process)]
                              .memberships[static_cast<std::size_t>(place.slot)];
    if (m.color == color && m.count > 0) members.emplace_back(m.key, rank);
  }
  std::sort(members.begin(), members.end());
  std::vector<int> ranks;
  ranks.reserve(members.size());
  for (const auto& [key, rank] : members) ranks.push_back(rank);
  return ranks;
}

struct Plan {
  Clique::Layout layout;
  std::vector<int> process_index;  // of the parent's processes, -1 where not a member
};

Plan plan_processes(const Clique& parent, const std::vector<ProcessShare>& shares, int color) {
  Plan plan;
  plan.process_index.assign(shares.size(), -1);
  for (std::size_t p = 0; p < shares.size(); ++p) {
    const auto context = shares[p].contexts.find(color);
    if (context == shares[p].contexts.end()) continue;
    const ProcessRef& old = parent.process(static_cast<int>(p));
    plan.process_index[p] = static_cast<int>(plan.layout.processes.size());
    plan.layout.processes.push_back({old.world_rank, old.wire_rank, context->second});
  }
  plan.layout.my_process = plan.process_index[static_cast<std::size_t>(parent.my_process())];
  return plan;
}

// New endpoints are those of the parent if nobody brings another number than one.
bool all_stay_themselves(const std::vector<ProcessShare>& shares) {
  return std::all_of(shares.begin(), shares.end(), [](const ProcessShare& share) {
    return std::all_of(share.memberships.begin(), share.memberships.end(), [](const Membership& m) {
      return m.first_id == same_endpoint || m.count == 1;
    });
  });
}

void create_color(const Turn& turn, const std::vector<ProcessShare>& shares, int color,
                  const std::shared_ptr<Clique>& clique) {
  const Clique& parent = *turn.endpoint.clique;
  const RankTable& parents = turn.endpoint.local_group();
  Plan plan = plan_processes(parent, shares, color);
  std::vector<int> slots_used(plan.layout.processes.size(), 0);
  std::vector<RankRun> runs;
  int next_rank = 0;
  const bool one_each = all_stay_themselves(shares);
  for (const int parent_rank : members_in_order(parents, shares, color)) {
    const Place old = parents.place(parent_rank);
    const int process = plan.process_index[static_cast<std::size_t>(old.process)];
    const Membership& member = shares[static_cast<std::size_t>(old.process)]
                                   .memberships[static_cast<std::size_t>(old.slot)];
    const int count = member.count;
    int& used = slots_used[static_cast<std::size_t>(process)];
    if (process == plan.layout.my_process) {
      auto& out = *static_cast<std::vector<NewEndpoint>*>(turn.contribution(old.slot).receive);
      for (int i = 0; i < count; ++i) out.push_back({clique, used + i, next_rank + i});
    }
    const int id = one_each ? parents.id(parent_rank) : member.first_id;
    if (!runs.empty() && runs.back().process == process &&
        runs.back().first_id + runs.back().length == id) {
      runs.back().length += count;
    } else {
      runs.push_back({next_rank, process, used, count, id});
    }
    used += count;
    next_rank += count;
  }
  plan.layout.groups[0] = RankTable(std::move(runs));
  plan.layout.largest_clique = *std::max_element(slots_used.begin(), slots_used.end());
  clique->activate(std::move(plan.layout));
}

}  // namespace

std::vector<NewEndpoint> create_members(Endpoint& parent, const Membership& mine,
                                        const char* what) {
  std::vector<NewEndpoint> created;
  Contribution contribution;
  contribution.more = &mine;
  contribution.receive = &created;
  run_collective(
      parent, what, contribution,
      [](Turn& turn) {
        const LocalCliques cliques = make_local_cliques(turn);
        const std::vector<ProcessShare> shares = exchange_shares(turn, cliques);
        for (const auto& [color, clique] : cliques) create_color(turn, shares, color, clique);
      },
      [](Turn&) { return false; });
  return created;
}

NewEndpoint create_from_mpi(MPI_Comm comm) {
  int size = 0;
  check_mpi(MPI_Comm_size(comm, &size), "MPI_Comm_size");
  std::shared_ptr<Wire> wire;
  Clique::Layout layout;
  std::shared_ptr<Clique> clique;
  if (size > 1) {
    MPI_Comm duplicate = MPI_COMM_NULL;
    MPI_Request raw = MPI_REQUEST_NULL;
    check_mpi(MPI_Comm_idup(comm, &duplicate, &raw), "MPI_Comm_idup");
    wait_for_mpi(raw, "other processes to call EP_Comm_from_mpi");
    wire = Wire::make(duplicate);
    clique = Clique::make(wire, 1);
    std::vector<std::uint32_t> contexts(static_cast<std::size_t>(size));
    const std::uint32_t mine = clique->context();
    check_mpi(MPI_Iallgather(&mine, sizeof mine, MPI_BYTE, contexts.data(), sizeof mine, MPI_BYTE,
                             duplicate, &raw),
              "MPI_Iallgather");
    wait_for_mpi(raw, "other processes to call EP_Comm_from_mpi");
    for (int p = 0; p < size; ++p) {
      layout.processes.push_back({wire->world_rank(p), p, contexts[static_cast<std::size_t>(p)]});
    }
    layout.my_process = wire->rank();
  } else {
    clique = Clique::make(nullptr, 1);
    layout.processes.push_back({process().world_rank(), 0, 0});
  }
  std::vector<Place> places;
  places.reserve(static_cast<std::size_t>(size));
  for (int p = 0; p < size; ++p) places.push_back({p, 0});
  layout.groups[0] = RankTable(places);
  const int rank = layout.my_process;
  clique->activate(std::move(layout));
  return {clique, 0, rank};
}

std::shared_ptr<Wire> create_wire(const std::vector<int>& world_ranks, int tag) {
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Group group = MPI_GROUP_NULL;
  check_mpi(MPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group");
  check_mpi(MPI_Group_incl(world, static_cast<int>(world_ranks.size()), world_ranks.data(), &group),
            "MPI_Group_incl");
  MPI_Comm comm = MPI_COMM_NULL;
  // MPI 4.0 has no other way to connect some processes: blocking, entered by all at about one time.
  check_mpi(MPI_Comm_create_group(MPI_COMM_WORLD, group, tag, &comm), "MPI_Comm_create_group");
  check_mpi(MPI_Group_free(&group), "MPI_Group_free");
  check_mpi(MPI_Group_free(&world), "MPI_Group_free");
  return Wire::make(comm);
}

namespace {

bool same_as_wire(const Clique& clique, const RankTable& group) {
  if (clique.process_count() != clique.wire()->size()) return false;
  for (int rank = 0; rank < group.size(); ++rank) {
    if (clique.process(group.place(rank).process).wire_rank != rank) return false;
  }
  return true;
}

MPI_Comm create_raw_group(const Clique& clique, const RankTable& group, int tag) {
  std::vector<int> members;
  members.reserve(static_cast<std::size_t>(group.size()));
  for (int rank = 0; rank < group.size(); ++rank) {
    members.push_back(clique.process(group.place(rank).process).wire_rank);
  }
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group mine = MPI_GROUP_NULL;
  MPI_Comm out = MPI_COMM_NULL;
  check_mpi(MPI_Comm_group(clique.wire()->comm(), &all), "MPI_Comm_group");
  check_mpi(MPI_Group_incl(all, static_cast<int>(members.size()), members.data(), &mine),
            "MPI_Group_incl");
  // Blocking, as MPI 4.0 has no other way; a barrier of ours came before, so that nobody spins
  // long.
  check_mpi(MPI_Comm_create_group(clique.wire()->comm(), mine, tag, &out), "MPI_Comm_create_group");
  check_mpi(MPI_Group_free(&mine), "MPI_Group_free");
  check_mpi(MPI_Group_free(&all), "MPI_Group_free");
  return out;
}

}  // namespace

MPI_Comm create_raw(Endpoint& endpoint) {
  Clique& clique = *endpoint.clique;
  const RankTable& group = endpoint.local_group();
  if (group.size() != clique.process_count()) {
    fail(EP_ERR_COMM, "EP_Comm_mpi of ", group.size(), " endpoints in ", clique.process_count(),
         " processes (every process must take part with exactly one). Split first?");
  }
  barrier(endpoint);
  if (clique.raw_comm != MPI_COMM_NULL) return clique.raw_comm;
  MPI_Comm out = MPI_COMM_NULL;
  if (!clique.wire() || same_as_wire(clique, group)) {
    MPI_Request raw = MPI_REQUEST_NULL;
    check_mpi(MPI_Comm_idup(clique.wire() ? clique.wire()->comm() : MPI_COMM_SELF, &out, &raw),
              "MPI_Comm_idup");
    wait_for_mpi(raw, "other processes to call EP_Comm_mpi");
  } else {
    out = create_raw_group(clique, group, static_cast<int>(endpoint.operations & 0x7fffU));
  }
  check_mpi(MPI_Comm_set_errhandler(out, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  clique.raw_comm = out;
  return out;
}

}  // namespace ep
