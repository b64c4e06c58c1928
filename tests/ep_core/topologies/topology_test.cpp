#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdint>
#include <vector>

#include "layouts.hpp"

namespace ep::test::topology_test {
namespace {

class Topologies : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Endpoints, Topologies, testing::Values(2, 3, 4, 6, 7));

int kind_of(const Comm& comm) {
  int kind = -1;
  check(EP_Topo_test(comm.get(), &kind));
  return kind;
}

Comm grid(const Comm& comm, std::array<int, 2> dims, std::array<int, 2> periods, int reorder) {
  EP_Comm out = EP_COMM_NULL;
  check(EP_Cart_create(comm.get(), 2, dims.data(), periods.data(), reorder, &out));
  return Comm(out);
}

TEST_P(Topologies, a_grid_knows_its_coordinates_and_neighbours) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    EXPECT_EQ(kind_of(comm), EP_UNDEFINED);
    const int columns = comm.size() / 2;
    const Comm cart = grid(comm, {2, columns}, {0, 1}, 0);
    EXPECT_EQ(static_cast<bool>(cart), comm.rank() < 2 * columns);
    if (!cart) return;
    EXPECT_EQ(kind_of(cart), EP_CART);
    int ndims = 0;
    check(EP_Cartdim_get(cart.get(), &ndims));
    EXPECT_EQ(ndims, 2);
    std::array<int, 2> dims{};
    std::array<int, 2> periods{};
    std::array<int, 2> coords{};
    check(EP_Cart_get(cart.get(), 2, dims.data(), periods.data(), coords.data()));
    EXPECT_EQ(dims, (std::array<int, 2>{2, columns}));
    EXPECT_EQ(periods, (std::array<int, 2>{0, 1}));
    EXPECT_EQ(coords, (std::array<int, 2>{cart.rank() / columns, cart.rank() % columns}));
    for (int rank = 0; rank < cart.size(); ++rank) {
      int back = -1;
      check(EP_Cart_coords(cart.get(), rank, 2, coords.data()));
      coords[1] += 3 * columns;  // periodic
      check(EP_Cart_rank(cart.get(), coords.data(), &back));
      EXPECT_EQ(back, rank);
    }
    int source = -1;
    int dest = -1;
    check(EP_Cart_shift(cart.get(), 0, 1, &source, &dest));
    EXPECT_EQ(source, cart.rank() < columns ? EP_PROC_NULL : cart.rank() - columns);
    EXPECT_EQ(dest, cart.rank() < columns ? cart.rank() + columns : EP_PROC_NULL);
    check(EP_Cart_shift(cart.get(), 1, -1, &source, &dest));
    const int row = cart.rank() / columns * columns;
    EXPECT_EQ(dest, row + (cart.rank() - row + columns - 1) % columns);
    // Would have found that the distance overflowed when its sign was changed.
    int far_source = -1;
    check(EP_Cart_shift(cart.get(), 1, INT_MIN, &far_source, &source));
    const std::int64_t far_column = (cart.rank() - row - std::int64_t{INT_MIN}) % columns;
    EXPECT_EQ(far_source, row + far_column);
    check(EP_Cart_shift(cart.get(), 1, -1, &source, &dest));
    // The grid lives on in duplicates, and shifts can be sent along.
    const Comm other = cart.dup();
    EXPECT_EQ(kind_of(other), EP_CART);
    int value = other.rank();
    check(
        EP_Sendrecv_replace(&value, 1, MPI_INT, dest, 0, source, 0, other.get(), EP_STATUS_IGNORE));
    EXPECT_EQ(value, source);
  });
}

