// C functions of graphs and distributed graphs. A distributed graph passes all its edges by every
// endpoint, so that each can check and reorder. In order: checks, exchange of edges, reordering,
// creation of graphs, then of distributed graphs, queries.
#include <ep/ep.h>

#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "collectives/collective_calls.hpp"
#include "creation/api_creation.hpp"
#include "creation/hints.hpp"
#include "handles/api_arguments.hpp"
#include "handles/endpoint.hpp"
#include "process/error.hpp"
#include "topologies/api_topology.hpp"
#include "topologies/graph_order.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

bool is_unweighted(const int* weights) {
  return weights == EP_UNWEIGHTED;  // NOLINT(performance-no-int-to-ptr): a constant
}

void check_neighbours(std::span<const int> ranks, int size) {
  for (const int rank : ranks) {
    if (rank < 0 || rank >= size) {
      fail(EP_ERR_RANK, "neighbour ", rank, " (the group has ", size, " ranks).");
    }
  }
}

void check_weights(int count, const int* weights) {
  if (is_unweighted(weights)) return;
  if (weights == EP_WEIGHTS_EMPTY) {  // NOLINT(performance-no-int-to-ptr): a constant
    if (count > 0) fail(EP_ERR_ARG, "EP_WEIGHTS_EMPTY for ", count, " edges of a graph.");
    return;
  }
  for (const int weight : checked_list(count, weights, "weights")) {
    if (weight < 0) fail(EP_ERR_ARG, "weight ", weight, " of an edge (negative).");
  }
}

// The given graph, checked: `index` holds running sums of degrees.
Topology checked_graph(const Endpoint& endpoint, int nnodes, const int* index, const int* edges) {
  const int size = endpoint.local_group().size();
  if (nnodes > size) {
    fail(EP_ERR_DIMS, "a graph of ", nnodes, " nodes (the communicator has ", size, " ranks).");
  }
  Topology graph;
  graph.kind = Topology::Kind::graph;
  const auto sums = checked_list(nnodes, index, "nodes");
  int before = 0;
  for (const int sum : sums) {
    if (sum < before)
      fail(EP_ERR_ARG, "the index of a graph falls from ", before, " to ", sum, ".");
    before = sum;
  }
  const auto ends = checked_list(before, edges, "edges");
  check_neighbours(ends, nnodes);
  graph.index.assign(sums.begin(), sums.end());
  graph.edges.assign(ends.begin(), ends.end());
  return graph;
}

std::span<const int> neighbours_of(const Topology& graph, int rank) {
  if (rank < 0 || rank >= static_cast<int>(graph.index.size())) {
    fail(EP_ERR_RANK, "rank ", rank, " (the graph has ", graph.index.size(), " nodes).");
  }
  const auto r = static_cast<std::size_t>(rank);
  const int first = r == 0 ? 0 : graph.index[r - 1];
  return std::span(graph.edges)
      .subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(graph.index[r] - first));
}

const Topology& graph_of(EP_Comm comm) {
  return topology_of(endpoint_of(comm), Topology::Kind::graph);
}
const Topology& dist_graph_of(EP_Comm comm) {
  return topology_of(endpoint_of(comm), Topology::Kind::dist_graph);
}

std::vector<GraphEdge> edges_of(const Topology& graph) {
  std::vector<GraphEdge> edges;
  for (int node = 0; node < static_cast<int>(graph.index.size()); ++node) {
    for (const int neighbour : neighbours_of(graph, node)) edges.push_back({node, neighbour, 1});
  }
  return edges;
}

// The node of the graph that is the endpoint's, its new rank; EP_UNDEFINED if it gets none.
int node_in(const Endpoint& endpoint, const Topology& graph, bool reorder) {
  const int nodes = static_cast<int>(graph.index.size());
  if (endpoint.rank >= nodes) return EP_UNDEFINED;
  if (!reorder) return endpoint.rank;
  return order_graph(endpoint.local_group(), nodes,
                     edges_of(graph))[static_cast<std::size_t>(endpoint.rank)];
}

