/// @file
/// Partitioned communication: one message that several threads fill, partition by partition;
/// included by <ep/ep.h>.
///
/// EP_Psend_init and EP_Precv_init make persistent requests for a message of `partitions`
/// partitions of `count` elements each, one behind the other; the two ends may divide the message
/// differently, as long as it has the same size. They match in the order in which they were made
/// for one communicator, source, destination and tag, neither by wildcards nor with other messages,
/// and stay together. EP_Start begins: at the sender, partitions may be marked from then on; at the
/// receiver, they may arrive. The n-th start of one end belongs to the n-th of the other. EP_Wait
/// and its kind complete, as with any persistent request: the sender's when all partitions are
/// marked and have left, the receiver's when all have arrived.
///
/// A partition moves when it is marked, by the thread that marks it: threads of one process copy at
/// the same time, straight from the sender's memory into the receiver's. MPI-4.0, chapter 4.
#ifndef EP_PARTITIONED_H
#define EP_PARTITIONED_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Makes a request to send. The buffer is the program's between completion and start, and each
/// partition until it is marked. Datatypes may be freed at once. EP_ERR_ARG if `partitions` is not
/// positive, other errors as of EP_Send_init. Knows no hints. Local, never waits. 4.2.1.
int EP_Psend_init(const void* buf, int partitions, MPI_Count count, MPI_Datatype type, int dest,
                  int tag, EP_Comm comm, MPI_Info info, EP_Request* request);
/// Makes a request to receive. A message of another size is an error of the wait, EP_ERR_TRUNCATE
/// or EP_ERR_COUNT. EP_ERR_RANK for EP_ANY_SOURCE, EP_ERR_TAG for EP_ANY_TAG. Local. 4.2.1.
int EP_Precv_init(void* buf, int partitions, MPI_Count count, MPI_Datatype type, int source,
                  int tag, EP_Comm comm, MPI_Info info, EP_Request* request);
/// Marks a partition as filled: it may be sent, and is the library's until the send is complete.
/// EP_ERR_ARG for a partition that does not exist or is marked already, EP_ERR_REQUEST if the
/// request is not of EP_Psend_init or not active. Any thread, several at a time for one request.
/// 4.2.2.
int EP_Pready(int partition, EP_Request request);
/// Marks the partitions from `first` to `last`, both included. 4.2.2.
int EP_Pready_range(int first, int last, EP_Request request);
/// Marks `count` partitions. 4.2.2.
int EP_Pready_list(int count, const int partitions[], EP_Request request);
/// Tells whether all of a partition of the receiver has arrived and may be read. Also true if the
/// request is not active. Drives communication. EP_ERR_ARG for a partition that does not exist,
/// EP_ERR_REQUEST if the request is not of EP_Precv_init. Any thread, several at a time for one
/// request. 4.2.2.
int EP_Parrived(EP_Request request, int partition, int* flag);

#ifdef __cplusplus
}
#endif

#endif
