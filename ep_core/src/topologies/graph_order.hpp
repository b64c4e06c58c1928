#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cliques/rank_table.hpp"

namespace ep {

struct GraphEdge {
  int source;
  int destination;
  int weight;  ///< negative counts as 0
};

/// Returns the weight of the edges of a graph between different processes, if rank r holds node
/// `node_of[r]`.
std::int64_t cut_weight(const RankTable& ranks, std::span<const GraphEdge> edges,
                        std::span<const int> node_of);

/// Returns which of `nodes` nodes each of the first `nodes` ranks is to hold, so that neighbours
/// live in one process where they can; rank r holds node r where nothing better is found. Depends
/// on the arguments only. Processes keep as many nodes as they have ranks.
///
/// Grows the subgraph of one process after the other: begins next to placed nodes and always takes
/// the node that is tied most to the subgraph (then the one tied least to the rest, then the
/// lowest). That finds compact subgraphs of meshes, not the best of any graph. O(nodes x processes
/// + edges log nodes).
std::vector<int> order_graph(const RankTable& ranks, int nodes, std::span<const GraphEdge> edges);

}  // namespace ep
