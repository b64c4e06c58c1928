/// @file
/// Point-to-point communication, requests, statuses, packing; included by <ep/ep.h>.
///
/// The following holds for each function here, unless its description says otherwise:
/// - It concerns the calling endpoint alone; none is collective.
/// - Any thread that the endpoint's thread level allows may call it; with MPI_THREAD_MULTIPLE,
///   several threads at the same time. One thread at a time uses a request or a message. While a
///   function blocks, it drives all communication of the process.
/// - A buffer belongs to the library from the start of an operation to its completion: the program
///   may read it during a send, and must not touch it during a receive. The datatype may be freed
///   at once.
/// - The library finds these errors before it sends anything: EP_ERR_COMM, EP_ERR_COUNT (negative),
///   EP_ERR_TYPE, EP_ERR_BUFFER (null with elements), EP_ERR_RANK, EP_ERR_TAG (negative; EP_ANY_TAG
///   is for receives and probes), EP_ERR_REQUEST for an unknown request or message, EP_ERR_ARG for
///   a null pointer to a result. They go to the handler of the communicator argument, or of the
///   communicator that the request or message came from.
/// - An operation with EP_PROC_NULL as the other end is complete at once and moves nothing (3.11).
///   Every status argument may be EP_STATUS_IGNORE or EP_STATUSES_IGNORE.
///
/// Numbers after functions are sections of MPI-3.1.
#ifndef EP_P2P_H
#define EP_P2P_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// Sends. A send is complete when its buffer may be reused. Within a process, a standard send of up
// to 16 KiB is complete at once. Messages from one endpoint to another do not overtake each other
// (3.5).

/// Sends and blocks until the buffer may be reused (standard mode). 3.2.1.
int EP_Send(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm);
/// Sends in synchronous mode: returns when the matching receive has begun. 3.4.
int EP_Ssend(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm);
/// Sends in buffered mode: packs the message into the attached buffer and returns at once. Fails
/// with EP_ERR_BUFFER if the message does not fit beside those that still wait there. 3.4.
int EP_Bsend(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm);
/// Sends in ready mode, for which the matching receive must have been posted. Behaves as EP_Send.
/// 3.4.
int EP_Rsend(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm);
/// Begins a standard send. 3.7.2.
int EP_Isend(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
             EP_Request* request);
/// Begins a synchronous send. 3.7.2.
int EP_Issend(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
              EP_Request* request);
/// Begins a buffered send, which is complete at once. Fails as EP_Bsend does. 3.7.2.
int EP_Ibsend(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
              EP_Request* request);
/// Begins a ready send. 3.7.2.
int EP_Irsend(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
              EP_Request* request);

/// Gives the calling thread's endpoint `size` bytes for its buffered sends; threads attached to no
/// endpoint share one buffer. Each message takes EP_BSEND_OVERHEAD bytes more than EP_Pack_size
/// returns. Fails with EP_ERR_BUFFER if a buffer is attached already. The buffer belongs to the
/// library until it is detached. Any thread. 3.6.
int EP_Buffer_attach(void* buffer, int size);
/// Blocks until all messages in the buffer have left, then returns its address and size;
/// `buffer_address` points to a pointer. Any thread. 3.6.
int EP_Buffer_detach(void* buffer_address, int* size);

// Receives and probes. `source` may be EP_ANY_SOURCE, `tag` EP_ANY_TAG. A receive fails with
// EP_ERR_TRUNCATE if the message is longer than the buffer: the buffer is filled, nothing behind it
// is touched, and the status has the length that was sent. It fails with EP_ERR_TYPE if
// ep_check_types is set and the datatypes differ (see EP_Comm_create_endpoints).

/// Blocks until a message has been received. 3.2.4.
int EP_Recv(void* buf, int count, MPI_Datatype type, int source, int tag, EP_Comm comm,
            EP_Status* status);
/// Begins a receive. 3.7.2.
int EP_Irecv(void* buf, int count, MPI_Datatype type, int source, int tag, EP_Comm comm,
             EP_Request* request);
/// Blocks until a message can be received, and leaves it in place; `status` describes it. 3.8.1.
int EP_Probe(int source, int tag, EP_Comm comm, EP_Status* status);
/// Sets `*flag` to 1 if a message can be received, else to 0. Drives communication and does not
/// wait. 3.8.1.
int EP_Iprobe(int source, int tag, EP_Comm comm, int* flag, EP_Status* status);
/// Blocks until a message can be received, and takes it out of its queue: only EP_Mrecv or
/// EP_Imrecv with this handle can receive it. 3.8.2.
int EP_Mprobe(int source, int tag, EP_Comm comm, EP_Message* message, EP_Status* status);
/// Does what EP_Mprobe does, without waiting. If there is no message, sets `*flag` to 0 and
/// `*message` to EP_MESSAGE_NULL. 3.8.2.
int EP_Improbe(int source, int tag, EP_Comm comm, int* flag, EP_Message* message,
               EP_Status* status);
