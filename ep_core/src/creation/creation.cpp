// Creates communicators from a parent. All its processes exchange the contributions of their
// endpoints, and each computes every new communicator itself, so that one exchange is enough. In
// order: the lump of a process, checks, the plan of a new communicator, agreed hints, and creation
// from MPI.
#include "creation/creation.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "cliques/wire.hpp"
#include "collectives/collective.hpp"
#include "handles/endpoint.hpp"
#include "messages/message_wire.hpp"
#include "process/error.hpp"
#include "process/process.hpp"
#include "progress/progress.hpp"
#include "schedules/collective_tuning.hpp"

namespace ep {

namespace {

/// The data that processes exchange when they create communicators.
struct ProcessMemberships {
  std::vector<Membership> memberships;    // by parent slot
  std::map<int, std::uint32_t> contexts;  // colour -> the process's number of that communicator
};

using LocalCliques = std::map<int, std::shared_ptr<Clique>>;

/// The input and output of one endpoint. `cliques` is used in the first endpoint of a process, for
/// all of them.
struct CreateCall {
  Membership mine;
  Derivation derivation = Derivation::alike;
  std::vector<NewEndpoint> created;
  LocalCliques cliques;
};

CreateCall& create_call(Operation& operation, int slot) {
  return *static_cast<CreateCall*>(operation.call(slot).more);
}

/// A member of a new communicator.
struct NewMember {
  int target_side;  // group of the new communicator
  int key;
  int side;  // side in the parent
  int rank;
  Place place;
  int count;
  int first_id;

