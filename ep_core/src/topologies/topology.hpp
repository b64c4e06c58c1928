#pragma once

#include <vector>

#include "handles/endpoint.hpp"

namespace ep {

/// The virtual topology of a communicator as one endpoint knows it. Immutable once the communicator
/// exists; shared by its duplicates.
struct Topology {
  enum class Kind { cartesian, graph, dist_graph };
  Kind kind = Kind::cartesian;

  // Cartesian: row-major ranks.
  std::vector<int> dims;
  std::vector<int> periods;

  // Graph, as given to EP_Graph_create.
  std::vector<int> index;
  std::vector<int> edges;

  // Distributed graph: empty where unweighted.
  bool weighted = false;
  std::vector<int> in_weights;
  std::vector<int> out_weights;

  /// The ranks from which neighbourhood collectives receive and to which they send, in the order of
  /// blocks, for every kind of topology. EP_PROC_NULL beyond the border of a grid.
  std::vector<int> in_neighbours;
  std::vector<int> out_neighbours;
};

/// Returns the topology of an endpoint's communicator, or null if it has none.
inline const Topology* topology_in(const Endpoint& endpoint) {
  return static_cast<const Topology*>(endpoint.topology.get());
}

}  // namespace ep
