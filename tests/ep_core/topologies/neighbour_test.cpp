#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <tuple>
#include <vector>

#include "collectives/collective_forms.hpp"
#include "layouts.hpp"
#include "topologies/topology.hpp"

namespace ep::test::neighbour_test {
namespace {

/// Every rank sends to the next twice and to the one after that once; nobody beyond the last edge.
std::shared_ptr<const Topology> two_ahead(int rank, int size) {
  auto topology = std::make_shared<Topology>();
  topology->kind = Topology::Kind::dist_graph;
  const auto wrap = [size](int r) { return ((r % size) + size) % size; };
  topology->out_neighbours = {wrap(rank + 1), EP_PROC_NULL, wrap(rank + 2), wrap(rank + 1)};
  topology->in_neighbours = {wrap(rank - 2), wrap(rank - 1), wrap(rank - 1), EP_PROC_NULL};
  return topology;
}

/// Endpoints, form.
class Neighbours : public testing::TestWithParam<std::tuple<int, Way>> {};
INSTANTIATE_TEST_SUITE_P(Forms, Neighbours, testing::Combine(testing::Values(2, 3, 5), all_ways()));

TEST_P(Neighbours, blocks_follow_the_edges_in_order) {
  const Form form(std::get<1>(GetParam()), 4);
  run_endpoints(std::get<0>(GetParam()), [&form](const Comm& comm) {
    comm.get()->topology = two_ahead(comm.rank(), comm.size());
    const auto& in = topology_in(*comm.get())->in_neighbours;
    const int me = comm.rank();
    const std::int64_t mine = sample(me, 0, 0);
    std::vector<std::int64_t> gathered(4, -1);
    form(EP_FORMS(Neighbor_allgather, Ineighbor_allgather), comm, &mine, 1, MPI_INT64_T,
         gathered.data(), 1, MPI_INT64_T);
    EXPECT_EQ(gathered, (std::vector<std::int64_t>{sample(in[0], 0, 0), sample(in[1], 0, 0),
                                                   sample(in[2], 0, 0), -1}));
    // Block k says that it left by edge k: of the two edges to the next rank, 0 comes before 3.
    const std::vector<std::int64_t> out{sample(me, 1, 0), sample(me, 1, 1), sample(me, 1, 2),
                                        sample(me, 1, 3)};
    const std::vector<std::int64_t> expected{sample(in[0], 1, 2), sample(in[1], 1, 0),
                                             sample(in[2], 1, 3), -1};
    std::vector<std::int64_t> received(4, -1);
    form(EP_FORMS(Neighbor_alltoall, Ineighbor_alltoall), comm, out.data(), 1, MPI_INT64_T,
         received.data(), 1, MPI_INT64_T);
    EXPECT_EQ(received, expected);
    const std::vector<int> counts(4, 1);
    const std::vector<int> places{0, 1, 2, 3};
    received.assign(4, -1);
    form(EP_FORMS(Neighbor_alltoallv, Ineighbor_alltoallv), comm, out.data(), counts.data(),
         places.data(), MPI_INT64_T, received.data(), counts.data(), places.data(), MPI_INT64_T);
    EXPECT_EQ(received, expected);
    const std::vector<MPI_Aint> bytes{0, 8, 16, 24};
    const std::vector<MPI_Datatype> types(4, MPI_INT64_T);
    received.assign(4, -1);
    form(EP_FORMS(Neighbor_alltoallw, Ineighbor_alltoallw), comm, out.data(), counts.data(),
         bytes.data(), types.data(), received.data(), counts.data(), bytes.data(), types.data());
    EXPECT_EQ(received, expected);
    gathered.assign(4, -1);
    form(EP_FORMS(Neighbor_allgatherv, Ineighbor_allgatherv), comm, &mine, 1, MPI_INT64_T,
         gathered.data(), counts.data(), places.data(), MPI_INT64_T);
    EXPECT_EQ(gathered[1], sample(in[1], 0, 0));
  });
}

/// Dimensions (periodic where negative), form.
class GridNeighbours : public testing::TestWithParam<std::tuple<std::vector<int>, Way>> {};
INSTANTIATE_TEST_SUITE_P(
    Forms, GridNeighbours,
    testing::Combine(testing::Values(std::vector<int>{-1}, std::vector<int>{-2},
                                     std::vector<int>{-3}, std::vector<int>{2},
                                     std::vector<int>{-2, -1}, std::vector<int>{-2, -2},
                                     std::vector<int>{1, -2, -3}, std::vector<int>{-1, 2, -2}),
                     all_ways()));

// Where a grid is so short that a neighbour is one in both directions: what goes up comes from
// below.
TEST_P(GridNeighbours, blocks_arrive_from_the_direction_they_come_from) {
  std::vector<int> dims;
  std::vector<int> periods;
  int total = 1;
  for (const int dim : std::get<0>(GetParam())) {
    dims.push_back(std::abs(dim));
    periods.push_back(dim < 0 ? 1 : 0);
    total *= std::abs(dim);
  }
  run_endpoints(total, [&](const Comm& comm) {
    const int ndims = static_cast<int>(dims.size());
    EP_Comm made = EP_COMM_NULL;
    check(EP_Cart_create(comm.get(), ndims, dims.data(), periods.data(), 0, &made));
    const Comm grid(made);
    const std::size_t ends = 2 * dims.size();
    const Form form(std::get<1>(GetParam()), 2 * ndims);
    std::vector<std::int64_t> out;
    std::vector<std::int64_t> expected(ends, -1);
    std::vector<std::int64_t> of_all(ends, -1);
    for (int d = 0; d < ndims; ++d) {
      for (const int up : {0, 1}) {
        out.push_back(sample(grid.rank(), 1 + d, up));
        int source = EP_PROC_NULL;
        int dest = EP_PROC_NULL;
        // Who sends upwards is below.
        check(EP_Cart_shift(grid.get(), d, up == 0 ? 1 : -1, &source, &dest));
        if (source == EP_PROC_NULL) continue;
        expected[index(2 * d + up)] = sample(source, 1 + d, 1 - up);
        of_all[index(2 * d + up)] = sample(source, 1, 0);
      }
    }
    std::vector<std::int64_t> in(ends, -1);
    form(EP_FORMS(Neighbor_alltoall, Ineighbor_alltoall), grid, out.data(), 1, MPI_INT64_T,
         in.data(), 1, MPI_INT64_T);
    EXPECT_EQ(in, expected);
    const std::vector<int> counts(ends, 1);
    std::vector<int> places;
    std::vector<MPI_Aint> bytes;
    for (std::size_t i = 0; i < ends; ++i) {
      places.push_back(static_cast<int>(i));
      bytes.push_back(static_cast<MPI_Aint>(8 * i));
    }
    in.assign(ends, -1);
    form(EP_FORMS(Neighbor_alltoallv, Ineighbor_alltoallv), grid, out.data(), counts.data(),
         places.data(), MPI_INT64_T, in.data(), counts.data(), places.data(), MPI_INT64_T);
    EXPECT_EQ(in, expected);
    const std::vector<MPI_Datatype> types(ends, MPI_INT64_T);
    in.assign(ends, -1);
    form(EP_FORMS(Neighbor_alltoallw, Ineighbor_alltoallw), grid, out.data(), counts.data(),
         bytes.data(), types.data(), in.data(), counts.data(), bytes.data(), types.data());
    EXPECT_EQ(in, expected);
    in.assign(ends, -1);
    form(EP_FORMS(Neighbor_allgather, Ineighbor_allgather), grid, out.data(), 1, MPI_INT64_T,
         in.data(), 1, MPI_INT64_T);
    EXPECT_EQ(in, of_all);
  });
}

// One count for each direction: sent upwards as much as is expected from below.
TEST(GridNeighbours, directions_have_counts_of_their_own) {
  run_endpoints(2, [](const Comm& comm) {
    const int two = 2;
    const int periodic = 1;
    EP_Comm made = EP_COMM_NULL;
    check(EP_Cart_create(comm.get(), 1, &two, &periodic, 0, &made));
    const Comm grid(made);
    const std::vector<std::int64_t> out{sample(grid.rank(), 0, 0), sample(grid.rank(), 1, 0),
                                        sample(grid.rank(), 1, 1)};
    const std::vector<int> sent{1, 2};
    const std::vector<int> sent_from{0, 1};
    const std::vector<int> received{2, 1};
    const std::vector<int> received_at{0, 2};
    std::vector<std::int64_t> in(3, -1);
    check(EP_Neighbor_alltoallv(out.data(), sent.data(), sent_from.data(), MPI_INT64_T, in.data(),
                                received.data(), received_at.data(), MPI_INT64_T, grid.get()));
    const int other = 1 - grid.rank();
    EXPECT_EQ(in, (std::vector<std::int64_t>{sample(other, 1, 0), sample(other, 1, 1),
                                             sample(other, 0, 0)}));
  });
}

}  // namespace
}  // namespace ep::test::neighbour_test