  bool operator<(const NewMember& other) const {
    return std::tie(target_side, key, side, rank) <
           std::tie(other.target_side, other.key, other.side, other.rank);
  }
};

LocalCliques make_local_cliques(Operation& operation) {
  std::map<int, int> counts;
  for (int slot = 0; slot < operation.slot_count(); ++slot) {
    const Membership& m = create_call(operation, slot).mine;
    if (m.color != EP_UNDEFINED && m.error == EP_SUCCESS) counts[m.color] += m.count;
  }
  LocalCliques cliques;
  for (const auto& [color, count] : counts) {
    if (count > 0) cliques[color] = Clique::make(operation.clique().wire(), count);
  }
  return cliques;
}

std::vector<std::byte> write_share(Operation& operation, const LocalCliques& cliques) {
  BlobWriter blob;
  blob.put(operation.slot_count());
  for (int slot = 0; slot < operation.slot_count(); ++slot) {
    blob.put(create_call(operation, slot).mine);
  }
  blob.put(static_cast<int>(cliques.size()));
  for (const auto& [color, clique] : cliques) blob.put(color).put(clique->context());
  return blob.take();
}

ProcessMemberships read_memberships(const std::vector<std::byte>& bytes) {
  BlobReader blob(bytes);
  ProcessMemberships process;
  const int slots = blob.get<int>();
  for (int i = 0; i < slots; ++i) process.memberships.push_back(blob.get<Membership>());
  const int colors = blob.get<int>();
  for (int i = 0; i < colors; ++i) {
    const int color = blob.get<int>();
    process.contexts[color] = blob.get<std::uint32_t>();
  }
  return process;
}

int side_count(const Clique& clique) { return clique.is_inter() ? 2 : 1; }

// Describes the error in a membership.
std::string complaint(const Membership& m) {
  if (m.unknown_algorithm) return " has an " + unknown_algorithm();
  if (m.error == MPI_ERR_INFO_VALUE) return std::string(" has an ") + unknown_reduction;
  if (m.error == EP_ERR_ARG && m.count >= 0) {
    return " gives a colour or type that is none (colours are not negative, EP_COMM_TYPE_SHARED is "
           "the one type). Is EP_UNDEFINED meant?";
  }
  return " asks for " + std::to_string(m.count) +
         " endpoints (negative, more than EP_COMM_MAX_ENDPOINTS, or more than one where MPI grants "
         "less than MPI_THREAD_MULTIPLE). Ask for MPI_THREAD_MULTIPLE?";
}

void check_memberships(Operation& operation,
                       const std::vector<ProcessMemberships>& all_memberships) {
  const Clique& parent = operation.clique();
  for (std::size_t p = 0; p < all_memberships.size(); ++p) {
    for (std::size_t slot = 0; slot < all_memberships[p].memberships.size(); ++slot) {
      const Membership& m = all_memberships[p].memberships[slot];
      if (m.error == EP_SUCCESS) continue;
      const int rank = parent.rank_of_sender({static_cast<int>(p), static_cast<int>(slot)});
      fail(m.error, operation.what(), ": rank ", rank, complaint(m));
    }
  }
}

// Returns the members of the communicator of `color`, in the order of their new ranks.
std::vector<NewMember> members_in_order(Operation& operation,
                                        const std::vector<ProcessMemberships>& all_memberships,
                                        int color) {
  const Clique& parent = operation.clique();
  const bool merge = create_call(operation, 0).derivation == Derivation::merge;
  std::vector<NewMember> members;
  for (int side = 0; side < side_count(parent); ++side) {
    const RankTable& ranks = parent.local_group(side);
    for (int rank = 0; rank < ranks.size(); ++rank) {
      const Place place = ranks.place(rank);
      const Membership& m = all_memberships[static_cast<std::size_t>(place.process)]
                                .memberships[static_cast<std::size_t>(place.slot)];
      if (m.color != color || m.count <= 0) continue;
      members.push_back({merge ? 0 : side, m.key, side, rank, place, m.count, m.first_id});
    }
  }
  std::sort(members.begin(), members.end());
  return members;
}

struct Plan {
  Clique::Layout layout;
  std::vector<int> process_index;  // by process of the parent; -1 if it is not a member
};

Plan plan_processes(const Clique& parent, const std::vector<ProcessMemberships>& all_memberships,
                    int color) {
  Plan plan;
  plan.process_index.assign(all_memberships.size(), -1);
  for (std::size_t p = 0; p < all_memberships.size(); ++p) {
    const auto context = all_memberships[p].contexts.find(color);
    if (context == all_memberships[p].contexts.end()) continue;
    const ProcessRef& old = parent.process(static_cast<int>(p));
    plan.process_index[p] = static_cast<int>(plan.layout.processes.size());
    plan.layout.processes.push_back({old.world_rank, old.wire_rank, context->second});
    if (parent.is_inter()) plan.layout.owners.push_back(parent.owner(static_cast<int>(p)));
  }
  plan.layout.my_process = plan.process_index[static_cast<std::size_t>(parent.my_process())];
  return plan;
}

// The result is fast only if no endpoint requires the order of ranks.
bool agreed_fast_reduction(const Clique& parent,
                           const std::vector<ProcessMemberships>& all_memberships) {
  for (const ProcessMemberships& process : all_memberships) {
    for (const Membership& m : process.memberships) {
      if (m.fast_reduction == 0 || (m.fast_reduction < 0 && !tuning_of(parent).fast_reduction()))
        return false;
    }
  }
  return true;
}

// Returns the model of the parent with the overrides that members request.
CostModel agreed_cost_model(const Clique& parent,
                            const std::vector<ProcessMemberships>& all_memberships) {
  CostModel model = tuning_of(parent).cost_model();
  AlgorithmOverrides overrides;
  for (int side = 0; side < side_count(parent); ++side) {
    const RankTable& ranks = parent.local_group(side);
    for (int rank = 0; rank < ranks.size(); ++rank) {
      const Place place = ranks.place(rank);
      overrides.complete(all_memberships[static_cast<std::size_t>(place.process)]
                             .memberships[static_cast<std::size_t>(place.slot)]
                             .algorithms);
    }
  }
  overrides.complete(model.overrides);
  model.overrides = overrides;
  return model;
}

bool is_one_sided(const std::vector<NewMember>& members) {
  return members.empty() || members.front().target_side == members.back().target_side;
}

// The new endpoints are those of the parent if every endpoint brings exactly one.
bool all_stay_themselves(const std::vector<ProcessMemberships>& all_memberships) {
  return std::all_of(
      all_memberships.begin(), all_memberships.end(), [](const ProcessMemberships& process) {
        return std::all_of(
            process.memberships.begin(), process.memberships.end(),
            [](const Membership& m) { return m.first_id == same_endpoint || m.count == 1; });
      });
}

void create_color(Operation& operation, const std::vector<ProcessMemberships>& all_memberships,
                  int color, const std::shared_ptr<Clique>& clique) {
  const Clique& parent = operation.clique();
  const Derivation derivation = create_call(operation, 0).derivation;
  const std::vector<NewMember> members = members_in_order(operation, all_memberships, color);
  const bool inter = parent.is_inter() && derivation != Derivation::merge;
  if (inter && derivation == Derivation::split && is_one_sided(members)) return;
  Plan plan = plan_processes(parent, all_memberships, color);
  std::vector<int> slots_used(plan.layout.processes.size(), 0);
  std::array<std::vector<RankRun>, 2> runs;
  std::array<int, 2> next_rank{};
  const bool one_each = all_stay_themselves(all_memberships);
  for (const NewMember& member : members) {
    const auto side = static_cast<std::size_t>(member.target_side);
    const int process = plan.process_index[static_cast<std::size_t>(member.place.process)];
    int& used = slots_used[static_cast<std::size_t>(process)];
    int& rank = next_rank[side];
    if (process == plan.layout.my_process) {
      std::vector<NewEndpoint>& out = create_call(operation, member.place.slot).created;
      for (int i = 0; i < member.count; ++i) {
        out.push_back({clique, member.target_side, used + i, rank + i});
      }
    }
    const int id = one_each ? parent.local_group(member.side).id(member.rank) : member.first_id;
    if (!runs[side].empty() && runs[side].back().process == process &&
        runs[side].back().first_id + runs[side].back().length == id) {
      runs[side].back().length += member.count;
    } else {
      runs[side].push_back({rank, process, used, member.count, id});
    }
    used += member.count;
    rank += member.count;
  }
  plan.layout.inter = inter;
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    plan.layout.groups[side] = RankTable(std::move(runs[side]));
  }
  plan.layout.largest_clique = *std::max_element(slots_used.begin(), slots_used.end());
  tuning_of(*clique).set_fast_reduction(agreed_fast_reduction(parent, all_memberships));
  tuning_of(*clique).set_cost_model(agreed_cost_model(parent, all_memberships));
  clique->activate(std::move(plan.layout));
}

class CreateRecipe final : public ExchangeRecipe {
 protected:
  std::vector<std::byte> contribute(Operation& operation) const override {
    LocalCliques& cliques = create_call(operation, 0).cliques;
    cliques = make_local_cliques(operation);
    return write_share(operation, cliques);
  }

