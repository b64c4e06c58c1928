#include "topologies/endpoint_locality.hpp"

#include <algorithm>
#include <optional>
#include <sstream>

#include "collectives/collective.hpp"
#include "process/error.hpp"
#include "process/info.hpp"

namespace ep {

const std::array<const char*, level_count> level_names{"core", "l2",      "l3",
                                                       "numa", "package", "node"};

namespace {

// Bits of the levels that a list names, 0 if one is none.
unsigned read_levels(const std::string& list) {
  if (list.empty()) return EndpointLocality{}.levels;
  unsigned levels = 0;
  std::istringstream in(list);
  for (std::string name; std::getline(in, name, ',');) {
    const auto found = std::find(level_names.begin(), level_names.end(), name);
    if (found == level_names.end()) return 0;
    levels |= 1U << static_cast<unsigned>(found - level_names.begin());
  }
  return levels;
}

}  // namespace

EndpointLocality locality_of(const Endpoint& endpoint, MPI_Info info) {
  EndpointLocality mine;
  mine.node = endpoint.clique->first_on_node();
  mine.levels = read_levels(find_hint(info, "ep_shmem_levels").value_or(""));
  if (mine.levels == 0) mine.mistake = EndpointLocality::Mistake::levels;
  const std::string distinct = find_hint(info, "ep_shmem_distinct").value_or("false");
  mine.distinct = distinct == "true" ? 1 : 0;
  if (mine.distinct == 0 && distinct != "false") mine.mistake = EndpointLocality::Mistake::distinct;
  const std::string given = find_hint(info, "ep_shmem_cpus").value_or("");
  const int code = guarded([&] {
    const std::string cpus = given.empty() ? machine().processors_of_this_thread() : given;
    const std::optional<Located> located = machine().places_of(cpus);
    if (located) mine.located = *located;
    if (!located) mine.mistake = EndpointLocality::Mistake::processors;
  });
  if (code != EP_SUCCESS) mine.mistake = EndpointLocality::Mistake::machine;
  return mine;
}

namespace {

void check_all(const std::vector<EndpointLocality>& all, const char* what) {
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const EndpointLocality& locality = all[rank];
    switch (locality.mistake) {
      case EndpointLocality::Mistake::none:
        break;
      case EndpointLocality::Mistake::levels:
        fail(EP_ERR_INFO_VALUE, what, ": rank ", rank,
             " names an unknown level in info key ep_shmem_levels (known: core, l2, l3, numa, "
             "package, node).");
      case EndpointLocality::Mistake::distinct:
        fail(EP_ERR_INFO_VALUE, what, ": rank ", rank,
             " gives info key ep_shmem_distinct an unknown value (known: true, false).");
      case EndpointLocality::Mistake::processors:
        fail(EP_ERR_INFO_VALUE, what, ": rank ", rank,
             " is on no processors of its node (info key ep_shmem_cpus is a list as 0-3,8). See "
             "lstopo for their numbers?");
      case EndpointLocality::Mistake::machine:
        fail(EP_ERR_OTHER, what, ": hwloc cannot tell rank ", rank,
             " how its node is built. Does lstopo work there?");
    }
    if (locality.levels != all[0].levels || locality.distinct != all[0].distinct) {
      fail(EP_ERR_INFO_VALUE, what, ": ranks 0 and ", rank,
           " want different levels (info keys ep_shmem_levels and ep_shmem_distinct are the same "
           "at all).");
    }
  }
}

}  // namespace

std::vector<EndpointLocality> all_localities(Endpoint& endpoint, const EndpointLocality& mine,
                                             const char* what) {
  std::vector<EndpointLocality> all(static_cast<std::size_t>(endpoint.local_group().size()));
  allgather_bytes(endpoint, &mine, sizeof mine, all.data());
  check_all(all, what);
  return all;
}

ColocatedGroup colocated_group_at(const std::vector<EndpointLocality>& all, int rank,
                                  std::size_t level) {
  const auto place = all[static_cast<std::size_t>(rank)].at(level);
  ColocatedGroup out{-1, 0};
  for (std::size_t other = 0; other < all.size(); ++other) {
    if (all[other].at(level) != place) continue;
    if (out.first < 0) out.first = static_cast<int>(other);
    ++out.size;
  }
  return out;
}

}  // namespace ep