TEST_P(Topologies, a_part_of_a_grid) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const int columns = comm.size() / 2;
    const Comm cart = grid(comm, {2, columns}, {1, 0}, 0);
    if (!cart) return;
    const std::array<int, 2> remain{0, 1};
    EP_Comm out = EP_COMM_NULL;
    check(EP_Cart_sub(cart.get(), remain.data(), &out));
    const Comm row(out);
    EXPECT_EQ(row.size(), columns);
    EXPECT_EQ(row.rank(), cart.rank() % columns);
    int dims = 0;
    int periods = -1;
    int coords = -1;
    check(EP_Cart_get(row.get(), 1, &dims, &periods, &coords));
    EXPECT_EQ(dims, columns);
    EXPECT_EQ(periods, 0);
    EXPECT_EQ(coords, row.rank());
    const std::array<int, 2> nothing{0, 0};
    check(EP_Cart_sub(cart.get(), nothing.data(), &out));
    const Comm point(out);
    EXPECT_EQ(point.size(), 1);
    check(EP_Cartdim_get(point.get(), &dims));
    EXPECT_EQ(dims, 0);
  });
}

// With reordering, an endpoint has at most as many neighbours in other processes as without, summed
// over all.
TEST(Reordering, puts_neighbours_into_one_process) {
  run_endpoints([](int, int) { return 4; },
                [](const Comm& comm) {
                  const int columns = comm.size() / 2;
                  std::array<int, 2> outside{};
                  for (const int reorder : {0, 1}) {
                    const Comm cart = grid(comm, {2, columns}, {0, 0}, reorder);
                    int mine = 0;
                    for (const int direction : {0, 1}) {
                      for (const int displacement : {-1, 1}) {
                        int source = -1;
                        int dest = -1;
                        check(EP_Cart_shift(cart.get(), direction, displacement, &source, &dest));
                        if (dest != EP_PROC_NULL && cart.locality(dest) != EP_LOCALITY_PROCESS)
                          ++mine;
                      }
                    }
                    check(EP_Allreduce(&mine, &outside[static_cast<std::size_t>(reorder)], 1,
                                       MPI_INT, MPI_SUM, comm.get()));
                    int rank = -1;
                    const std::array<int, 2> dims{2, columns};
                    const std::array<int, 2> periods{0, 0};
                    check(EP_Cart_map(comm.get(), 2, dims.data(), periods.data(), &rank));
                    EXPECT_TRUE(reorder == 0 || rank == cart.rank());
                  }
                  EXPECT_LE(outside[1], outside[0]);
                  // Two blocks of 2 x 2 share one border.
                  EXPECT_TRUE(processes() != 2 || outside[1] == 4) << outside[1];
                });
}

TEST(Dims, are_as_equal_as_possible) {
  const auto filled = [](int nodes, std::vector<int> dims) {
    check(EP_Dims_create(nodes, static_cast<int>(dims.size()), dims.data()));
    return dims;
  };
  EXPECT_EQ(filled(6, {0, 0}), (std::vector<int>{3, 2}));
  EXPECT_EQ(filled(7, {0, 0}), (std::vector<int>{7, 1}));
  EXPECT_EQ(filled(12, {0, 0, 0}), (std::vector<int>{3, 2, 2}));
  EXPECT_EQ(filled(64, {0, 0, 0}), (std::vector<int>{4, 4, 4}));
  EXPECT_EQ(filled(6, {0, 3, 0}), (std::vector<int>{2, 3, 1}));
  EXPECT_EQ(filled(1, {0}), (std::vector<int>{1}));
  int dim = 4;
  EXPECT_EQ(EP_Dims_create(6, 1, &dim), EP_ERR_DIMS);
  dim = -1;
  EXPECT_EQ(EP_Dims_create(6, 1, &dim), EP_ERR_DIMS);
  dim = 0;
  EXPECT_EQ(EP_Dims_create(0, 1, &dim), EP_ERR_DIMS);
  // Would have found a division by zero: the product of what is given exceeds 64 bits.
  std::array<int, 5> dims{65536, 65536, 65536, 65536, 0};
  EXPECT_EQ(EP_Dims_create(6, 5, dims.data()), EP_ERR_DIMS);
}

struct SmallGraph {
  std::vector<int> index;
  std::vector<int> edges;
  std::vector<int> of_last;  ///< neighbours of the last node
};

