/// @file
/// Point-to-point communication, requests, statuses, packing; included by <ep/ep.h>.
///
/// The following holds for all functions here, unless one says otherwise:
/// - They concern the calling endpoint alone: none is collective.
/// - Any thread that the level of the endpoint allows may call; with MPI_THREAD_MULTIPLE, several
///   at the same time. One thread at a time uses a request or a message. Blocking functions drive
///   all communication of the process meanwhile.
/// - A buffer belongs to the library from the start of an operation to its completion: the program
///   may read it while a send is under way, and must not touch it while a receive is. The datatype
///   may be freed at once.
/// - Errors found before anything is sent: EP_ERR_COMM, EP_ERR_COUNT (negative), EP_ERR_TYPE,
///   EP_ERR_BUFFER (null with elements), EP_ERR_RANK, EP_ERR_TAG (negative; EP_ANY_TAG is for
///   receives and probes), EP_ERR_REQUEST for an unknown request or message, EP_ERR_ARG for a null
///   pointer to a result. They go to the handler of the communicator argument, or of the
///   communicator that the request or message came from.
/// - With EP_PROC_NULL as the other end an operation is complete at once and moves nothing (3.11).
///   EP_STATUS_IGNORE and EP_STATUSES_IGNORE are allowed for every status.
///
/// Numbers after functions are sections of MPI-3.1.
#ifndef EP_P2P_H
#define EP_P2P_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// Sends. A send is complete when its buffer may be reused; for a standard one that is at once up to
// 16 KiB within a process. Messages from one endpoint to another do not overtake each other (3.5).

/// Sends and blocks until the buffer may be reused (standard mode). 3.2.1.
int EP_Send(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm);
/// Sends in synchronous mode: returns when the matching receive has begun. 3.4.
int EP_Ssend(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm);
/// Sends in buffered mode: packs the message into the attached buffer and returns at once.
/// EP_ERR_BUFFER if it does not fit there beside the messages that wait. 3.4.
int EP_Bsend(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm);
/// Sends in ready mode: the matching receive has been posted. Does what EP_Send does. 3.4.
int EP_Rsend(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm);
/// Begins a standard send. 3.7.2.
int EP_Isend(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
             EP_Request* request);
/// Begins a synchronous send. 3.7.2.
int EP_Issend(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
              EP_Request* request);
/// Begins a buffered send, which is complete at once; errors as EP_Bsend. 3.7.2.
int EP_Ibsend(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
              EP_Request* request);
/// Begins a ready send. 3.7.2.
int EP_Irsend(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
              EP_Request* request);

/// Gives the calling thread's endpoint `size` bytes for its buffered sends; threads attached to no
/// endpoint share one buffer. Each message takes EP_BSEND_OVERHEAD more than EP_Pack_size says. One
/// buffer at a time (EP_ERR_BUFFER). The buffer is the library's until it is detached. Any thread.
/// 3.6.
int EP_Buffer_attach(void* buffer, int size);
/// Blocks until all messages in the buffer have left, then gives it back; `buffer_address` points
/// to a pointer. Any thread. 3.6.
int EP_Buffer_detach(void* buffer_address, int* size);

// Receives and probes. `source` may be EP_ANY_SOURCE, `tag` EP_ANY_TAG. A message longer than the
// buffer is EP_ERR_TRUNCATE: the buffer is filled, what follows it stays untouched, and the status
// tells the length sent. EP_ERR_TYPE with ep_check_types (see EP_Comm_create_endpoints).

/// Blocks until a message has been received. 3.2.4.
int EP_Recv(void* buf, int count, MPI_Datatype type, int source, int tag, EP_Comm comm,
            EP_Status* status);
/// Begins a receive. 3.7.2.
int EP_Irecv(void* buf, int count, MPI_Datatype type, int source, int tag, EP_Comm comm,
             EP_Request* request);
/// Blocks until a message can be received, and leaves it in place; `status` describes it. 3.8.1.
int EP_Probe(int source, int tag, EP_Comm comm, EP_Status* status);
/// Tells in `*flag` whether a message can be received. Drives progress, does not wait. 3.8.1.
int EP_Iprobe(int source, int tag, EP_Comm comm, int* flag, EP_Status* status);
/// Blocks until a message can be received, and takes it out of its queue: it must be received with
/// EP_Mrecv or EP_Imrecv, by nobody else. 3.8.2.
int EP_Mprobe(int source, int tag, EP_Comm comm, EP_Message* message, EP_Status* status);
/// Does the same without waiting; `*flag` = 0 and EP_MESSAGE_NULL if there is no message. 3.8.2.
int EP_Improbe(int source, int tag, EP_Comm comm, int* flag, EP_Message* message,
               EP_Status* status);