// The numbers that all endpoints give, in order of rank.
std::vector<int> gather_numbers(Endpoint& endpoint, std::span<const int> mine, const char* what) {
  const auto size = static_cast<std::size_t>(endpoint.local_group().size());
  const int count = static_cast<int>(mine.size());
  std::vector<int> counts(size);
  run(endpoint, allgather_call(endpoint, what, blocks_of(&count, 1, MPI_INT),
                               blocks_of(counts.data(), 1, MPI_INT)));
  std::vector<int> displacements;
  int total = 0;
  for (const int count : counts) {
    displacements.push_back(total);
    total += count;
  }
  std::vector<int> all(static_cast<std::size_t>(total));
  run(endpoint,
      allgather_call(endpoint, what, blocks_of(mine.data(), count, MPI_INT),
                     blocks_of(all.data(), counts.data(), displacements.data(), MPI_INT)));
  return all;
}

// Returns all edges that the endpoints give, in order of rank.
std::vector<GraphEdge> gather_edges(Endpoint& endpoint, const std::vector<GraphEdge>& mine) {
  std::vector<int> numbers;
  for (const GraphEdge& edge : mine) {
    numbers.insert(numbers.end(), {edge.source, edge.destination, edge.weight});
  }
  const std::vector<int> all = gather_numbers(endpoint, numbers, "EP_Dist_graph_create");
  std::vector<GraphEdge> edges;
  for (std::size_t i = 0; i < all.size(); i += 3) edges.push_back({all[i], all[i + 1], all[i + 2]});
  return edges;
}

// A distributed graph as one endpoint gives it, in numbers: degrees, whether there are
// weights, then neighbours and weights.
std::vector<int> written(const Topology& graph) {
  std::vector<int> out{static_cast<int>(graph.in_neighbours.size()),
                       static_cast<int>(graph.out_neighbours.size()), graph.weighted ? 1 : 0};
  for (const auto* list :
       {&graph.in_neighbours, &graph.in_weights, &graph.out_neighbours, &graph.out_weights}) {
    out.insert(out.end(), list->begin(), list->end());
  }
  return out;
}

// Reads one, and leaves in `numbers` what follows.
Topology read_graph(std::span<const int>& numbers) {
  Topology graph;
  graph.kind = Topology::Kind::dist_graph;
  graph.weighted = numbers[2] != 0;
  const auto in = static_cast<std::size_t>(numbers[0]);
  const auto outward = static_cast<std::size_t>(numbers[1]);
  numbers = numbers.subspan(3);
  const auto take = [&](std::vector<int>& list, std::size_t count) {
    list.assign(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(count));
    numbers = numbers.subspan(count);
  };
  take(graph.in_neighbours, in);
  take(graph.in_weights, graph.weighted ? in : 0);
  take(graph.out_neighbours, outward);
  take(graph.out_weights, graph.weighted ? outward : 0);
  return graph;
}

struct PlacedGraph {
  int node;
  Topology graph;  ///< topology of that node
};

// Returns the node that becomes the endpoint's, computed from the nodes of all endpoints, and its
// edges as given.
PlacedGraph reordered(Endpoint& endpoint, const Topology& mine) {
  const int size = endpoint.local_group().size();
  const std::vector<int> all =
      gather_numbers(endpoint, written(mine), "EP_Dist_graph_create_adjacent");
  std::span<const int> rest(all);
  std::vector<Topology> graphs;
  std::vector<GraphEdge> edges;
  for (int node = 0; node < size; ++node) {
    graphs.push_back(read_graph(rest));
    const Topology& graph = graphs.back();
    for (std::size_t i = 0; i < graph.out_neighbours.size(); ++i) {
      edges.push_back({node, graph.out_neighbours[i], graph.weighted ? graph.out_weights[i] : 1});
    }
  }
  const int node =
      order_graph(endpoint.local_group(), size, edges)[static_cast<std::size_t>(endpoint.rank)];
  return {node, std::move(graphs[static_cast<std::size_t>(node)])};
}