SmallGraph small_graph(int nodes) {
  if (nodes == 2) return {{1, 2}, {1, 0}, {0}};           // 0 - 1
  if (nodes == 3) return {{2, 3, 4}, {1, 2, 0, 0}, {0}};  // 0 - 1, 0 - 2
  return {{2, 3, 4, 6}, {1, 3, 0, 3, 0, 2}, {0, 2}};      // 0 - 1, 0 - 3, 2 - 3
}

TEST_P(Topologies, a_graph_gives_back_what_it_was_made_of) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const SmallGraph given = small_graph(std::min(comm.size(), 4));
    const int nodes = static_cast<int>(given.index.size());
    const int ends = static_cast<int>(given.edges.size());
    EP_Comm out = EP_COMM_NULL;
    check(EP_Graph_create(comm.get(), nodes, given.index.data(), given.edges.data(), 1, &out));
    const Comm graph(out);
    EXPECT_EQ(static_cast<bool>(graph), comm.rank() < nodes);
    if (!graph) return;
    EXPECT_EQ(kind_of(graph), EP_GRAPH);
    int node_count = 0;
    int count = 0;
    check(EP_Graphdims_get(graph.get(), &node_count, &count));
    EXPECT_EQ(node_count, nodes);
    EXPECT_EQ(count, ends);
    SmallGraph back{std::vector<int>(given.index.size()), std::vector<int>(given.edges.size()), {}};
    check(EP_Graph_get(graph.get(), nodes, ends, back.index.data(), back.edges.data()));
    EXPECT_EQ(back.index, given.index);
    EXPECT_EQ(back.edges, given.edges);
    check(EP_Graph_neighbors_count(graph.get(), nodes - 1, &count));
    ASSERT_EQ(count, static_cast<int>(given.of_last.size()));
    std::vector<int> neighbours(given.of_last.size());
    check(EP_Graph_neighbors(graph.get(), nodes - 1, count, neighbours.data()));
    EXPECT_EQ(neighbours, given.of_last);
    EXPECT_EQ(EP_Cartdim_get(graph.get(), &count), EP_ERR_TOPOLOGY);
    EXPECT_EQ(EP_Graph_neighbors_count(graph.get(), nodes, &count), EP_ERR_RANK);
  });
}

TEST_P(Topologies, a_distributed_graph_of_ones_own_edges) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const int size = comm.size();
    const std::array<int, 2> from{(comm.rank() + size - 1) % size, (comm.rank() + size - 2) % size};
    const std::array<int, 2> to{(comm.rank() + 1) % size, (comm.rank() + 2) % size};
    const std::array<int, 2> weights{3, 4};
    EP_Comm out = EP_COMM_NULL;
    check(EP_Dist_graph_create_adjacent(comm.get(), 2, from.data(), weights.data(), 2, to.data(),
                                        weights.data(), MPI_INFO_NULL, 0, &out));
    const Comm graph(out);
    EXPECT_EQ(kind_of(graph), EP_DIST_GRAPH);
    int in = 0;
    int outward = 0;
    int weighted = 0;
    check(EP_Dist_graph_neighbors_count(graph.get(), &in, &outward, &weighted));
    EXPECT_EQ(in, 2);
    EXPECT_EQ(outward, 2);
    EXPECT_EQ(weighted, 1);
    std::array<int, 2> sources{};
    std::array<int, 2> destinations{};
    std::array<int, 2> in_weights{};
    std::array<int, 2> out_weights{};
    check(EP_Dist_graph_neighbors(graph.get(), 2, sources.data(), in_weights.data(), 2,
                                  destinations.data(), out_weights.data()));
    EXPECT_EQ(sources, from);
    EXPECT_EQ(destinations, to);
    EXPECT_EQ(in_weights, weights);
  });
}

