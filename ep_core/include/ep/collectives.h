/// @file
/// Collective operations of endpoints. Part of <ep/ep.h>.
///
/// Every function has the arguments and meaning of its MPI-3.1 namesake: called once per endpoint
/// of the communicator, by one thread at a time for each, in the same order by all. On an
/// intercommunicator, roots are EP_ROOT, EP_PROC_NULL or a rank of the other group, and EP_IN_PLACE
/// is an error.
///
/// Buffers belong to the library until the operation is complete for the caller; siblings in the
/// process read send buffers directly. In a process, nobody's operation completes before all of its
/// endpoints have called.
///
/// Non-blocking functions only begin: EP_Test, EP_Wait and the like complete, in any order; every
/// test and wait of any endpoint of the process drives all that are under way. Datatypes may be
/// freed at once, count and displacement arrays and user-defined operations must stay. A blocking
/// call does not match a non-blocking one.
///
/// Errors: EP_ERR_ROOT, EP_ERR_COUNT, EP_ERR_TYPE, EP_ERR_BUFFER, EP_ERR_ARG, EP_ERR_OP before
/// anything is sent. Where the counts of two endpoints do not match, the receiver's process learns
/// it: EP_ERR_TRUNCATE when more comes than fits (the rest of the buffer stays untouched),
/// EP_ERR_COUNT when less. EP_ERR_OTHER when endpoints of a process call different functions.
#ifndef EP_COLLECTIVES_H
#define EP_COLLECTIVES_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// Movement of data. Blocks between endpoints of one process are copied once, those between two
// processes travel as one message.

int EP_Barrier(EP_Comm comm);
int EP_Bcast(void* buf, int count, MPI_Datatype type, int root, EP_Comm comm);
int EP_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              int recvcount, MPI_Datatype recvtype, int root, EP_Comm comm);
int EP_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
               const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
               EP_Comm comm);
int EP_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
               int recvcount, MPI_Datatype recvtype, int root, EP_Comm comm);
int EP_Scatterv(const void* sendbuf, const int sendcounts[], const int displs[],
                MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                int root, EP_Comm comm);
int EP_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, EP_Comm comm);
int EP_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  const int recvcounts[], const int displs[], MPI_Datatype recvtype, EP_Comm comm);
int EP_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                int recvcount, MPI_Datatype recvtype, EP_Comm comm);
int EP_Alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                 MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[],
                 MPI_Datatype recvtype, EP_Comm comm);
int EP_Alltoallw(const void* sendbuf, const int sendcounts[], const int sdispls[],
                 const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                 const int rdispls[], const MPI_Datatype recvtypes[], EP_Comm comm);

int EP_Ibarrier(EP_Comm comm, EP_Request* request);
int EP_Ibcast(void* buf, int count, MPI_Datatype type, int root, EP_Comm comm, EP_Request* request);
int EP_Igather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
               int recvcount, MPI_Datatype recvtype, int root, EP_Comm comm, EP_Request* request);
int EP_Igatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                EP_Comm comm, EP_Request* request);
int EP_Iscatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                int recvcount, MPI_Datatype recvtype, int root, EP_Comm comm, EP_Request* request);
int EP_Iscatterv(const void* sendbuf, const int sendcounts[], const int displs[],
                 MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                 int root, EP_Comm comm, EP_Request* request);
int EP_Iallgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, EP_Comm comm, EP_Request* request);
int EP_Iallgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   const int recvcounts[], const int displs[], MPI_Datatype recvtype, EP_Comm comm,
                   EP_Request* request);
int EP_Ialltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, EP_Comm comm, EP_Request* request);
int EP_Ialltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                  MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[],
                  MPI_Datatype recvtype, EP_Comm comm, EP_Request* request);
int EP_Ialltoallw(const void* sendbuf, const int sendcounts[], const int sdispls[],
                  const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                  const int rdispls[], const MPI_Datatype recvtypes[], EP_Comm comm,
                  EP_Request* request);

// Reductions. `op` is any operation of MPI, `type` any type it takes.
//
// Sums and products of floating-point numbers, and operations of the program, associate along a
// fixed binary tree over ranks (ep_reduction=ordered, the default): no placement, number of
// processes or algorithm changes a bit. With the info key or environment variable
// ep_reduction=fast (EP_REDUCTION=fast), commutative ones are combined per process first. Scans
// associate by ranks only, too. User functions may be called by any thread of the process that
// waits or tests, and on parts of the buffer.

int EP_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, int root,
              EP_Comm comm);
int EP_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                 EP_Comm comm);
int EP_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[], MPI_Datatype type,
                      MPI_Op op, EP_Comm comm);
int EP_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype type,
                            MPI_Op op, EP_Comm comm);
int EP_Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
            EP_Comm comm);
int EP_Exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
              EP_Comm comm);

int EP_Ireduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
               int root, EP_Comm comm, EP_Request* request);
int EP_Iallreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                  EP_Comm comm, EP_Request* request);
int EP_Ireduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                       MPI_Datatype type, MPI_Op op, EP_Comm comm, EP_Request* request);
int EP_Ireduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype type,
                             MPI_Op op, EP_Comm comm, EP_Request* request);
int EP_Iscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
             EP_Comm comm, EP_Request* request);
int EP_Iexscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
               EP_Comm comm, EP_Request* request);

/// inoutbuf[i] = inbuf[i] op inoutbuf[i]. Local; any thread.
int EP_Reduce_local(const void* inbuf, void* inoutbuf, int count, MPI_Datatype type, MPI_Op op);
/// Local; any thread.
int EP_Op_commutative(MPI_Op op, int* commute);

// Neighbourhoods: with the neighbours of the communicator's topology, in its order; of several
// edges between two ranks the k-th of one end meets the k-th of the other. EP_ERR_TOPOLOGY without
// a topology.

int EP_Neighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                          int recvcount, MPI_Datatype recvtype, EP_Comm comm);
int EP_Neighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                           EP_Comm comm);
int EP_Neighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         int recvcount, MPI_Datatype recvtype, EP_Comm comm);
int EP_Neighbor_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                          MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                          const int rdispls[], MPI_Datatype recvtype, EP_Comm comm);
int EP_Neighbor_alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                          const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                          const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], EP_Comm comm);

int EP_Ineighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           int recvcount, MPI_Datatype recvtype, EP_Comm comm, EP_Request* request);
int EP_Ineighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                            void* recvbuf, const int recvcounts[], const int displs[],
                            MPI_Datatype recvtype, EP_Comm comm, EP_Request* request);
int EP_Ineighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                          int recvcount, MPI_Datatype recvtype, EP_Comm comm, EP_Request* request);
int EP_Ineighbor_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                           MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                           const int rdispls[], MPI_Datatype recvtype, EP_Comm comm,
                           EP_Request* request);
int EP_Ineighbor_alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                           const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                           const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], EP_Comm comm,
                           EP_Request* request);

#ifdef __cplusplus
}
#endif

#endif
