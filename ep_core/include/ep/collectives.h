/// @file
/// Collective operations of endpoints; included by <ep/ep.h>.
///
/// Every function has the arguments and the meaning of its MPI-3.1 namesake; the section number
/// follows its description. All but EP_Reduce_local and EP_Op_commutative are collective over the
/// communicator: every endpoint calls once, one thread at a time for each, all in the same order.
/// Threads may be in collectives of different communicators at the same time. On an
/// intercommunicator data goes from one group to the other (5.2.2), roots are EP_ROOT, EP_PROC_NULL
/// or a rank of the other group, and EP_IN_PLACE is an error.
///
/// Buffers belong to the library until the operation is complete for the caller; siblings in the
/// process read send buffers directly. No operation completes in a process before all endpoints of
/// the process have called. The buffers of one call must not overlap.
///
/// Non-blocking functions only begin an operation; EP_Test, EP_Wait and their kind complete it, in
/// any order. Every test and wait of any endpoint of the process drives all operations under way.
/// Datatypes may be freed at once; arrays of counts and displacements and user-defined operations
/// must stay. A blocking call does not match a non-blocking one. Collective operations cannot be
/// cancelled. 5.12.
///
/// Errors: EP_ERR_ROOT, EP_ERR_COUNT, EP_ERR_TYPE, EP_ERR_BUFFER, EP_ERR_ARG and EP_ERR_OP (also
/// for an operation that MPI does not have for the datatype, 5.9.2) are found before anything is
/// sent. Where the counts of two endpoints do not match, the receiver's process reports it:
/// EP_ERR_TRUNCATE if more comes than fits (nothing is written beyond the buffer), EP_ERR_COUNT if
/// less comes. A process that knows of an error sends it instead of data, so that every endpoint
/// that would have received this data gets the error. EP_ERR_OTHER means that endpoints of a
/// process call different functions. Errors go to the handler of the calling endpoint, in the call
/// that completes the operation.
#ifndef EP_COLLECTIVES_H
#define EP_COLLECTIVES_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// Movement of data. Blocks between endpoints of one process are copied once, those between two
// processes travel as one message.

/// Returns after all endpoints have called; on an intercommunicator, after all of the other group
/// have. 5.3.
int EP_Barrier(EP_Comm comm);
/// Copies the root's buffer to all endpoints. 5.4.
int EP_Bcast(void* buf, int count, MPI_Datatype type, int root, EP_Comm comm);
/// Collects a block of every endpoint at the root, by rank; receive arguments matter there only.
/// 5.5.
int EP_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              int recvcount, MPI_Datatype recvtype, int root, EP_Comm comm);
/// Does the same with a count and a displacement, in extents of `recvtype`, per rank. 5.5.
int EP_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
               const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
               EP_Comm comm);
/// Distributes the root's blocks to all endpoints, by rank; send arguments matter at the root only.
/// 5.6.
int EP_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
               int recvcount, MPI_Datatype recvtype, int root, EP_Comm comm);
/// Does the same with a count and a displacement per rank. 5.6.
int EP_Scatterv(const void* sendbuf, const int sendcounts[], const int displs[],
                MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                int root, EP_Comm comm);
/// Collects a block of every endpoint at every endpoint, by rank. 5.7.
int EP_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, EP_Comm comm);
/// Does the same with a count and a displacement per rank. 5.7.
int EP_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  const int recvcounts[], const int displs[], MPI_Datatype recvtype, EP_Comm comm);
/// Sends block j of rank i to rank j, where it becomes block i. 5.8.
int EP_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                int recvcount, MPI_Datatype recvtype, EP_Comm comm);
/// Does the same with counts and displacements per rank. 5.8.
int EP_Alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                 MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[],
                 MPI_Datatype recvtype, EP_Comm comm);
/// Does the same with datatypes per rank and displacements in bytes. 5.8.
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

// Between processes, the algorithm of a collective is the cheapest in a model of costs (EP_COSTS),
// or the one that the info key ep_algorithm or EP_ALGORITHM_<COLLECTIVE> names.

// Reductions. `op` is any operation of MPI, `type` any type it takes.
//
// Sums and products of floating-point numbers, and operations of the program, associate along a
// fixed binary tree over ranks (ep_reduction=ordered, the default): no placement, number of
// processes or algorithm changes a bit. With the info key or environment variable
// ep_reduction=fast (EP_REDUCTION=fast), commutative ones are combined per process first. Scans
// associate by ranks only, too. User functions may be called by any thread of the process that
// waits or tests, and on parts of the buffer. With EP_IN_PLACE for `sendbuf` (at the root of
// EP_Reduce, at all of the others) the operand is in `recvbuf`.

/// Combines the elements of all endpoints one by one; the root gets the result. 5.9.1.
int EP_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, int root,
              EP_Comm comm);
/// Does the same; every endpoint gets the result. 5.9.6.
int EP_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                 EP_Comm comm);
/// Does the same; rank i gets the i-th block of the result, of recvcounts[i] elements. 5.10.2.
int EP_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[], MPI_Datatype type,
                      MPI_Op op, EP_Comm comm);
/// Does the same with blocks of `recvcount` elements. 5.10.1.
int EP_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype type,
                            MPI_Op op, EP_Comm comm);
/// Gives rank i the combination of ranks 0 to i. EP_ERR_COMM for intercommunicators. 5.11.1.
int EP_Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
            EP_Comm comm);
/// Gives rank i the combination of ranks 0 to i - 1; rank 0's buffer stays as it is. EP_ERR_COMM
/// for intercommunicators. 5.11.2.
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
/// Tells whether MPI knows, or has been told, that the order of operands does not matter. EP_ERR_OP
/// for MPI_OP_NULL. Local; any thread. 5.9.7.
int EP_Op_commutative(MPI_Op op, int* commute);

// Neighbourhoods: with the neighbours of the communicator's topology, in its order: sources and
// destinations of a distributed graph, neighbours of a graph, of a grid for each dimension the
// lower and the upper one (EP_PROC_NULL beyond a border: that block stays as it is). What a rank of
// a grid sends to its upper neighbour arrives there as the lower one's, also where both are one
// rank (MPI-4.0, B.1.1). Of several edges between two ranks of a graph the k-th of one end meets
// the k-th of the other. Collective over the whole communicator. EP_ERR_TOPOLOGY without a
// topology, EP_IN_PLACE is an error.

/// Sends the same block to every destination; block i comes from source i. 7.6.1.
int EP_Neighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                          int recvcount, MPI_Datatype recvtype, EP_Comm comm);
/// Does the same with a count and a displacement per source. 7.6.1.
int EP_Neighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                           EP_Comm comm);
/// Sends block j to destination j; block i comes from source i. 7.6.2.
int EP_Neighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         int recvcount, MPI_Datatype recvtype, EP_Comm comm);
/// Does the same with counts and displacements per neighbour. 7.6.2.
int EP_Neighbor_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                          MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                          const int rdispls[], MPI_Datatype recvtype, EP_Comm comm);
/// Does the same with datatypes per neighbour and displacements in bytes. 7.6.2.
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