/// Receives the message of a matched probe and sets `*message` to EP_MESSAGE_NULL. Blocks.
/// EP_ERR_REQUEST for an unknown handle. 3.8.3.
int EP_Mrecv(void* buf, int count, MPI_Datatype type, EP_Message* message, EP_Status* status);
/// Begins to receive the message of a matched probe. 3.8.3.
int EP_Imrecv(void* buf, int count, MPI_Datatype type, EP_Message* message, EP_Request* request);

/// Sends and receives at the same time; blocks until both are done. The buffers are disjoint. 3.10.
int EP_Sendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                void* recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
                EP_Comm comm, EP_Status* status);
/// Does the same with one buffer, which holds the received message afterwards. 3.10.
int EP_Sendrecv_replace(void* buf, int count, MPI_Datatype type, int dest, int sendtag, int source,
                        int recvtag, EP_Comm comm, EP_Status* status);

/// Begins both halves of EP_Sendrecv; the request is complete when both are, with the status of the
/// received message. EP_Cancel has no effect on it. MPI-4.0, 3.10.
int EP_Isendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                 void* recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
                 EP_Comm comm, EP_Request* request);
/// Begins EP_Sendrecv_replace; copies what is sent at once. MPI-4.0, 3.10.
int EP_Isendrecv_replace(void* buf, int count, MPI_Datatype type, int dest, int sendtag, int source,
                         int recvtag, EP_Comm comm, EP_Request* request);

// Persistent requests: inactive until EP_Start, again after completion, until EP_Request_free. The
// buffer is the library's while the request is active. 3.9.

/// Makes a persistent request for a standard send.
int EP_Send_init(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
                 EP_Request* request);
/// Makes a persistent request for a synchronous send.
int EP_Ssend_init(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
                  EP_Request* request);
/// Makes a persistent request for a buffered send.
int EP_Bsend_init(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
                  EP_Request* request);
/// Makes a persistent request for a ready send.
int EP_Rsend_init(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
                  EP_Request* request);
/// Makes a persistent request for a receive.
int EP_Recv_init(void* buf, int count, MPI_Datatype type, int source, int tag, EP_Comm comm,
                 EP_Request* request);
/// Begins the operation of an inactive request; errors as of the non-blocking call. EP_ERR_REQUEST
/// if the request is active or not persistent.
int EP_Start(EP_Request* request);
/// Begins the operations of several requests, in their order; none if one of them cannot be
/// started.
int EP_Startall(int count, EP_Request requests[]);

// Completion. A null or inactive request is complete, with an empty status. Requests of several
// endpoints of this process may be mixed, as long as no two threads use one request. An operation
// that failed is the error of the function that completes it; those with several statuses return
// EP_ERR_IN_STATUS, with the code in the status, after each failed request met the handler of its
// communicator. They alone set EP_ERROR, in all statuses that they give; every other function of
// the library leaves it as it is. Testing drives communication, too.

/// Tells whether the operation is complete; if so, also completes it: frees the request and sets it
/// to EP_REQUEST_NULL, or makes it inactive if it is persistent. 3.7.3.
int EP_Test(EP_Request* request, int* flag, EP_Status* status);
/// Blocks until the operation is complete, then completes it as EP_Test does. 3.7.3.
int EP_Wait(EP_Request* request, EP_Status* status);
/// Tells whether all are complete; completes all or none. 3.7.5.
int EP_Testall(int count, EP_Request requests[], int* flag, EP_Status statuses[]);
/// Blocks until all are complete, and completes them. 3.7.5.
int EP_Waitall(int count, EP_Request requests[], EP_Status statuses[]);
/// Completes one operation if one is complete; `*index` says which. It is EP_UNDEFINED with `*flag`
/// = 1 if no request is active. 3.7.5.
int EP_Testany(int count, EP_Request requests[], int* index, int* flag, EP_Status* status);
/// Blocks until one is complete, and completes it; `*index` as of EP_Testany. 3.7.5.
int EP_Waitany(int count, EP_Request requests[], int* index, EP_Status* status);
/// Completes all that are complete; `*outcount` is EP_UNDEFINED if no request is active. 3.7.5.
int EP_Testsome(int incount, EP_Request requests[], int* outcount, int indices[],
                EP_Status statuses[]);
/// Blocks until at least one is complete, then does what EP_Testsome does. 3.7.5.
int EP_Waitsome(int incount, EP_Request requests[], int* outcount, int indices[],
                EP_Status statuses[]);
