#include <ep/ep.h>

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "collectives/collective.hpp"
#include "creation/api_creation.hpp"
#include "creation/hints.hpp"
#include "handles/api_arguments.hpp"
#include "handles/endpoint.hpp"
#include "process/error.hpp"
#include "process/info.hpp"
#include "topologies/machine.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

constexpr std::size_t level_count = EP_SHMEM_LEVELS;
constexpr std::array<const char*, level_count> level_names{"core", "l2",      "l3",
                                                           "numa", "package", "node"};
constexpr unsigned all_levels = (1U << level_count) - 1;

enum class Mistake : int { none, levels, distinct, processors, machine };

/// What every endpoint tells of itself.
struct Whereabouts {
  Mistake mistake = Mistake::none;
  unsigned levels = all_levels;  // bits: those wanted
  int distinct = 0;
  int node = 0;
  Places places{};

  /// Where it is at a level; the same for endpoints of one group.
  std::pair<int, ProcessorSet> at(std::size_t level) const {
    return {node, level < places.size() ? places[level] : ProcessorSet{}};
  }
};

// Bits of the levels that a list names, 0 if one is none.
unsigned read_levels(const std::string& list) {
  if (list.empty()) return all_levels;
  unsigned levels = 0;
  std::istringstream in(list);
  for (std::string name; std::getline(in, name, ',');) {
    const auto found = std::find(level_names.begin(), level_names.end(), name);
    if (found == level_names.end()) return 0;
    levels |= 1U << static_cast<unsigned>(found - level_names.begin());
  }
  return levels;
}

// Mistakes are told to all rather than thrown: the others have begun to exchange.
Whereabouts find_out(const Endpoint& endpoint, MPI_Info info) {
  Whereabouts mine;
  mine.node = endpoint.clique->first_on_node();
  mine.levels = read_levels(find_hint(info, "ep_shmem_levels").value_or(""));
  if (mine.levels == 0) mine.mistake = Mistake::levels;
  const std::string distinct = find_hint(info, "ep_shmem_distinct").value_or("false");
  mine.distinct = distinct == "true" ? 1 : 0;
  if (mine.distinct == 0 && distinct != "false") mine.mistake = Mistake::distinct;
  const std::string given = find_hint(info, "ep_shmem_cpus").value_or("");
  const int code = guarded([&] {
    const std::string cpus = given.empty() ? machine().processors_of_this_thread() : given;
    const std::optional<Places> places = machine().places_of(cpus);
    if (places) mine.places = *places;
    if (!places) mine.mistake = Mistake::processors;
  });
  if (code != EP_SUCCESS) mine.mistake = Mistake::machine;
  return mine;
}

void check_all(const std::vector<Whereabouts>& all) {
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const Whereabouts& one = all[rank];
    switch (one.mistake) {
      case Mistake::none:
        break;
      case Mistake::levels:
        fail(EP_ERR_INFO_VALUE, "EP_Shmem_comm_create: rank ", rank,
             " names an unknown level in info key ep_shmem_levels (known: core, l2, l3, numa, "
             "package, node).");
      case Mistake::distinct:
        fail(EP_ERR_INFO_VALUE, "EP_Shmem_comm_create: rank ", rank,
             " gives info key ep_shmem_distinct an unknown value (known: true, false).");
      case Mistake::processors:
        fail(EP_ERR_INFO_VALUE, "EP_Shmem_comm_create: rank ", rank,
             " is on no processors of its node (info key ep_shmem_cpus is a list as 0-3,8). See "
             "lstopo for their numbers?");
      case Mistake::machine:
        fail(EP_ERR_OTHER, "EP_Shmem_comm_create: hwloc cannot tell rank ", rank,
             " how its node is built. Does lstopo work there?");
    }
    if (one.levels != all[0].levels || one.distinct != all[0].distinct) {
      fail(EP_ERR_INFO_VALUE, "EP_Shmem_comm_create: ranks 0 and ", rank,
           " want different levels (info keys ep_shmem_levels and ep_shmem_distinct are the same "
           "at all).");
    }
  }
}

/// The endpoints that are with the caller at a level.
struct Company {
  int first = 0;  // rank
  int size = 0;
};

Company company_at(const std::vector<Whereabouts>& all, int rank, std::size_t level) {
  const auto place = all[static_cast<std::size_t>(rank)].at(level);
  Company out{-1, 0};
  for (std::size_t other = 0; other < all.size(); ++other) {
    if (all[other].at(level) != place) continue;
    if (out.first < 0) out.first = static_cast<int>(other);
    ++out.size;
  }
  return out;
}

using Handles = std::array<EP_Comm, level_count>;

void create_levels(Endpoint& endpoint, const std::vector<Whereabouts>& all, Handles& made) {
  int closer = 0;  // endpoints of the last level made
  for (std::size_t level = 0; level < level_count; ++level) {
    if ((all[0].levels & (1U << level)) == 0) continue;
    const Company company = company_at(all, endpoint.rank, level);
    Membership mine;
    mine.key = endpoint.rank;
    mine.color = all[0].distinct != 0 && company.size == closer ? EP_UNDEFINED : company.first;
    const auto created = create_members(endpoint, mine, "EP_Shmem_comm_create");
    if (created.empty()) continue;
    made[level] = handle_of(&endpoint, created.front());
    closer = company.size;
  }
}

}  // namespace

int EP_Shmem_comm_create(EP_Comm comm, MPI_Info info, EP_Comm comms[]) {
  if (comms != nullptr) std::fill_n(comms, level_count, EP_COMM_NULL);
  return guarded_on(comm, [&] {
    check_out(comms);
    Endpoint& endpoint = intra_endpoint_of(comm, "EP_Shmem_comm_create");
    const Whereabouts mine = find_out(endpoint, info);
    std::vector<Whereabouts> all(static_cast<std::size_t>(endpoint.local_group().size()));
    allgather_bytes(endpoint, &mine, sizeof mine, all.data());
    check_all(all);
    Handles made{};
    try {
      create_levels(endpoint, all, made);
    } catch (const Error&) {
      for (const EP_Comm one : made) {
        if (one != EP_COMM_NULL) free_endpoint(one);
      }
      throw;
    }
    std::copy(made.begin(), made.end(), comms);
  });
}