  void conclude(Operation& operation, const Lumps& all) const override {
    std::vector<ProcessMemberships> all_memberships;
    all_memberships.reserve(all.size());
    for (const auto& lump : all) all_memberships.push_back(read_memberships(lump));
    check_memberships(operation, all_memberships);
    for (const auto& [color, clique] : create_call(operation, 0).cliques) {
      create_color(operation, all_memberships, color, clique);
    }
  }
};

}  // namespace

std::vector<NewEndpoint> create_members(Endpoint& parent, const Membership& mine, const char* what,
                                        Derivation derivation) {
  static const CreateRecipe recipe;
  CreateCall create{mine, derivation, {}, {}};
  run(parent, call_of(recipe, what, &create));
  return std::move(create.created);
}

std::string unknown_algorithm() {
  return "info key ep_algorithm with an unknown value (known: " + known_overrides() + ").";
}

namespace {

/// The settings of the environment that the first process of a job sends to the others.
struct SharedModel {
  CostModel model;
  int error = EP_SUCCESS;
  std::array<char, 512> text{};
};

SharedModel read_model() {
  SharedModel out;
  out.error = guarded([&] { out.model = model_of_environment(); });
  if (out.error == EP_SUCCESS) return out;
  const std::string text(last_error());
  text.copy(out.text.data(), out.text.size() - 1);
  return out;
}

// Environments and file systems may differ: one process reads. `comm` may be MPI_COMM_NULL for one
// process alone.
CostModel agree_on_model(MPI_Comm comm, int rank) {
  SharedModel shared;
  if (rank == 0) shared = read_model();
  if (comm != MPI_COMM_NULL) {
    MPI_Request raw = MPI_REQUEST_NULL;
    check_mpi(MPI_Ibcast(&shared, sizeof shared, MPI_BYTE, 0, comm, &raw), "MPI_Ibcast");
    wait_for_mpi(raw, "other processes to call EP_Comm_from_mpi");
  }
  if (shared.error != EP_SUCCESS) throw Error(shared.error, shared.text.data());
  return shared.model;
}

}  // namespace

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
    wire = MessageWire::make(duplicate);
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
  // All processes of a job must agree.
  const char* const mode = std::getenv("EP_REDUCTION");
  tuning_of(*clique).set_fast_reduction(mode != nullptr && std::string(mode) == "fast");
  tuning_of(*clique).set_cost_model(agree_on_model(wire ? wire->comm() : MPI_COMM_NULL, rank));
  clique->activate(std::move(layout));
  return {clique, 0, 0, rank};
}

}  // namespace ep