// Rank 0 gives all edges of a ring, the others nothing.
TEST_P(Topologies, a_distributed_graph_of_anyones_edges) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const int size = comm.size();
    std::vector<int> sources;
    std::vector<int> destinations;
    std::vector<int> weights;
    for (int rank = 0; comm.rank() == 0 && rank < size; ++rank) {
      sources.push_back(rank);
      destinations.push_back((rank + 1) % size);
      weights.push_back(10 * rank);
    }
    const std::vector<int> degrees(sources.size(), 1);
    EP_Comm out = EP_COMM_NULL;
    check(EP_Dist_graph_create(comm.get(), static_cast<int>(sources.size()), sources.data(),
                               degrees.data(), destinations.data(), weights.data(), MPI_INFO_NULL,
                               0, &out));
    const Comm ring(out);
    int source = -1;
    int dest = -1;
    int in_weight = -1;
    int out_weight = -1;
    check(EP_Dist_graph_neighbors(ring.get(), 1, &source, &in_weight, 1, &dest, &out_weight));
    EXPECT_EQ(source, (comm.rank() + size - 1) % size);
    EXPECT_EQ(dest, (comm.rank() + 1) % size);
    EXPECT_EQ(in_weight, 10 * source);
    EXPECT_EQ(out_weight, 10 * comm.rank());
  });
}

/// A ring through all ranks in an order that leaves the process at nearly every step.
std::vector<int> scattered_ring(int size) {
  std::vector<int> order;
  for (int start = 0; start < 4; ++start) {
    for (int rank = start; rank < size; rank += 4) order.push_back(rank);
  }
  return order;
}

/// Who comes before and after `rank` in the ring, in this order.
std::array<int, 2> beside(const std::vector<int>& ring, int rank) {
  const auto size = ring.size();
  const auto place =
      static_cast<std::size_t>(std::find(ring.begin(), ring.end(), rank) - ring.begin());
  return {ring[(place + size - 1) % size], ring[(place + 1) % size]};
}

int in_other_processes(const Comm& comm, const std::array<int, 2>& neighbours) {
  int mine = 0;
  for (const int one : neighbours) mine += comm.locality(one) != EP_LOCALITY_PROCESS ? 1 : 0;
  int all = 0;
  check(EP_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, comm.get()));
  return all;
}

/// Checks that everyone can talk to the neighbours that its topology names.
void pass_ranks_on(const Comm& comm, const std::array<int, 2>& sources) {
  const int rank = comm.rank();
  std::array<int, 2> in{-1, -1};
  check(EP_Neighbor_allgather(&rank, 1, MPI_INT, in.data(), 1, MPI_INT, comm.get()));
  EXPECT_EQ(in, sources);
}

/// The ring as each of the three functions makes it.
std::vector<Comm> rings(const Comm& comm, const std::vector<int>& ring, int reorder) {
  const int size = comm.size();
  std::vector<int> index;
  std::vector<int> edges;
  for (int rank = 0; rank < size; ++rank) {
    const auto both = beside(ring, rank);
    edges.insert(edges.end(), both.begin(), both.end());
    index.push_back(static_cast<int>(edges.size()));
  }
  std::vector<Comm> out;
  EP_Comm handle = EP_COMM_NULL;
  check(EP_Graph_create(comm.get(), size, index.data(), edges.data(), reorder, &handle));
  out.emplace_back(handle);
  const auto mine = beside(ring, comm.rank());
  const std::array<int, 2> weights{comm.rank(), comm.rank() + 1};
  check(EP_Dist_graph_create_adjacent(comm.get(), 2, mine.data(), weights.data(), 2, mine.data(),
                                      weights.data(), MPI_INFO_NULL, reorder, &handle));
  out.emplace_back(handle);
  // Each endpoint gives the edges of another one.
  const int other = (comm.rank() + 1) % size;
  const auto theirs = beside(ring, other);
  const int degree = 2;
  check(EP_Dist_graph_create(comm.get(), 1, &other, &degree, theirs.data(), EP_UNWEIGHTED,
                             MPI_INFO_NULL, reorder, &handle));
  out.emplace_back(handle);
  return out;
}