/// Receives the message of a matched probe and sets `*message` to EP_MESSAGE_NULL. Blocks until the
/// message is there. Fails with EP_ERR_REQUEST for an unknown handle. 3.8.3.
int EP_Mrecv(void* buf, int count, MPI_Datatype type, EP_Message* message, EP_Status* status);
/// Begins to receive the message of a matched probe. 3.8.3.
int EP_Imrecv(void* buf, int count, MPI_Datatype type, EP_Message* message, EP_Request* request);

/// Sends and receives at the same time, and blocks until both are complete. The buffers must be
/// disjoint. 3.10.
int EP_Sendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                void* recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
                EP_Comm comm, EP_Status* status);
/// Sends from and receives into one buffer, which holds the received message afterwards. 3.10.
int EP_Sendrecv_replace(void* buf, int count, MPI_Datatype type, int dest, int sendtag, int source,
                        int recvtag, EP_Comm comm, EP_Status* status);

/// Begins both halves of EP_Sendrecv; the request is complete when both halves are, and its status
/// is that of the received message. EP_Cancel has no effect on it. MPI-4.0, 3.10.
int EP_Isendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                 void* recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
                 EP_Comm comm, EP_Request* request);
/// Begins EP_Sendrecv_replace, after it has copied the data to send. MPI-4.0, 3.10.
int EP_Isendrecv_replace(void* buf, int count, MPI_Datatype type, int dest, int sendtag, int source,
                         int recvtag, EP_Comm comm, EP_Request* request);

// Persistent requests. A request is inactive until EP_Start and again after completion; it exists
// until EP_Request_free. The buffer belongs to the library while the request is active. 3.9.

/// Creates a persistent request for a standard send.
int EP_Send_init(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
                 EP_Request* request);
/// Creates a persistent request for a synchronous send.
int EP_Ssend_init(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
                  EP_Request* request);
/// Creates a persistent request for a buffered send.
int EP_Bsend_init(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
                  EP_Request* request);
/// Creates a persistent request for a ready send.
int EP_Rsend_init(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
                  EP_Request* request);
/// Creates a persistent request for a receive.
int EP_Recv_init(void* buf, int count, MPI_Datatype type, int source, int tag, EP_Comm comm,
                 EP_Request* request);
/// Begins the operation of an inactive request. Fails as the non-blocking call does, and with
/// EP_ERR_REQUEST if the request is active or not persistent.
int EP_Start(EP_Request* request);
/// Begins the operations of several requests, in the order of the array. Begins none if one of them
/// cannot be started.
int EP_Startall(int count, EP_Request requests[]);

// Completion. A null or inactive request is complete, with an empty status. Requests of several
// endpoints of this process may be mixed, as long as no two threads use one request. The function
// that completes a failed operation returns its error code. Functions with several statuses call
// the error handler of each failed request's communicator, put the codes into the statuses and
// return EP_ERR_IN_STATUS. Only these functions set EP_ERROR, in all statuses that they fill; every
// other function leaves it unchanged. Tests drive communication, too.

/// Sets `*flag` to 1 if the operation is complete, else to 0. A complete request is freed and set
/// to EP_REQUEST_NULL, or becomes inactive if it is persistent. 3.7.3.
int EP_Test(EP_Request* request, int* flag, EP_Status* status);
/// Blocks until the operation is complete, then frees or deactivates the request as EP_Test does.
/// 3.7.3.
int EP_Wait(EP_Request* request, EP_Status* status);
/// Completes all requests if all their operations are complete, otherwise none; `*flag` is 1 or 0.
/// 3.7.5.
int EP_Testall(int count, EP_Request requests[], int* flag, EP_Status statuses[]);
/// Blocks until all operations are complete, and completes their requests. 3.7.5.
int EP_Waitall(int count, EP_Request requests[], EP_Status statuses[]);
/// Completes one request if the operation of any is complete; `*index` is its place in the array.
/// If no request is active, `*flag` is 1 and `*index` EP_UNDEFINED. 3.7.5.
int EP_Testany(int count, EP_Request requests[], int* index, int* flag, EP_Status* status);
/// Blocks until any operation is complete, and completes its request; sets `*index` as EP_Testany
/// does. 3.7.5.
int EP_Waitany(int count, EP_Request requests[], int* index, EP_Status* status);
/// Completes all requests whose operations are complete; `*outcount` is their number, or
/// EP_UNDEFINED if no request is active. 3.7.5.
int EP_Testsome(int incount, EP_Request requests[], int* outcount, int indices[],
                EP_Status statuses[]);
/// Blocks until at least one operation is complete, then does what EP_Testsome does. 3.7.5.
int EP_Waitsome(int incount, EP_Request requests[], int* outcount, int indices[],
                EP_Status statuses[]);
