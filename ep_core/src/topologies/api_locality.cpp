#include <ep/ep.h>

#include <algorithm>
#include <array>
#include <vector>

#include "creation/api_creation.hpp"
#include "handles/api_arguments.hpp"
#include "handles/endpoint.hpp"
#include "topologies/endpoint_locality.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

using Handles = std::array<EP_Comm, level_count>;

void create_levels(Endpoint& endpoint, const std::vector<EndpointLocality>& all, Handles& made) {
  int closer = 0;  // endpoints of the last level made
  for (std::size_t level = 0; level < level_count; ++level) {
    if ((all[0].levels & (1U << level)) == 0) continue;
    const ColocatedGroup group = colocated_group_at(all, endpoint.rank, level);
    Membership mine;
    mine.key = endpoint.rank;
    mine.color = all[0].distinct != 0 && group.size == closer ? EP_UNDEFINED : group.first;
    const auto created = create_members(endpoint, mine, "EP_Shmem_comm_create");
    if (created.empty()) continue;
    made[level] = handle_of(&endpoint, created.front());
    closer = group.size;
  }
}

}  // namespace

int EP_Shmem_comm_create(EP_Comm comm, MPI_Info info, EP_Comm comms[]) {
  if (comms != nullptr) std::fill_n(comms, level_count, EP_COMM_NULL);
  return call_on(comm, [&] {
    check_out(comms);
    Endpoint& endpoint = intra_endpoint_of(comm, "EP_Shmem_comm_create");
    const std::vector<EndpointLocality> all =
        all_localities(endpoint, locality_of(endpoint, info), "EP_Shmem_comm_create");
    Handles made{};
    try {
      create_levels(endpoint, all, made);
    } catch (const Error&) {
      for (const EP_Comm comm : made) {
        if (comm != EP_COMM_NULL) free_endpoint(comm);
      }
      throw;
    }
    std::copy(made.begin(), made.end(), comms);
  });
}
