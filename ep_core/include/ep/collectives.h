/// @file
/// Collective operations of endpoints; included by <ep/ep.h>.
///
/// Every function has the arguments and the meaning of its MPI-3.1 namesake; the section number
/// follows its description. All but EP_Reduce_local and EP_Op_commutative are collective over the
/// communicator: every endpoint calls once, by one thread at a time, and all endpoints call in the
/// same order. Threads may take part in collectives of different communicators at the same time. On
/// an intercommunicator, data moves from one group to the other (5.2.2), the root is EP_ROOT,
/// EP_PROC_NULL or a rank of the other group, and EP_IN_PLACE is an error.
///
/// Buffers belong to the library until the operation is complete for the caller; other endpoints of
/// the process read send buffers directly. No operation completes in a process before all endpoints
/// of that process have called. The buffers of one call must not overlap.
///
/// Non-blocking functions only begin an operation; EP_Test, EP_Wait and their variants complete it,
/// in any order. Every test and wait of any endpoint drives all pending operations of the process.
/// Datatypes may be freed at once; arrays of counts and displacements and user-defined operations
/// must stay valid until completion. A blocking call does not match a non-blocking one. Collective
/// operations cannot be cancelled. 5.12.
///
/// Errors: EP_ERR_ROOT, EP_ERR_COUNT, EP_ERR_TYPE, EP_ERR_BUFFER, EP_ERR_ARG and EP_ERR_OP (also
/// for an operation that MPI does not define for the datatype, 5.9.2) are found before anything is
/// sent. If the counts of two endpoints do not match, the receiver's process reports
/// EP_ERR_TRUNCATE for too much data (nothing is written beyond the buffer) or EP_ERR_COUNT for too
/// little. A process that knows of an error sends it instead of data, so that every endpoint that
/// would have received this data gets the error. EP_ERR_OTHER means that endpoints of one process
/// have called different functions. Errors go to the handler of the calling endpoint, in the call
/// that completes the operation.
#ifndef EP_COLLECTIVES_H
#define EP_COLLECTIVES_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// Data movement. Blocks between endpoints of one process are copied once; all blocks between two
// processes travel as one message.

/// Waits until all endpoints have called; on an intercommunicator, all endpoints of the other
/// group. 5.3.
int EP_Barrier(EP_Comm comm);
/// Copies the root's buffer to all endpoints. 5.4.
int EP_Bcast(void* buf, int count, MPI_Datatype type, int root, EP_Comm comm);
/// Gathers one block of every endpoint at the root, in rank order. The receive arguments are
/// significant at the root only. 5.5.
int EP_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              int recvcount, MPI_Datatype recvtype, int root, EP_Comm comm);
/// Gathers blocks of different sizes at the root, with one count and one displacement per rank;
/// displacements count extents of `recvtype`. 5.5.
int EP_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
               const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
               EP_Comm comm);
/// Scatters the root's blocks to all endpoints, in rank order. The send arguments are significant
/// at the root only. 5.6.
int EP_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
               int recvcount, MPI_Datatype recvtype, int root, EP_Comm comm);
/// Scatters blocks of different sizes, with one count and one displacement per rank; displacements
/// count extents of `sendtype`. 5.6.
int EP_Scatterv(const void* sendbuf, const int sendcounts[], const int displs[],
                MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                int root, EP_Comm comm);
/// Gathers one block of every endpoint at every endpoint, in rank order. 5.7.
int EP_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, EP_Comm comm);
/// Gathers blocks of different sizes at every endpoint, with one count and one displacement per
/// rank; displacements count extents of `recvtype`. 5.7.
int EP_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  const int recvcounts[], const int displs[], MPI_Datatype recvtype, EP_Comm comm);
/// Sends block j of rank i to rank j, where it becomes block i. 5.8.
int EP_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                int recvcount, MPI_Datatype recvtype, EP_Comm comm);
/// Does what EP_Alltoall does, with one count and one displacement per rank; displacements count
/// extents of the datatype. 5.8.
int EP_Alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                 MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[],
                 MPI_Datatype recvtype, EP_Comm comm);
