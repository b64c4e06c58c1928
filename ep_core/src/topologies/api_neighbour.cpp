#include "collectives/collective_forms.hpp"
#include "handles/endpoint.hpp"
#include "process/error.hpp"
#include "topologies/topology.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

Ends ends_of(const std::vector<int>& ranks) {
  Ends ends;
  ends.count = static_cast<int>(ranks.size());
  ends.ranks = ranks.data();
  return ends;
}

// In a grid a neighbour may be one in several directions (MPI-4.0, B.1.1, an erratum to MPI-3.1).
Ends sources_of(const Topology& topology) {
  Ends ends = ends_of(topology.in_neighbours);
  ends.by_direction = topology.kind == Topology::Kind::cartesian;
  return ends;
}

const Topology& neighbourhood_of(const Endpoint& endpoint, const char* what) {
  const Topology* const topology = topology_in(endpoint);
  if (topology == nullptr) {
    fail(EP_ERR_TOPOLOGY, what,
         " on a communicator without topology. Use EP_Cart_create or EP_Dist_graph_create?");
  }
  return *topology;
}

// Returns the call that sends one block to each neighbour.
Call neighbour_alltoall_call(const Endpoint& endpoint, const char* what, const Blocks& send,
                             const Blocks& receive) {
  const Topology& topology = neighbourhood_of(endpoint, what);
  return pattern_call(what, send, ends_of(topology.out_neighbours), receive, sources_of(topology));
}

// Returns the call that sends the same block to all neighbours.
Call neighbour_allgather_call(const Endpoint& endpoint, const char* what, const Blocks& send,
                              const Blocks& receive) {
  const Topology& topology = neighbourhood_of(endpoint, what);
  Ends to = ends_of(topology.out_neighbours);
  to.one_block = true;
  return pattern_call(what, send, to, receive, sources_of(topology));
}

}  // namespace

EP_COLLECTIVE(Neighbor_allgather, Ineighbor_allgather,
              (const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
               Count recvcount, MPI_Datatype recvtype),
              neighbour_allgather_call(endpoint, what, blocks_of(sendbuf, sendcount, sendtype),
                                       blocks_of(recvbuf, recvcount, recvtype)))

EP_COLLECTIVE(Neighbor_allgatherv, Ineighbor_allgatherv,
              (const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
               const Count recvcounts[], const Displacement displs[], MPI_Datatype recvtype),
              neighbour_allgather_call(endpoint, what, blocks_of(sendbuf, sendcount, sendtype),
                                       blocks_of(recvbuf, recvcounts, displs, recvtype)))

EP_COLLECTIVE(Neighbor_alltoall, Ineighbor_alltoall,
              (const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
               Count recvcount, MPI_Datatype recvtype),
              neighbour_alltoall_call(endpoint, what, blocks_of(sendbuf, sendcount, sendtype),
                                      blocks_of(recvbuf, recvcount, recvtype)))

EP_COLLECTIVE(Neighbor_alltoallv, Ineighbor_alltoallv,
              (const void* sendbuf, const Count sendcounts[], const Displacement sdispls[],
               MPI_Datatype sendtype, void* recvbuf, const Count recvcounts[],
               const Displacement rdispls[], MPI_Datatype recvtype),
              neighbour_alltoall_call(endpoint, what,
                                      blocks_of(sendbuf, sendcounts, sdispls, sendtype),
                                      blocks_of(recvbuf, recvcounts, rdispls, recvtype)))

EP_COLLECTIVE(Neighbor_alltoallw, Ineighbor_alltoallw,
              (const void* sendbuf, const Count sendcounts[], const MPI_Aint sdispls[],
               const MPI_Datatype sendtypes[], void* recvbuf, const Count recvcounts[],
               const MPI_Aint rdispls[], const MPI_Datatype recvtypes[]),
              neighbour_alltoall_call(endpoint, what,
                                      blocks_of(sendbuf, sendcounts, sdispls, sendtypes),
                                      blocks_of(recvbuf, recvcounts, rdispls, recvtypes)))