EP_Comm duplicate_with(Endpoint& endpoint, PlacedGraph placed, MPI_Info info, const char* what) {
  Membership mine;
  mine.key = placed.node;
  read_hints(info, mine);
  EP_Comm out = handle_of(&endpoint, create_members(endpoint, mine, what).front());
  out->topology = std::make_shared<const Topology>(std::move(placed.graph));
  apply_info(*out, info);
  return out;
}

std::vector<GraphEdge> checked_edges(const Endpoint& endpoint, std::span<const int> sources,
                                     const int* degrees, const int* destinations,
                                     const int* weights) {
  std::vector<GraphEdge> edges;
  const auto counts = checked_list(static_cast<int>(sources.size()), degrees, "degrees");
  check_neighbours(sources, endpoint.local_group().size());
  check_weights(std::accumulate(counts.begin(), counts.end(), 0), weights);
  std::size_t next = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto ends = checked_list(counts[i], destinations + next, "destinations");
    check_neighbours(ends, endpoint.local_group().size());
    for (const int destination : ends) {
      edges.push_back({sources[i], destination, is_unweighted(weights) ? 1 : weights[next]});
      ++next;
    }
  }
  return edges;
}

}  // namespace

int EP_Graph_create(EP_Comm comm, int nnodes, const int index[], const int edges[], int reorder,
                    EP_Comm* out) {
  return call_creating(comm, out, [&] {
    Endpoint& endpoint = intra_endpoint_of(comm, "EP_Graph_create");
    Topology graph = checked_graph(endpoint, nnodes, index, edges);
    Membership mine;
    mine.key = node_in(endpoint, graph, reorder != 0);
    mine.color = mine.key == EP_UNDEFINED ? EP_UNDEFINED : 0;
    const auto created = create_members(endpoint, mine, "EP_Graph_create");
    if (created.empty()) return;
    const auto neighbours = neighbours_of(graph, mine.key);
    graph.out_neighbours.assign(neighbours.begin(), neighbours.end());
    graph.in_neighbours = graph.out_neighbours;
    *out = handle_of(&endpoint, created.front());
    (*out)->topology = std::make_shared<const Topology>(std::move(graph));
  });
}

int EP_Graphdims_get(EP_Comm comm, int* nnodes, int* nedges) {
  return call_on(comm, [&] {
    check_out(nnodes);
    check_out(nedges);
    const Topology& graph = graph_of(comm);
    *nnodes = static_cast<int>(graph.index.size());
    *nedges = static_cast<int>(graph.edges.size());
  });
}

int EP_Graph_get(EP_Comm comm, int maxindex, int maxedges, int index[], int edges[]) {
  return call_on(comm, [&] {
    const Topology& graph = graph_of(comm);
    give_list(graph.index, maxindex, index);
    give_list(graph.edges, maxedges, edges);
  });
}

int EP_Graph_neighbors_count(EP_Comm comm, int rank, int* count) {
  return call_on(comm, [&] {
    check_out(count);
    *count = static_cast<int>(neighbours_of(graph_of(comm), rank).size());
  });
}

int EP_Graph_neighbors(EP_Comm comm, int rank, int maxneighbors, int neighbors[]) {
  return call_on(comm,
                 [&] { give_list(neighbours_of(graph_of(comm), rank), maxneighbors, neighbors); });
}

int EP_Graph_map(EP_Comm comm, int nnodes, const int index[], const int edges[], int* rank) {
  return call_on(comm, [&] {
    check_out(rank);
    const Endpoint& endpoint = intra_endpoint_of(comm, "EP_Graph_map");
    *rank = node_in(endpoint, checked_graph(endpoint, nnodes, index, edges), true);
  });
}

