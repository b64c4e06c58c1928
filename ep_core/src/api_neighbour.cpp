#include "collective_calls.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

int EP_Neighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                          int recvcount, MPI_Datatype recvtype, EP_Comm comm) {
  return blocking(comm, [&](Endpoint& endpoint) {
    return neighbour_allgather_call(endpoint, "EP_Neighbor_allgather",
                                    blocks_of(sendbuf, sendcount, sendtype),
                                    blocks_of(recvbuf, recvcount, recvtype));
  });
}

int EP_Ineighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           int recvcount, MPI_Datatype recvtype, EP_Comm comm,
                           EP_Request* request) {
  return immediate(comm, request, [&](Endpoint& endpoint) {
    return neighbour_allgather_call(endpoint, "EP_Ineighbor_allgather",
                                    blocks_of(sendbuf, sendcount, sendtype),
                                    blocks_of(recvbuf, recvcount, recvtype));
  });
}

int EP_Neighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                           EP_Comm comm) {
  return blocking(comm, [&](Endpoint& endpoint) {
    return neighbour_allgather_call(endpoint, "EP_Neighbor_allgatherv",
                                    blocks_of(sendbuf, sendcount, sendtype),
                                    blocks_of(recvbuf, recvcounts, displs, recvtype));
  });
}

int EP_Ineighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                            void* recvbuf, const int recvcounts[], const int displs[],
                            MPI_Datatype recvtype, EP_Comm comm, EP_Request* request) {
  return immediate(comm, request, [&](Endpoint& endpoint) {
    return neighbour_allgather_call(endpoint, "EP_Ineighbor_allgatherv",
                                    blocks_of(sendbuf, sendcount, sendtype),
                                    blocks_of(recvbuf, recvcounts, displs, recvtype));
  });
}

int EP_Neighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         int recvcount, MPI_Datatype recvtype, EP_Comm comm) {
  return blocking(comm, [&](Endpoint& endpoint) {
    return neighbour_alltoall_call(endpoint, "EP_Neighbor_alltoall",
                                   blocks_of(sendbuf, sendcount, sendtype),
                                   blocks_of(recvbuf, recvcount, recvtype));
  });
}

int EP_Ineighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                          int recvcount, MPI_Datatype recvtype, EP_Comm comm, EP_Request* request) {
  return immediate(comm, request, [&](Endpoint& endpoint) {
    return neighbour_alltoall_call(endpoint, "EP_Ineighbor_alltoall",
                                   blocks_of(sendbuf, sendcount, sendtype),
                                   blocks_of(recvbuf, recvcount, recvtype));
  });
}

int EP_Neighbor_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                          MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                          const int rdispls[], MPI_Datatype recvtype, EP_Comm comm) {
  return blocking(comm, [&](Endpoint& endpoint) {
    return neighbour_alltoall_call(endpoint, "EP_Neighbor_alltoallv",
                                   blocks_of(sendbuf, sendcounts, sdispls, sendtype),
                                   blocks_of(recvbuf, recvcounts, rdispls, recvtype));
  });
}

int EP_Ineighbor_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                           MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                           const int rdispls[], MPI_Datatype recvtype, EP_Comm comm,
                           EP_Request* request) {
  return immediate(comm, request, [&](Endpoint& endpoint) {
    return neighbour_alltoall_call(endpoint, "EP_Ineighbor_alltoallv",
                                   blocks_of(sendbuf, sendcounts, sdispls, sendtype),
                                   blocks_of(recvbuf, recvcounts, rdispls, recvtype));
  });
}

int EP_Neighbor_alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                          const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                          const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], EP_Comm comm) {
  return blocking(comm, [&](Endpoint& endpoint) {
    return neighbour_alltoall_call(endpoint, "EP_Neighbor_alltoallw",
                                   blocks_of(sendbuf, sendcounts, sdispls, sendtypes),
                                   blocks_of(recvbuf, recvcounts, rdispls, recvtypes));
  });
}

int EP_Ineighbor_alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                           const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                           const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], EP_Comm comm,
                           EP_Request* request) {
  return immediate(comm, request, [&](Endpoint& endpoint) {
    return neighbour_alltoall_call(endpoint, "EP_Ineighbor_alltoallw",
                                   blocks_of(sendbuf, sendcounts, sdispls, sendtypes),
                                   blocks_of(recvbuf, recvcounts, rdispls, recvtypes));
  });
}
