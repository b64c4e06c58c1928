/// @file
/// Point-to-point communication, requests, statuses, packing; included by <ep/ep.h>.
///
/// Everything here is local to the calling endpoint, unless said otherwise. A buffer belongs to the
/// library from the start of an operation to its completion; the datatype may be freed at once.
/// Bad arguments are errors of the classes that MPI gives them, through the endpoint's handler.
#ifndef EP_P2P_H
#define EP_P2P_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// Sends. A standard send is complete when its buffer may be reused: at once up to 16 KiB within a
// process. A ready send is a standard one here.

int EP_Send(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm);
/// Complete when the matching receive has begun.
int EP_Ssend(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm);
/// Complete at once: the message is packed into the attached buffer. EP_ERR_BUFFER if it does not
/// fit there beside those that wait.
int EP_Bsend(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm);
int EP_Rsend(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm);
int EP_Isend(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
             EP_Request* request);
int EP_Issend(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
              EP_Request* request);
int EP_Ibsend(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
              EP_Request* request);
int EP_Irsend(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
              EP_Request* request);

/// Gives the process `size` bytes for buffered sends of all its endpoints; each message takes
/// EP_BSEND_OVERHEAD more than EP_Pack_size says. One buffer at a time. Any thread.
int EP_Buffer_attach(void* buffer, int size);
/// Takes it back when all messages in it have left. `buffer_address` points to a pointer. Any
/// thread.
int EP_Buffer_detach(void* buffer_address, int* size);

// Receives and probes. A message longer than the buffer is EP_ERR_TRUNCATE: the buffer is filled,
// what follows it stays untouched, and the status tells the length sent.

int EP_Recv(void* buf, int count, MPI_Datatype type, int source, int tag, EP_Comm comm,
            EP_Status* status);
int EP_Irecv(void* buf, int count, MPI_Datatype type, int source, int tag, EP_Comm comm,
             EP_Request* request);
int EP_Probe(int source, int tag, EP_Comm comm, EP_Status* status);
int EP_Iprobe(int source, int tag, EP_Comm comm, int* flag, EP_Status* status);
/// The message is this endpoint's alone from here on; it must be received with EP_Mrecv.
int EP_Mprobe(int source, int tag, EP_Comm comm, EP_Message* message, EP_Status* status);
int EP_Improbe(int source, int tag, EP_Comm comm, int* flag, EP_Message* message,
               EP_Status* status);
int EP_Mrecv(void* buf, int count, MPI_Datatype type, EP_Message* message, EP_Status* status);
int EP_Imrecv(void* buf, int count, MPI_Datatype type, EP_Message* message, EP_Request* request);

int EP_Sendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                void* recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
                EP_Comm comm, EP_Status* status);
int EP_Sendrecv_replace(void* buf, int count, MPI_Datatype type, int dest, int sendtag, int source,
                        int recvtag, EP_Comm comm, EP_Status* status);

// Persistent requests: inactive until EP_Start, again after completion, until EP_Request_free.

int EP_Send_init(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
                 EP_Request* request);
int EP_Ssend_init(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
                  EP_Request* request);
int EP_Bsend_init(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
                  EP_Request* request);
int EP_Rsend_init(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
                  EP_Request* request);
int EP_Recv_init(void* buf, int count, MPI_Datatype type, int source, int tag, EP_Comm comm,
                 EP_Request* request);
int EP_Start(EP_Request* request);
int EP_Startall(int count, EP_Request requests[]);

// Completion. A null or inactive request is complete, with an empty status. Requests of several
// endpoints of this process may be mixed, as long as no two threads use one request. One that
// failed is reported in its status and as EP_ERR_IN_STATUS by the functions that have statuses.

int EP_Test(EP_Request* request, int* flag, EP_Status* status);
int EP_Wait(EP_Request* request, EP_Status* status);
int EP_Testall(int count, EP_Request requests[], int* flag, EP_Status statuses[]);
int EP_Waitall(int count, EP_Request requests[], EP_Status statuses[]);
int EP_Testany(int count, EP_Request requests[], int* index, int* flag, EP_Status* status);
int EP_Waitany(int count, EP_Request requests[], int* index, EP_Status* status);
int EP_Testsome(int incount, EP_Request requests[], int* outcount, int indices[],
                EP_Status statuses[]);
int EP_Waitsome(int incount, EP_Request requests[], int* outcount, int indices[],
                EP_Status statuses[]);
/// As EP_Test, but leaves a completed request as it is.
int EP_Request_get_status(EP_Request request, int* flag, EP_Status* status);
/// The operation goes on unobserved; its buffer stays the library's until it is known to be over.
int EP_Request_free(EP_Request* request);
/// Takes back a receive that nothing has matched, or a send that still waits in this process; the
/// request is to be completed in either case, and its status tells. Other sends go on.
int EP_Cancel(EP_Request* request);
int EP_Test_cancelled(const EP_Status* status, int* flag);

// Generalized requests: operations of the program, which completes them. The functions are called
// by the thread that tests or waits.

typedef int EP_Grequest_query_function(void* extra_state, EP_Status* status);
typedef int EP_Grequest_free_function(void* extra_state);
typedef int EP_Grequest_cancel_function(void* extra_state, int complete);
int EP_Grequest_start(EP_Grequest_query_function* query, EP_Grequest_free_function* free,
                      EP_Grequest_cancel_function* cancel, void* extra_state, EP_Request* request);
/// Any thread.
int EP_Grequest_complete(EP_Request request);

// Statuses.

int EP_Get_count(const EP_Status* status, MPI_Datatype type, int* count);
/// Predefined datatypes received, also of an incomplete last element.
int EP_Get_elements(const EP_Status* status, MPI_Datatype type, int* count);
int EP_Get_elements_x(const EP_Status* status, MPI_Datatype type, MPI_Count* count);
int EP_Status_set_elements(EP_Status* status, MPI_Datatype type, int count);
int EP_Status_set_elements_x(EP_Status* status, MPI_Datatype type, MPI_Count count);
int EP_Status_set_cancelled(EP_Status* status, int flag);

// Packing. Any thread; `comm` names whose error handler is called. What is packed may be sent and
// received as MPI_PACKED, and received as what it was.

int EP_Pack(const void* inbuf, int incount, MPI_Datatype type, void* outbuf, int outsize,
            int* position, EP_Comm comm);
int EP_Unpack(const void* inbuf, int insize, int* position, void* outbuf, int outcount,
              MPI_Datatype type, EP_Comm comm);
int EP_Pack_size(int incount, MPI_Datatype type, EP_Comm comm, int* size);
/// `representation` is "external32".
int EP_Pack_external(const char* representation, const void* inbuf, int incount, MPI_Datatype type,
                     void* outbuf, MPI_Aint outsize, MPI_Aint* position);
int EP_Unpack_external(const char* representation, const void* inbuf, MPI_Aint insize,
                       MPI_Aint* position, void* outbuf, int outcount, MPI_Datatype type);
int EP_Pack_external_size(const char* representation, int incount, MPI_Datatype type,
                          MPI_Aint* size);

#ifdef __cplusplus
}
#endif

#endif
