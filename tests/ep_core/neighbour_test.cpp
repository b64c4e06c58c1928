#include <gtest/gtest.h>

#include <memory>
#include <tuple>
#include <vector>

#include "collective_forms.hpp"
#include "layouts.hpp"
#include "process.hpp"

namespace ep::test {
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
class Neighbours : public testing::TestWithParam<std::tuple<int, bool>> {};
INSTANTIATE_TEST_SUITE_P(Forms, Neighbours,
                         testing::Combine(testing::Values(2, 3, 5), testing::Bool()));

TEST_P(Neighbours, blocks_follow_the_edges_in_order) {
  const Form form(std::get<1>(GetParam()));
  run_endpoints(std::get<0>(GetParam()), [&form](const Comm& comm) {
    comm.get()->topology = two_ahead(comm.rank(), comm.size());
    const auto& in = comm.get()->topology->in_neighbours;
    const int me = comm.rank();
    const std::int64_t mine = sample(me, 0, 0);
    std::vector<std::int64_t> gathered(4, -1);
    form(EP_Neighbor_allgather, EP_Ineighbor_allgather, comm, &mine, 1, MPI_INT64_T,
         gathered.data(), 1, MPI_INT64_T);
    EXPECT_EQ(gathered, (std::vector<std::int64_t>{sample(in[0], 0, 0), sample(in[1], 0, 0),
                                                   sample(in[2], 0, 0), -1}));
    // Block k says that it left by edge k: of the two edges to the next rank, 0 comes before 3.
    const std::vector<std::int64_t> out{sample(me, 1, 0), sample(me, 1, 1), sample(me, 1, 2),
                                        sample(me, 1, 3)};
    const std::vector<std::int64_t> expected{sample(in[0], 1, 2), sample(in[1], 1, 0),
                                             sample(in[2], 1, 3), -1};
    std::vector<std::int64_t> received(4, -1);
    form(EP_Neighbor_alltoall, EP_Ineighbor_alltoall, comm, out.data(), 1, MPI_INT64_T,
         received.data(), 1, MPI_INT64_T);
    EXPECT_EQ(received, expected);
    const std::vector<int> counts(4, 1);
    const std::vector<int> places{0, 1, 2, 3};
    received.assign(4, -1);
    form(EP_Neighbor_alltoallv, EP_Ineighbor_alltoallv, comm, out.data(), counts.data(),
         places.data(), MPI_INT64_T, received.data(), counts.data(), places.data(), MPI_INT64_T);
    EXPECT_EQ(received, expected);
    const std::vector<MPI_Aint> bytes{0, 8, 16, 24};
    const std::vector<MPI_Datatype> types(4, MPI_INT64_T);
    received.assign(4, -1);
    form(EP_Neighbor_alltoallw, EP_Ineighbor_alltoallw, comm, out.data(), counts.data(),
         bytes.data(), types.data(), received.data(), counts.data(), bytes.data(), types.data());
    EXPECT_EQ(received, expected);
    gathered.assign(4, -1);
    form(EP_Neighbor_allgatherv, EP_Ineighbor_allgatherv, comm, &mine, 1, MPI_INT64_T,
         gathered.data(), counts.data(), places.data(), MPI_INT64_T);
    EXPECT_EQ(gathered[1], sample(in[1], 0, 0));
  });
}

}  // namespace
}  // namespace ep::test
