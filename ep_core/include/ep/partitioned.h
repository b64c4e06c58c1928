/// @file
/// Partitioned communication: one message that several threads fill, partition by partition;
/// included by <ep/ep.h>.
///
/// EP_Psend_init and EP_Precv_init create persistent requests for a message of `partitions`
/// partitions of `count` elements each, one after the other. The two ends may divide the message
/// differently if the total size is the same. Requests match once, in the order in which they were
/// created for a communicator, source, destination and tag; wildcards are not allowed, and they
/// match no other messages. After EP_Start the sender may mark partitions, and partitions may
/// arrive at the receiver; the n-th start of one end belongs to the n-th start of the other.
/// EP_Wait and its variants complete the operation as with any persistent request: the sender's
/// when all partitions are marked and have left, the receiver's when all have arrived.
///
/// The thread that marks a partition also moves it: threads of one process copy at the same time,
/// directly from the sender's memory into the receiver's. MPI-4.0, chapter 4.
#ifndef EP_PARTITIONED_H
#define EP_PARTITIONED_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Creates a request to send. The buffer belongs to the program between completion and the next
/// start, and each partition until it is marked. Datatypes may be freed at once. Fails with
/// EP_ERR_ARG if `partitions` is not positive, and otherwise as EP_Send_init does. Ignores `info`.
/// Local; never waits. 4.2.1.
int EP_Psend_init(const void* buf, int partitions, MPI_Count count, MPI_Datatype type, int dest,
                  int tag, EP_Comm comm, MPI_Info info, EP_Request* request);
/// Creates a request to receive. If the message has another size, the call that completes the
/// request fails with EP_ERR_TRUNCATE or EP_ERR_COUNT. Fails with EP_ERR_RANK for EP_ANY_SOURCE and
/// with EP_ERR_TAG for EP_ANY_TAG. Local. 4.2.1.
int EP_Precv_init(void* buf, int partitions, MPI_Count count, MPI_Datatype type, int source,
                  int tag, EP_Comm comm, MPI_Info info, EP_Request* request);
/// Marks a partition as ready: the library may send it, and owns it until the send is complete.
/// Fails with EP_ERR_ARG for a partition that does not exist or is marked already, and with
/// EP_ERR_REQUEST if the request does not come from EP_Psend_init or is not active. Any thread;
/// several threads may mark partitions of one request at the same time. 4.2.2.
int EP_Pready(int partition, EP_Request request);
/// Marks the partitions `first` to `last`, both included, as EP_Pready does. 4.2.2.
int EP_Pready_range(int first, int last, EP_Request request);
/// Marks `count` partitions, as EP_Pready does. 4.2.2.
int EP_Pready_list(int count, const int partitions[], EP_Request request);
/// Sets `*flag` to 1 if a partition of the receiver has arrived completely and may be read, also if
/// the request is not active. Drives communication. Fails with EP_ERR_ARG for a partition that does
/// not exist, and with EP_ERR_REQUEST if the request does not come from EP_Precv_init. Any thread;
/// several threads may ask about one request at the same time. 4.2.2.
int EP_Parrived(EP_Request request, int partition, int* flag);

#ifdef __cplusplus
}
#endif

#endif
