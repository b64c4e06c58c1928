#include "collectives/collective_calls.hpp"
#include "handles/endpoint.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

int EP_Barrier(EP_Comm comm) {
  return blocking(comm, [&](Endpoint& endpoint) { return barrier_call(endpoint, "EP_Barrier"); });
}

int EP_Ibarrier(EP_Comm comm, EP_Request* request) {
  return immediate(comm, request,
                   [&](Endpoint& endpoint) { return barrier_call(endpoint, "EP_Ibarrier"); });
}

int EP_Bcast(void* buf, int count, MPI_Datatype type, int root, EP_Comm comm) {
  return blocking(comm, [&](Endpoint& endpoint) {
    return bcast_call(endpoint, "EP_Bcast", blocks_of(buf, count, type), root);
  });
}

int EP_Ibcast(void* buf, int count, MPI_Datatype type, int root, EP_Comm comm,
              EP_Request* request) {
  return immediate(comm, request, [&](Endpoint& endpoint) {
    return bcast_call(endpoint, "EP_Ibcast", blocks_of(buf, count, type), root);
  });
}

int EP_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              int recvcount, MPI_Datatype recvtype, int root, EP_Comm comm) {
  return blocking(comm, [&](Endpoint& endpoint) {
    return gather_call(endpoint, "EP_Gather", blocks_of(sendbuf, sendcount, sendtype),
                       blocks_of(recvbuf, recvcount, recvtype), root);
  });
}

int EP_Igather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
               int recvcount, MPI_Datatype recvtype, int root, EP_Comm comm, EP_Request* request) {
  return immediate(comm, request, [&](Endpoint& endpoint) {
    return gather_call(endpoint, "EP_Igather", blocks_of(sendbuf, sendcount, sendtype),
                       blocks_of(recvbuf, recvcount, recvtype), root);
  });
}

int EP_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
               const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
               EP_Comm comm) {
  return blocking(comm, [&](Endpoint& endpoint) {
    return gather_call(endpoint, "EP_Gatherv", blocks_of(sendbuf, sendcount, sendtype),
                       blocks_of(recvbuf, recvcounts, displs, recvtype), root);
  });
}

int EP_Igatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                EP_Comm comm, EP_Request* request) {
  return immediate(comm, request, [&](Endpoint& endpoint) {
    return gather_call(endpoint, "EP_Igatherv", blocks_of(sendbuf, sendcount, sendtype),
                       blocks_of(recvbuf, recvcounts, displs, recvtype), root);
  });
}

int EP_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
               int recvcount, MPI_Datatype recvtype, int root, EP_Comm comm) {
  return blocking(comm, [&](Endpoint& endpoint) {
    return scatter_call(endpoint, "EP_Scatter", blocks_of(sendbuf, sendcount, sendtype),
                        blocks_of(recvbuf, recvcount, recvtype), root);
  });
}

int EP_Iscatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                int recvcount, MPI_Datatype recvtype, int root, EP_Comm comm, EP_Request* request) {
  return immediate(comm, request, [&](Endpoint& endpoint) {
    return scatter_call(endpoint, "EP_Iscatter", blocks_of(sendbuf, sendcount, sendtype),
                        blocks_of(recvbuf, recvcount, recvtype), root);
  });
}

int EP_Scatterv(const void* sendbuf, const int sendcounts[], const int displs[],
                MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                int root, EP_Comm comm) {
  return blocking(comm, [&](Endpoint& endpoint) {
    return scatter_call(endpoint, "EP_Scatterv", blocks_of(sendbuf, sendcounts, displs, sendtype),
                        blocks_of(recvbuf, recvcount, recvtype), root);
  });
}

int EP_Iscatterv(const void* sendbuf, const int sendcounts[], const int displs[],
                 MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                 int root, EP_Comm comm, EP_Request* request) {
  return immediate(comm, request, [&](Endpoint& endpoint) {
    return scatter_call(endpoint, "EP_Iscatterv", blocks_of(sendbuf, sendcounts, displs, sendtype),
                        blocks_of(recvbuf, recvcount, recvtype), root);
  });
}

