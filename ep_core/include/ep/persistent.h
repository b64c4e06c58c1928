/// @file
/// Persistent collectives; included by <ep/ep.h>.
///
/// EP_Xxx_init creates an inactive request for EP_Xxx. Every EP_Start (or EP_Startall) begins the
/// operation; EP_Wait, EP_Test and their variants complete it and make the request inactive again.
/// EP_Request_free frees the request. The functions are collective: all endpoints of the
/// communicator call them in the same order, also relative to other collectives, but no endpoint
/// waits for another. Each endpoint may start its requests in an order of its own. A persistent
/// operation matches only persistent operations of the same function.
///
/// Buffers belong to the library while a request is active and must stay in place until it is
/// freed; so must arrays of counts and displacements, and user-defined operations. Datatypes and
/// the communicator may be freed at once. EP_Xxx_init reports the errors of EP_Xxx that one
/// endpoint can detect; the call that completes the operation reports the others. `info` is
/// ignored. EP_Cancel has no effect. MPI-4.0, 6.13 and 8.8.
#ifndef EP_PERSISTENT_H
#define EP_PERSISTENT_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Creates a persistent request for EP_Barrier.
int EP_Barrier_init(EP_Comm comm, MPI_Info info, EP_Request* request);
/// Creates a persistent request for EP_Bcast.
int EP_Bcast_init(void* buf, int count, MPI_Datatype type, int root, EP_Comm comm, MPI_Info info,
                  EP_Request* request);
/// Creates a persistent request for EP_Gather.
int EP_Gather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   int recvcount, MPI_Datatype recvtype, int root, EP_Comm comm, MPI_Info info,
                   EP_Request* request);
/// Creates a persistent request for EP_Gatherv.
int EP_Gatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                    EP_Comm comm, MPI_Info info, EP_Request* request);
/// Creates a persistent request for EP_Scatter.
int EP_Scatter_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    int recvcount, MPI_Datatype recvtype, int root, EP_Comm comm, MPI_Info info,
                    EP_Request* request);
/// Creates a persistent request for EP_Scatterv.
int EP_Scatterv_init(const void* sendbuf, const int sendcounts[], const int displs[],
                     MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                     int root, EP_Comm comm, MPI_Info info, EP_Request* request);
/// Creates a persistent request for EP_Allgather.
int EP_Allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                      int recvcount, MPI_Datatype recvtype, EP_Comm comm, MPI_Info info,
                      EP_Request* request);
/// Creates a persistent request for EP_Allgatherv.
int EP_Allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                       const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                       EP_Comm comm, MPI_Info info, EP_Request* request);
/// Creates a persistent request for EP_Alltoall.
int EP_Alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                     int recvcount, MPI_Datatype recvtype, EP_Comm comm, MPI_Info info,
                     EP_Request* request);
/// Creates a persistent request for EP_Alltoallv.
int EP_Alltoallv_init(const void* sendbuf, const int sendcounts[], const int sdispls[],
                      MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                      const int rdispls[], MPI_Datatype recvtype, EP_Comm comm, MPI_Info info,
                      EP_Request* request);
/// Creates a persistent request for EP_Alltoallw.
int EP_Alltoallw_init(const void* sendbuf, const int sendcounts[], const int sdispls[],
                      const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                      const int rdispls[], const MPI_Datatype recvtypes[], EP_Comm comm,
                      MPI_Info info, EP_Request* request);
/// Creates a persistent request for EP_Reduce.
int EP_Reduce_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                   int root, EP_Comm comm, MPI_Info info, EP_Request* request);
/// Creates a persistent request for EP_Allreduce.
int EP_Allreduce_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                      EP_Comm comm, MPI_Info info, EP_Request* request);
/// Creates a persistent request for EP_Reduce_scatter.
int EP_Reduce_scatter_init(const void* sendbuf, void* recvbuf, const int recvcounts[],
                           MPI_Datatype type, MPI_Op op, EP_Comm comm, MPI_Info info,
                           EP_Request* request);
/// Creates a persistent request for EP_Reduce_scatter_block.
int EP_Reduce_scatter_block_init(const void* sendbuf, void* recvbuf, int recvcount,
                                 MPI_Datatype type, MPI_Op op, EP_Comm comm, MPI_Info info,
                                 EP_Request* request);
/// Creates a persistent request for EP_Scan.
int EP_Scan_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                 EP_Comm comm, MPI_Info info, EP_Request* request);
/// Creates a persistent request for EP_Exscan.
int EP_Exscan_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                   EP_Comm comm, MPI_Info info, EP_Request* request);
/// Creates a persistent request for EP_Neighbor_allgather.
int EP_Neighbor_allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                               void* recvbuf, int recvcount, MPI_Datatype recvtype, EP_Comm comm,
                               MPI_Info info, EP_Request* request);
/// Creates a persistent request for EP_Neighbor_allgatherv.
int EP_Neighbor_allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                void* recvbuf, const int recvcounts[], const int displs[],
                                MPI_Datatype recvtype, EP_Comm comm, MPI_Info info,
                                EP_Request* request);
/// Creates a persistent request for EP_Neighbor_alltoall.
int EP_Neighbor_alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                              void* recvbuf, int recvcount, MPI_Datatype recvtype, EP_Comm comm,
                              MPI_Info info, EP_Request* request);
/// Creates a persistent request for EP_Neighbor_alltoallv.
int EP_Neighbor_alltoallv_init(const void* sendbuf, const int sendcounts[], const int sdispls[],
                               MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                               const int rdispls[], MPI_Datatype recvtype, EP_Comm comm,
                               MPI_Info info, EP_Request* request);
/// Creates a persistent request for EP_Neighbor_alltoallw.
int EP_Neighbor_alltoallw_init(const void* sendbuf, const int sendcounts[],
                               const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                               void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                               const MPI_Datatype recvtypes[], EP_Comm comm, MPI_Info info,
                               EP_Request* request);

#ifdef __cplusplus
}
#endif

#endif