/// Does what EP_Alltoallv does, with one datatype per rank and displacements in bytes. 5.8.
int EP_Alltoallw(const void* sendbuf, const int sendcounts[], const int sdispls[],
                 const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                 const int rdispls[], const MPI_Datatype recvtypes[], EP_Comm comm);

/// Begins EP_Barrier. 5.12.
int EP_Ibarrier(EP_Comm comm, EP_Request* request);
/// Begins EP_Bcast. 5.12.
int EP_Ibcast(void* buf, int count, MPI_Datatype type, int root, EP_Comm comm, EP_Request* request);
/// Begins EP_Gather. 5.12.
int EP_Igather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
               int recvcount, MPI_Datatype recvtype, int root, EP_Comm comm, EP_Request* request);
/// Begins EP_Gatherv. 5.12.
int EP_Igatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                EP_Comm comm, EP_Request* request);
/// Begins EP_Scatter. 5.12.
int EP_Iscatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                int recvcount, MPI_Datatype recvtype, int root, EP_Comm comm, EP_Request* request);
/// Begins EP_Scatterv. 5.12.
int EP_Iscatterv(const void* sendbuf, const int sendcounts[], const int displs[],
                 MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                 int root, EP_Comm comm, EP_Request* request);
/// Begins EP_Allgather. 5.12.
int EP_Iallgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, EP_Comm comm, EP_Request* request);
/// Begins EP_Allgatherv. 5.12.
int EP_Iallgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   const int recvcounts[], const int displs[], MPI_Datatype recvtype, EP_Comm comm,
                   EP_Request* request);
/// Begins EP_Alltoall. 5.12.
int EP_Ialltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, EP_Comm comm, EP_Request* request);
/// Begins EP_Alltoallv. 5.12.
int EP_Ialltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                  MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[],
                  MPI_Datatype recvtype, EP_Comm comm, EP_Request* request);
/// Begins EP_Alltoallw. 5.12.
int EP_Ialltoallw(const void* sendbuf, const int sendcounts[], const int sdispls[],
                  const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                  const int rdispls[], const MPI_Datatype recvtypes[], EP_Comm comm,
                  EP_Request* request);

// Between processes, a collective uses the algorithm that is cheapest by the cost model (EP_COSTS),
// or the one that the info key ep_algorithm or EP_ALGORITHM_<COLLECTIVE> names.

// Reductions. `op` may be any MPI operation, and `type` any datatype that it accepts.
//
// Sums and products of floating-point numbers, and user-defined operations, associate along a fixed
// binary tree over ranks (ep_reduction=ordered, the default): neither placement nor number of
// processes nor algorithm changes a bit of the result. With the info key ep_reduction=fast or the
// environment variable EP_REDUCTION=fast, operands of commutative operations are combined per
// process first. Scans associate by ranks alone, too. Any thread of the process that waits or tests
// may call user-defined functions, and with parts of the buffer. If `sendbuf` is EP_IN_PLACE (at
// the root of EP_Reduce, at all endpoints in the others), the operand is in `recvbuf`.

/// Combines the operands of all endpoints element by element; the root gets the result. 5.9.1.
int EP_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, int root,
              EP_Comm comm);
/// Combines the operands of all endpoints element by element; every endpoint gets the result.
/// 5.9.6.
int EP_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                 EP_Comm comm);
/// Combines the operands of all endpoints element by element; rank i gets block i of the result,
/// which has recvcounts[i] elements. 5.10.2.
int EP_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[], MPI_Datatype type,
                      MPI_Op op, EP_Comm comm);
/// Does what EP_Reduce_scatter does, with blocks of `recvcount` elements for all ranks. 5.10.1.
int EP_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype type,
                            MPI_Op op, EP_Comm comm);
/// Gives rank i the combined operands of ranks 0 to i. Fails with EP_ERR_COMM for an
/// intercommunicator. 5.11.1.
int EP_Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
            EP_Comm comm);
/// Gives rank i the combined operands of ranks 0 to i - 1; the buffer of rank 0 is not changed.
/// Fails with EP_ERR_COMM for an intercommunicator. 5.11.2.
int EP_Exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
              EP_Comm comm);