/// Tells what EP_Test tells, but leaves a completed request as it is. 3.7.6.
int EP_Request_get_status(EP_Request request, int* flag, EP_Status* status);
/// Frees the handle; an operation under way goes on unobserved, and its buffer stays the library's
/// until the program knows that it is over. 3.7.3.
int EP_Request_free(EP_Request* request);
/// Takes back a receive that nothing has matched, or a send that still waits in this process. The
/// request must be completed in either case, and its status tells the outcome. Other sends go on.
/// EP_ERR_REQUEST if the request is not active. 3.8.4.
int EP_Cancel(EP_Request* request);
/// Tells whether the operation of this status was cancelled. 3.8.4.
int EP_Test_cancelled(const EP_Status* status, int* flag);

// Generalized requests: operations of the program, which completes them. The functions are called
// by the thread that tests, waits, frees or cancels; what they return is that call's error. 12.2.

/// Fills the status of a completed operation.
typedef int EP_Grequest_query_function(void* extra_state, EP_Status* status);
/// Is called once, when the request is freed.
typedef int EP_Grequest_free_function(void* extra_state);
/// Is called by EP_Cancel; `complete` tells whether EP_Grequest_complete was called.
typedef int EP_Grequest_cancel_function(void* extra_state, int complete);
/// Makes an active generalized request. EP_ERR_ARG if a function is a null pointer.
int EP_Grequest_start(EP_Grequest_query_function* query, EP_Grequest_free_function* free,
                      EP_Grequest_cancel_function* cancel, void* extra_state, EP_Request* request);
/// Marks the operation as complete and wakes its waiters. Any thread. EP_ERR_REQUEST for a request
/// of another kind.
int EP_Grequest_complete(EP_Request request);

// Statuses. Any thread. EP_ERR_ARG for a null status, EP_ERR_COUNT for a negative count.

/// Returns the number of received elements of `type`, EP_UNDEFINED if it is not whole or no int.
/// 3.2.5.
int EP_Get_count(const EP_Status* status, MPI_Datatype type, int* count);
/// Returns the number of received predefined datatypes, also those of an incomplete last element of
/// `type`; EP_UNDEFINED if the last of them is incomplete or the number is no int. 4.1.11.
int EP_Get_elements(const EP_Status* status, MPI_Datatype type, int* count);
/// Does the same for numbers beyond int. 4.1.11.
int EP_Get_elements_x(const EP_Status* status, MPI_Datatype type, MPI_Count* count);
/// Makes `status` say that so many predefined datatypes of `type` were received. 12.3.
int EP_Status_set_elements(EP_Status* status, MPI_Datatype type, int count);
/// Does the same for numbers beyond int. 12.3.
int EP_Status_set_elements_x(EP_Status* status, MPI_Datatype type, MPI_Count count);
/// Makes EP_Test_cancelled return `flag` for `status`. 12.3.
int EP_Status_set_cancelled(EP_Status* status, int flag);

// Packing. Any thread; `comm` names whose error handler is called. What is packed may be sent and
// received as MPI_PACKED, and received as what it was. A position that is not in the buffer is
// EP_ERR_ARG. The buffers are the program's again when the call returns.

/// Packs behind `*position` and advances it. EP_ERR_TRUNCATE if there is no room. 4.2.
int EP_Pack(const void* inbuf, int incount, MPI_Datatype type, void* outbuf, int outsize,
            int* position, EP_Comm comm);
/// Unpacks from `*position` on and advances it. EP_ERR_TRUNCATE if the data ends before. 4.2.
int EP_Unpack(const void* inbuf, int insize, int* position, void* outbuf, int outcount,
              MPI_Datatype type, EP_Comm comm);
/// Returns the bytes that EP_Pack takes. EP_ERR_COUNT if no int holds them. 4.2.
int EP_Pack_size(int incount, MPI_Datatype type, EP_Comm comm, int* size);
/// Packs as EP_Pack in the portable `representation`, which is "external32"; errors are MPI's. 4.3.
int EP_Pack_external(const char* representation, const void* inbuf, int incount, MPI_Datatype type,
                     void* outbuf, MPI_Aint outsize, MPI_Aint* position);
/// Unpacks what EP_Pack_external packed. 4.3.
int EP_Unpack_external(const char* representation, const void* inbuf, MPI_Aint insize,
                       MPI_Aint* position, void* outbuf, int outcount, MPI_Datatype type);
/// Returns the bytes that EP_Pack_external takes. 4.3.
int EP_Pack_external_size(const char* representation, int incount, MPI_Datatype type,
                          MPI_Aint* size);

#ifdef __cplusplus
}
#endif

#endif