int EP_Dist_graph_create_adjacent(EP_Comm comm, int indegree, const int sources[],
                                  const int sourceweights[], int outdegree,
                                  const int destinations[], const int destweights[], MPI_Info info,
                                  int reorder, EP_Comm* out) {
  return call_creating(comm, out, [&] {
    Endpoint& endpoint = intra_endpoint_of(comm, "EP_Dist_graph_create_adjacent");
    const auto from = checked_list(indegree, sources, "sources");
    const auto to = checked_list(outdegree, destinations, "destinations");
    check_neighbours(from, endpoint.local_group().size());
    check_neighbours(to, endpoint.local_group().size());
    check_weights(indegree, sourceweights);
    check_weights(outdegree, destweights);
    Topology graph;
    graph.kind = Topology::Kind::dist_graph;
    graph.weighted = !is_unweighted(sourceweights) && !is_unweighted(destweights);
    graph.in_neighbours.assign(from.begin(), from.end());
    graph.out_neighbours.assign(to.begin(), to.end());
    if (graph.weighted) {
      const auto in = checked_list(indegree, sourceweights, "weights");
      const auto outward = checked_list(outdegree, destweights, "weights");
      graph.in_weights.assign(in.begin(), in.end());
      graph.out_weights.assign(outward.begin(), outward.end());
    }
    PlacedGraph placed =
        reorder != 0 ? reordered(endpoint, graph) : PlacedGraph{endpoint.rank, std::move(graph)};
    *out = duplicate_with(endpoint, std::move(placed), info, "EP_Dist_graph_create_adjacent");
  });
}

int EP_Dist_graph_create(EP_Comm comm, int count, const int sources[], const int degrees[],
                         const int destinations[], const int weights[], MPI_Info info, int reorder,
                         EP_Comm* out) {
  return call_creating(comm, out, [&] {
    Endpoint& endpoint = intra_endpoint_of(comm, "EP_Dist_graph_create");
    const std::vector<GraphEdge> mine = checked_edges(
        endpoint, checked_list(count, sources, "sources"), degrees, destinations, weights);
    Topology graph;
    graph.kind = Topology::Kind::dist_graph;
    graph.weighted = !is_unweighted(weights);
    const std::vector<GraphEdge> all = gather_edges(endpoint, mine);
    const auto rank = static_cast<std::size_t>(endpoint.rank);
    const RankTable& ranks = endpoint.local_group();
    const int node = reorder != 0 ? order_graph(ranks, ranks.size(), all)[rank] : endpoint.rank;
    for (const GraphEdge& edge : all) {
      if (edge.destination == node) {
        graph.in_neighbours.push_back(edge.source);
        if (graph.weighted) graph.in_weights.push_back(edge.weight);
      }
      if (edge.source == node) {
        graph.out_neighbours.push_back(edge.destination);
        if (graph.weighted) graph.out_weights.push_back(edge.weight);
      }
    }
    *out = duplicate_with(endpoint, {node, std::move(graph)}, info, "EP_Dist_graph_create");
  });
}

int EP_Dist_graph_neighbors_count(EP_Comm comm, int* indegree, int* outdegree, int* weighted) {
  return call_on(comm, [&] {
    check_out(indegree);
    check_out(outdegree);
    check_out(weighted);
    const Topology& graph = dist_graph_of(comm);
    *indegree = static_cast<int>(graph.in_neighbours.size());
    *outdegree = static_cast<int>(graph.out_neighbours.size());
    *weighted = graph.weighted ? 1 : 0;
  });
}

int EP_Dist_graph_neighbors(EP_Comm comm, int maxindegree, int sources[], int sourceweights[],
                            int maxoutdegree, int destinations[], int destweights[]) {
  return call_on(comm, [&] {
    const Topology& graph = dist_graph_of(comm);
    give_list(graph.in_neighbours, maxindegree, sources);
    give_list(graph.out_neighbours, maxoutdegree, destinations);
    if (!graph.weighted) return;
    if (!is_unweighted(sourceweights)) give_list(graph.in_weights, maxindegree, sourceweights);
    if (!is_unweighted(destweights)) give_list(graph.out_weights, maxoutdegree, destweights);
  });
}
