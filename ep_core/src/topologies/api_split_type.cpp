#include <ep/ep.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectives/collective.hpp"
#include "creation/api_creation.hpp"
#include "creation/hints.hpp"
#include "handles/api_arguments.hpp"
#include "process/error.hpp"
#include "process/info.hpp"
#include "topologies/endpoint_locality.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

constexpr const char* split_type = "EP_Comm_split_type";
constexpr const char* resource_key = "mpi_hw_resource_type";
constexpr int no_level = -1;

// hwloc's names for levels, and MPI's.
constexpr std::array<std::pair<std::string_view, int>, 5> other_names{
    {{"l2cache", EP_SHMEM_L2},
     {"l3cache", EP_SHMEM_L3},
     {"numanode", EP_SHMEM_NUMA},
     {"machine", EP_SHMEM_NODE},
     {"mpi_shared_memory", EP_SHMEM_NODE}}};

// Returns the level that the key names. An unknown kind of hardware is no level, but not an error.
int guided_level(MPI_Info info) {
  std::string name = find_hint(info, resource_key).value_or("");
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto level = std::find(level_names.begin(), level_names.end(), name);
  if (level != level_names.end()) return static_cast<int>(level - level_names.begin());
  const auto other = std::find_if(other_names.begin(), other_names.end(),
                                  [&](const auto& known) { return known.first == name; });
  return other != other_names.end() ? other->second : no_level;
}

// The widest level at which not all are together.
int next_level(const std::vector<EndpointLocality>& all) {
  for (std::size_t level = level_count; level-- > 0;) {
    const auto apart = [&](const EndpointLocality& one) {
      return !one.is_inside(level) || one.at(level) != all[0].at(level);
    };
    if (std::any_of(all.begin(), all.end(), apart)) return static_cast<int>(level);
  }
  return no_level;
}

/// The request of an endpoint. It is the same at all endpoints except those that give EP_UNDEFINED.
struct SplitKind {
  int type = EP_UNDEFINED;
  int level = no_level;  // level of EP_COMM_TYPE_HW_GUIDED
  bool operator==(const SplitKind&) const = default;
};

// Returns the common request of all endpoints. Before the exchange none of them knows whether
// hardware matters.
SplitKind agreed_split_kind(Endpoint& endpoint, const SplitKind& mine) {
  std::vector<SplitKind> all(static_cast<std::size_t>(endpoint.local_group().size()));
  allgather_bytes(endpoint, &mine, sizeof mine, all.data());
  SplitKind common;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const SplitKind& split = all[rank];
    if (split.type == EP_UNDEFINED) continue;
    const bool is_known = split.type == EP_COMM_TYPE_SHARED ||
                          split.type == EP_COMM_TYPE_HW_GUIDED ||
                          split.type == EP_COMM_TYPE_HW_UNGUIDED;
    if (!is_known) {
      fail(EP_ERR_ARG, split_type, ": rank ", rank, " gives type ", split.type,
           " (known: EP_COMM_TYPE_SHARED, EP_COMM_TYPE_HW_GUIDED, EP_COMM_TYPE_HW_UNGUIDED).");
    }
    if (common.type == EP_UNDEFINED) common = split;
    if (split == common) continue;
    fail(EP_ERR_ARG, split_type, ": rank ", rank,
         " asks for another kind of hardware than those before it (the type and info key "
         "mpi_hw_resource_type are the same at all).");
  }
  return common;
}

/// The level by which to split, and the caller's group there.
struct Choice {
  int level = no_level;
  int color = EP_UNDEFINED;
};

Choice choose_level(Endpoint& endpoint, const SplitKind& split, MPI_Info info) {
  if (split.type == EP_COMM_TYPE_SHARED) return {EP_SHMEM_NODE, endpoint.clique->first_on_node()};
  Choice choice;
  if (split.type == EP_UNDEFINED) return choice;
  const std::vector<EndpointLocality> all =
      all_localities(endpoint, locality_of(endpoint, info), split_type);
  choice.level = split.type == EP_COMM_TYPE_HW_UNGUIDED ? next_level(all) : split.level;
  if (choice.level == no_level) return choice;
  const auto level = static_cast<std::size_t>(choice.level);
  const EndpointLocality& mine = all[static_cast<std::size_t>(endpoint.rank)];
  // Objects of a level are disjoint, so an endpoint in the object of another one is inside an
  // object itself.
  if (mine.is_inside(level)) choice.color = colocated_group_at(all, endpoint.rank, level).first;
  return choice;
}

}  // namespace

int EP_Comm_split_type(EP_Comm comm, int type, int key, MPI_Info info, EP_Comm* out) {
  return call_creating(comm, out, [&] {
    Endpoint& endpoint = intra_endpoint_of(comm, split_type);
    const SplitKind split{type, type == EP_COMM_TYPE_HW_GUIDED ? guided_level(info) : no_level};
    const Choice choice = choose_level(endpoint, agreed_split_kind(endpoint, split), info);
    Membership mine;
    mine.key = key;
    mine.color = type == EP_UNDEFINED ? EP_UNDEFINED : choice.color;
    read_hints(info, mine);
    const auto created = create_members(endpoint, mine, split_type);
    *out = created.empty() ? EP_COMM_NULL : handle_of(&endpoint, created.front());
    if (*out == EP_COMM_NULL) return;
    std::map<std::string, std::string> hints = hints_of(info);
    if (type != EP_COMM_TYPE_SHARED) {
      hints[resource_key] = level_names[static_cast<std::size_t>(choice.level)];
    }
    apply_hints(**out, std::move(hints));
  });
}