/// Begins EP_Reduce. 5.12.
int EP_Ireduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
               int root, EP_Comm comm, EP_Request* request);
/// Begins EP_Allreduce. 5.12.
int EP_Iallreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                  EP_Comm comm, EP_Request* request);
/// Begins EP_Reduce_scatter. 5.12.
int EP_Ireduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                       MPI_Datatype type, MPI_Op op, EP_Comm comm, EP_Request* request);
/// Begins EP_Reduce_scatter_block. 5.12.
int EP_Ireduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype type,
                             MPI_Op op, EP_Comm comm, EP_Request* request);
/// Begins EP_Scan. 5.12.
int EP_Iscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
             EP_Comm comm, EP_Request* request);
/// Begins EP_Exscan. 5.12.
int EP_Iexscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
               EP_Comm comm, EP_Request* request);

/// Computes inoutbuf[i] = inbuf[i] op inoutbuf[i]. Local; any thread. 5.9.7.
int EP_Reduce_local(const void* inbuf, void* inoutbuf, int count, MPI_Datatype type, MPI_Op op);
/// Sets `*commute` to 1 if `op` is commutative: predefined as such, or created as such by the
/// program. Fails with EP_ERR_OP for MPI_OP_NULL. Local; any thread. 5.9.7.
int EP_Op_commutative(MPI_Op op, int* commute);

// Neighbourhood collectives exchange data with the neighbours of the communicator's topology, in
// its order: the sources and destinations of a distributed graph, the neighbours of a graph, or the
// lower and the upper neighbour in each dimension of a Cartesian grid. Beyond a border the
// neighbour is EP_PROC_NULL, and its block is not changed. Data that a rank of a grid sends to its
// upper neighbour arrives there as the lower neighbour's, also if both are one rank (MPI-4.0,
// B.1.1). If a graph has several edges between two ranks, the k-th edge of one end matches the k-th
// of the other. Collective over the whole communicator. These functions fail with EP_ERR_TOPOLOGY
// without a topology; EP_IN_PLACE is an error.

/// Sends the same block to every destination; block i comes from source i. 7.6.1.
int EP_Neighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                          int recvcount, MPI_Datatype recvtype, EP_Comm comm);
/// Does what EP_Neighbor_allgather does, with one count and one displacement per source. 7.6.1.
int EP_Neighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                           EP_Comm comm);
/// Sends block j to destination j; block i comes from source i. 7.6.2.
int EP_Neighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         int recvcount, MPI_Datatype recvtype, EP_Comm comm);
/// Does what EP_Neighbor_alltoall does, with one count and one displacement per neighbour. 7.6.2.
int EP_Neighbor_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                          MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                          const int rdispls[], MPI_Datatype recvtype, EP_Comm comm);
/// Does what EP_Neighbor_alltoallv does, with one datatype per neighbour and displacements in
/// bytes. 7.6.2.
int EP_Neighbor_alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                          const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                          const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], EP_Comm comm);

/// Begins EP_Neighbor_allgather. 7.7.
int EP_Ineighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           int recvcount, MPI_Datatype recvtype, EP_Comm comm, EP_Request* request);
/// Begins EP_Neighbor_allgatherv. 7.7.
int EP_Ineighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                            void* recvbuf, const int recvcounts[], const int displs[],
                            MPI_Datatype recvtype, EP_Comm comm, EP_Request* request);
/// Begins EP_Neighbor_alltoall. 7.7.
int EP_Ineighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                          int recvcount, MPI_Datatype recvtype, EP_Comm comm, EP_Request* request);
/// Begins EP_Neighbor_alltoallv. 7.7.
int EP_Ineighbor_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                           MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                           const int rdispls[], MPI_Datatype recvtype, EP_Comm comm,
                           EP_Request* request);
/// Begins EP_Neighbor_alltoallw. 7.7.
int EP_Ineighbor_alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                           const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                           const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], EP_Comm comm,
                           EP_Request* request);

#ifdef __cplusplus
}
#endif

#endif