int EP_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, EP_Comm comm) {
  return blocking(comm, [&](Endpoint& endpoint) {
    return allgather_call(endpoint, "EP_Allgather", blocks_of(sendbuf, sendcount, sendtype),
                          blocks_of(recvbuf, recvcount, recvtype));
  });
}

int EP_Iallgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, EP_Comm comm, EP_Request* request) {
  return immediate(comm, request, [&](Endpoint& endpoint) {
    return allgather_call(endpoint, "EP_Iallgather", blocks_of(sendbuf, sendcount, sendtype),
                          blocks_of(recvbuf, recvcount, recvtype));
  });
}

int EP_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  const int recvcounts[], const int displs[], MPI_Datatype recvtype, EP_Comm comm) {
  return blocking(comm, [&](Endpoint& endpoint) {
    return allgather_call(endpoint, "EP_Allgatherv", blocks_of(sendbuf, sendcount, sendtype),
                          blocks_of(recvbuf, recvcounts, displs, recvtype));
  });
}

int EP_Iallgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   const int recvcounts[], const int displs[], MPI_Datatype recvtype, EP_Comm comm,
                   EP_Request* request) {
  return immediate(comm, request, [&](Endpoint& endpoint) {
    return allgather_call(endpoint, "EP_Iallgatherv", blocks_of(sendbuf, sendcount, sendtype),
                          blocks_of(recvbuf, recvcounts, displs, recvtype));
  });
}

int EP_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                int recvcount, MPI_Datatype recvtype, EP_Comm comm) {
  return blocking(comm, [&](Endpoint& endpoint) {
    return alltoall_call(endpoint, "EP_Alltoall", blocks_of(sendbuf, sendcount, sendtype),
                         blocks_of(recvbuf, recvcount, recvtype));
  });
}

int EP_Ialltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, EP_Comm comm, EP_Request* request) {
  return immediate(comm, request, [&](Endpoint& endpoint) {
    return alltoall_call(endpoint, "EP_Ialltoall", blocks_of(sendbuf, sendcount, sendtype),
                         blocks_of(recvbuf, recvcount, recvtype));
  });
}

int EP_Alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                 MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[],
                 MPI_Datatype recvtype, EP_Comm comm) {
  return blocking(comm, [&](Endpoint& endpoint) {
    return alltoall_call(endpoint, "EP_Alltoallv",
                         blocks_of(sendbuf, sendcounts, sdispls, sendtype),
                         blocks_of(recvbuf, recvcounts, rdispls, recvtype));
  });
}

int EP_Ialltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                  MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[],
                  MPI_Datatype recvtype, EP_Comm comm, EP_Request* request) {
  return immediate(comm, request, [&](Endpoint& endpoint) {
    return alltoall_call(endpoint, "EP_Ialltoallv",
                         blocks_of(sendbuf, sendcounts, sdispls, sendtype),
                         blocks_of(recvbuf, recvcounts, rdispls, recvtype));
  });
}

int EP_Alltoallw(const void* sendbuf, const int sendcounts[], const int sdispls[],
                 const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                 const int rdispls[], const MPI_Datatype recvtypes[], EP_Comm comm) {
  return blocking(comm, [&](Endpoint& endpoint) {
    return alltoall_call(endpoint, "EP_Alltoallw",
                         blocks_of(sendbuf, sendcounts, sdispls, sendtypes),
                         blocks_of(recvbuf, recvcounts, rdispls, recvtypes));
  });
}

int EP_Ialltoallw(const void* sendbuf, const int sendcounts[], const int sdispls[],
                  const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                  const int rdispls[], const MPI_Datatype recvtypes[], EP_Comm comm,
                  EP_Request* request) {
  return immediate(comm, request, [&](Endpoint& endpoint) {
    return alltoall_call(endpoint, "EP_Ialltoallw",
                         blocks_of(sendbuf, sendcounts, sdispls, sendtypes),
                         blocks_of(recvbuf, recvcounts, rdispls, recvtypes));
  });
}