/// Returns the same flag and status as EP_Test, but leaves a complete request as it is. 3.7.6.
int EP_Request_get_status(EP_Request request, int* flag, EP_Status* status);
/// Frees the handle. A pending operation goes on, and its buffer belongs to the library until the
/// program knows by other means that it is complete. 3.7.3.
int EP_Request_free(EP_Request* request);
/// Cancels a receive that nothing has matched, or a send that still waits in this process; other
/// sends go on. The request must be completed in either case, and EP_Test_cancelled of its status
/// tells the outcome. Fails with EP_ERR_REQUEST if the request is not active. 3.8.4.
int EP_Cancel(EP_Request* request);
/// Sets `*flag` to 1 if the operation of this status was cancelled, else to 0. 3.8.4.
int EP_Test_cancelled(const EP_Status* status, int* flag);

// Generalized requests: operations that the program performs and completes. The thread that tests,
// waits, frees or cancels calls the functions; the code that they return is the result of that
// call. 12.2.

/// Function type that fills the status of a completed operation.
typedef int EP_Grequest_query_function(void* extra_state, EP_Status* status);
/// Function type that the library calls once, when it frees the request.
typedef int EP_Grequest_free_function(void* extra_state);
/// Function type that EP_Cancel calls; `complete` is 1 if EP_Grequest_complete has been called.
typedef int EP_Grequest_cancel_function(void* extra_state, int complete);
/// Creates an active generalized request. Fails with EP_ERR_ARG if a function is a null pointer.
int EP_Grequest_start(EP_Grequest_query_function* query, EP_Grequest_free_function* free,
                      EP_Grequest_cancel_function* cancel, void* extra_state, EP_Request* request);
/// Marks the operation as complete and wakes its waiters. Any thread. Fails with EP_ERR_REQUEST for
/// a request of another kind.
int EP_Grequest_complete(EP_Request request);

// Statuses. Any thread may call these functions. They fail with EP_ERR_ARG for a null status and
// with EP_ERR_COUNT for a negative count.

/// Returns the number of received elements of `type`, or EP_UNDEFINED if it is not a whole number
/// or exceeds an int. 3.2.5.
int EP_Get_count(const EP_Status* status, MPI_Datatype type, int* count);
/// Returns the number of received elements of predefined datatypes, including those of an
/// incomplete last element of `type`; EP_UNDEFINED if the last of them is incomplete or the number
/// exceeds an int. 4.1.11.
int EP_Get_elements(const EP_Status* status, MPI_Datatype type, int* count);
/// Does what EP_Get_elements does, for numbers that exceed an int. 4.1.11.
int EP_Get_elements_x(const EP_Status* status, MPI_Datatype type, MPI_Count* count);
/// Sets the number of received elements of predefined datatypes in `type` that EP_Get_elements
/// returns for `status`. 12.3.
int EP_Status_set_elements(EP_Status* status, MPI_Datatype type, int count);
/// Does what EP_Status_set_elements does, for numbers that exceed an int. 12.3.
int EP_Status_set_elements_x(EP_Status* status, MPI_Datatype type, MPI_Count count);
/// Makes EP_Test_cancelled return `flag` for `status`. 12.3.
int EP_Status_set_cancelled(EP_Status* status, int flag);

// Packing. Any thread may call these functions; errors go to the handler of `comm`. Packed data may
// be sent and received as MPI_PACKED, and received with the datatype that it had before. A position
// outside the buffer fails with EP_ERR_ARG. The buffers may be reused when the call returns.

/// Packs elements at byte `*position` of `outbuf` and advances it. Fails with EP_ERR_TRUNCATE if
/// they do not fit into `outsize` bytes. 4.2.
int EP_Pack(const void* inbuf, int incount, MPI_Datatype type, void* outbuf, int outsize,
            int* position, EP_Comm comm);
/// Unpacks elements from byte `*position` of `inbuf` on and advances it. Fails with EP_ERR_TRUNCATE
/// if the data ends too early. 4.2.
int EP_Unpack(const void* inbuf, int insize, int* position, void* outbuf, int outcount,
              MPI_Datatype type, EP_Comm comm);
/// Returns the number of bytes that EP_Pack needs. Fails with EP_ERR_COUNT if it exceeds an int.
/// 4.2.
int EP_Pack_size(int incount, MPI_Datatype type, EP_Comm comm, int* size);
/// Packs as EP_Pack does, in the portable `representation` "external32". Returns MPI's error codes.
/// 4.3.
int EP_Pack_external(const char* representation, const void* inbuf, int incount, MPI_Datatype type,
                     void* outbuf, MPI_Aint outsize, MPI_Aint* position);
/// Unpacks data that EP_Pack_external packed. 4.3.
int EP_Unpack_external(const char* representation, const void* inbuf, MPI_Aint insize,
                       MPI_Aint* position, void* outbuf, int outcount, MPI_Datatype type);
/// Returns the number of bytes that EP_Pack_external needs. 4.3.
int EP_Pack_external_size(const char* representation, int incount, MPI_Datatype type,
                          MPI_Aint* size);

#ifdef __cplusplus
}
#endif

#endif
