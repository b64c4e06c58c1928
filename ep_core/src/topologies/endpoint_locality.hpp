#pragma once

#include <ep/ep.h>

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "handles/endpoint.hpp"
#include "topologies/machine.hpp"

namespace ep {

constexpr std::size_t level_count = EP_SHMEM_LEVELS;
/// The names of EP_SHMEM_CORE and so on.
extern const std::array<const char*, level_count> level_names;

/// The place of an endpoint, which every endpoint sends to the others, to find those that are
/// close.
struct EndpointLocality {
  enum class Mistake : int { none, levels, distinct, processors, machine };

  Mistake mistake = Mistake::none;
  unsigned levels = (1U << level_count) - 1;  ///< bit set of the requested levels
  int distinct = 0;
  int node = 0;
  Located located;

  /// Returns its place at a level; the same for endpoints of one group.
  std::pair<int, ProcessorSet> at(std::size_t level) const {
    const Places& places = located.places;
    return {node, level < places.size() ? places[level] : ProcessorSet{}};
  }
  /// True if one object of that level contains its processors.
  bool is_inside(std::size_t level) const {
    return level >= located.places.size() || (located.inside & (1U << level)) != 0;
  }
};

/// Returns the locality of the calling endpoint according to the keys of EP_Shmem_comm_create.
/// Errors are part of the result and not thrown, since other endpoints may have begun the exchange.
EndpointLocality locality_of(const Endpoint& endpoint, MPI_Info info);
/// Returns the localities of all endpoints, by rank. Throws if one has an error or requests other
/// levels. Collective over an intracommunicator.
std::vector<EndpointLocality> all_localities(Endpoint& endpoint, const EndpointLocality& mine,
                                             const char* what);

/// The endpoints that share an object of a level with one endpoint.
struct ColocatedGroup {
  int first = 0;  ///< rank
  int size = 0;
};
ColocatedGroup colocated_group_at(const std::vector<EndpointLocality>& all, int rank,
                                  std::size_t level);

}  // namespace ep