TEST(Reordering, keeps_the_neighbours_of_a_graph_together) {
  run_endpoints(
      [](int, int) { return 4; },
      [](const Comm& comm) {
        const std::vector<int> ring = scattered_ring(comm.size());
        const std::vector<Comm> as_they_were = rings(comm, ring, 0);
        const std::vector<Comm> reordered = rings(comm, ring, 1);
        for (std::size_t i = 0; i < reordered.size(); ++i) {
          EXPECT_EQ(as_they_were[i].rank(), comm.rank());
          EXPECT_EQ(reordered[i].size(), comm.size());
          const int before = in_other_processes(comm, beside(ring, comm.rank()));
          const auto mine = beside(ring, reordered[i].rank());
          const int after = in_other_processes(reordered[i], mine);
          // A ring enters and leaves every process once.
          EXPECT_EQ(after, processes() > 1 ? 2 * processes() : 0);
          EXPECT_TRUE(processes() == 1 || after < before) << after << " of " << before;
          std::array<int, 2> sources{-1, -1};
          if (i == 0) {
            check(EP_Graph_neighbors(reordered[i].get(), reordered[i].rank(), 2, sources.data()));
          } else {
            std::array<int, 2> destinations{-1, -1};
            std::array<int, 2> in_weights{};
            std::array<int, 2> out_weights{};
            check(EP_Dist_graph_neighbors(reordered[i].get(), 2, sources.data(), in_weights.data(),
                                          2, destinations.data(), out_weights.data()));
            EXPECT_EQ(destinations, mine);
            // What was given of the node came with it.
            const int node = reordered[i].rank();
            const std::array<int, 2> given{node, node + 1};
            EXPECT_TRUE(i == 2 || (in_weights == given && out_weights == given));
          }
          // Edges that others give come in the order of those who gave them.
          if (i == 2 && sources != mine) std::swap(sources[0], sources[1]);
          EXPECT_EQ(sources, mine);
        }
        int mapped = -1;
        std::vector<int> index(static_cast<std::size_t>(comm.size()));
        std::vector<int> edges(2 * index.size());
        check(EP_Graph_get(reordered[0].get(), comm.size(), 2 * comm.size(), index.data(),
                           edges.data()));
        check(EP_Graph_map(comm.get(), comm.size(), index.data(), edges.data(), &mapped));
        EXPECT_EQ(mapped, reordered[0].rank());
        pass_ranks_on(reordered[1], beside(ring, reordered[1].rank()));
      });
}

TEST_P(Topologies, impossible_ones_are_errors) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    EP_Comm out = EP_COMM_NULL;
    const std::array<int, 2> large{comm.size(), 2};
    const std::array<int, 2> empty{0, 2};
    const std::array<int, 2> falling{2, 1};
    const int nobody = comm.size();
    EXPECT_EQ(EP_Cart_create(comm.get(), 2, large.data(), large.data(), 0, &out), EP_ERR_DIMS);
    EXPECT_EQ(EP_Cart_create(comm.get(), 2, empty.data(), empty.data(), 0, &out), EP_ERR_DIMS);
    EXPECT_EQ(EP_Cart_create(comm.get(), -1, empty.data(), empty.data(), 0, &out), EP_ERR_ARG);
    EXPECT_EQ(EP_Graph_create(comm.get(), 2, falling.data(), falling.data(), 0, &out), EP_ERR_ARG);
    EXPECT_EQ(EP_Dist_graph_create_adjacent(comm.get(), 1, &nobody, EP_UNWEIGHTED, 0, nullptr,
                                            EP_UNWEIGHTED, MPI_INFO_NULL, 0, &out),
              EP_ERR_RANK);
    // Would have found that weights were not looked at, and EP_WEIGHTS_EMPTY read from.
    const int one = 1;
    const int self = comm.rank();
    const int negative = -1;
    for (const int* weights : {&negative, static_cast<const int*>(EP_WEIGHTS_EMPTY)}) {
      EXPECT_EQ(
          EP_Dist_graph_create(comm.get(), 1, &self, &one, &self, weights, MPI_INFO_NULL, 0, &out),
          EP_ERR_ARG);
      EXPECT_EQ(EP_Dist_graph_create_adjacent(comm.get(), 1, &self, weights, 0, nullptr,
                                              EP_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &out),
                EP_ERR_ARG);
    }
    EXPECT_EQ(EP_Cart_shift(comm.get(), 0, 1, nullptr, nullptr), EP_ERR_ARG);
  });
}

}  // namespace
}  // namespace ep::test::topology_test
