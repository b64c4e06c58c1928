/// @file
/// MPI endpoints: threads as MPI ranks. C interface.
///
/// Every function has the arguments and meaning of its MPI-3.1 namesake, with "process" read as
/// "endpoint": a collective call is made once per endpoint, by any thread that holds the endpoint's
/// handle. Handles belong for ever to the endpoint that created them; two threads may use handles
/// of two endpoints of one process at the same time. Datatypes, ops and infos are MPI's own
/// handles.
///
/// All functions return EP_SUCCESS or an error code of an MPI error class, after the error handler
/// of the communicator has been called (predefined: EP_ERRORS_ARE_FATAL, EP_ERRORS_RETURN; this
/// slice returns codes). EP_Error_string() explains the last error of the calling thread.
#ifndef EP_EP_H
#define EP_EP_H

#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1  // C only: without the deprecated C++ bindings
#endif
#include <mpi.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
#define EP_NULL_OF(type) (static_cast<type>(nullptr))
#define EP_POINTER_OF(type, value) (reinterpret_cast<type>(value))
#else
#define EP_NULL_OF(type) ((type)0)
#define EP_POINTER_OF(type, value) ((type)(value))
#endif

/// Opaque handles (ADR 0001): pointers, predefined ones are compile-time constants.
typedef struct ep_comm* EP_Comm;
typedef struct ep_request* EP_Request;
typedef struct ep_message* EP_Message;

#define EP_COMM_NULL EP_NULL_OF(EP_Comm)
/// The four start communicators. These handles alone follow the attachment of the calling thread;
/// any other handle belongs for ever to the endpoint that created it.
#define EP_COMM_WORLD EP_POINTER_OF(EP_Comm, 16)      ///< the first endpoint of every clique
#define EP_COMM_ENDPOINTS EP_POINTER_OF(EP_Comm, 32)  ///< all endpoints
#define EP_COMM_CLIQUE EP_POINTER_OF(EP_Comm, 48)     ///< the endpoints of this process
#define EP_COMM_SELF EP_POINTER_OF(EP_Comm, 64)       ///< the attached endpoint alone
#define EP_REQUEST_NULL EP_NULL_OF(EP_Request)
#define EP_MESSAGE_NULL EP_NULL_OF(EP_Message)
/// The message that a matched probe of EP_PROC_NULL returns.
#define EP_MESSAGE_NO_PROC EP_POINTER_OF(EP_Message, 1)

/// The public fields of MPI_Status, and what EP_Get_count needs.
typedef struct EP_Status {
  int EP_SOURCE;
  int EP_TAG;
  int EP_ERROR;
  long long ep_bytes;
  int ep_cancelled;
} EP_Status;

#define EP_STATUS_IGNORE EP_NULL_OF(EP_Status*)
#define EP_STATUSES_IGNORE EP_NULL_OF(EP_Status*)
#define EP_ANY_SOURCE (-2)
#define EP_ANY_TAG (-1)
#define EP_PROC_NULL (-1)
#define EP_ROOT (-3)
#define EP_UNDEFINED (-32766)
#define EP_IN_PLACE EP_POINTER_OF(void*, -1)

/// Error classes: MPI's own values, so that MPI_Error_class and friends keep their meaning.
#define EP_SUCCESS MPI_SUCCESS
#define EP_ERR_BUFFER MPI_ERR_BUFFER
#define EP_ERR_COUNT MPI_ERR_COUNT
#define EP_ERR_TYPE MPI_ERR_TYPE
#define EP_ERR_TAG MPI_ERR_TAG
#define EP_ERR_COMM MPI_ERR_COMM
#define EP_ERR_RANK MPI_ERR_RANK
#define EP_ERR_ROOT MPI_ERR_ROOT
#define EP_ERR_OP MPI_ERR_OP
#define EP_ERR_ARG MPI_ERR_ARG
#define EP_ERR_TRUNCATE MPI_ERR_TRUNCATE
#define EP_ERR_REQUEST MPI_ERR_REQUEST
#define EP_ERR_PENDING MPI_ERR_PENDING
#define EP_ERR_IN_STATUS MPI_ERR_IN_STATUS
#define EP_ERR_OTHER MPI_ERR_OTHER
#define EP_ERR_INTERN MPI_ERR_INTERN
/// Endpoints cannot be created as asked (class of its own, beyond MPI's).
#define EP_ERR_ENDPOINTS (MPI_ERR_LASTCODE + 1)

/// Largest tag that every communicator accepts; the exact bound is EP_Comm_tag_ub().
#define EP_TAG_UB_MIN 32767

// ---- environment
// ---------------------------------------------------------------------------------

/// Starts a program: initialises MPI if nobody did, creates the start communicators with as many
/// endpoints in this process as the launcher says (EP_NUM_ENDPOINTS, default 1) and attaches the
/// calling thread to the first. `provided` is what holds per endpoint; with several endpoints in a
/// process MPI itself must grant MPI_THREAD_MULTIPLE, else EP_ERR_ENDPOINTS. Counts, to be paired
/// with EP_Finalize. Collective over MPI_COMM_WORLD at its first call.
int EP_Init_thread(int* argc, char*** argv, int required, int* provided);
/// EP_Init_thread with MPI_THREAD_SINGLE.
int EP_Init(int* argc, char*** argv);
/// EP_Init_thread with `num_endpoints` endpoints in this process (0: the launcher's number; counts
/// may differ between processes). `size` and `rank` receive the size of EP_COMM_ENDPOINTS and the
/// rank there of this process's first endpoint; either may be null.
int EP_Init_endpoint(int* argc, char*** argv, int num_endpoints, int required, int* size,
                     int* rank);
#define EP_MAX_ENDPOINTS 4096
/// For libraries inside a program: initialises MPI if nobody did, creates nothing. `provided` is
/// the level MPI grants, also when the program initialised MPI itself. Counts like EP_Init_thread.
/// Local.
int EP_Init_library(int required, int* provided);
/// Finalizes MPI if this library initialised it and this is the last pairing call. Collective
/// over processes, once per process, after all endpoints have completed their communication.
int EP_Finalize(void);
int EP_Initialized(int* flag);
/// Ends all processes of the job with `errorcode`.
int EP_Abort(EP_Comm comm, int errorcode);
double EP_Wtime(void);
/// Text of the last error of the calling thread: "problem (why). Suggestion?". Valid until its next
/// failing call.
const char* EP_Error_string(void);

// ---- attachment
// -----------------------------------------------------------------------------------

/// Attaches the calling thread to the endpoint of its process that has this rank in `comm`, a start
/// communicator or one derived from them by dup or split; detaches it from where it was. From then
/// on the predefined handles act as that endpoint. As often as wanted; a failed call (class
/// EP_ERR_ENDPOINTS: another clique, no such rank, a second thread with MPI_THREAD_FUNNELED)
/// changes nothing. Threads that ran at the start are attached to the first endpoint; so is every
/// thread of a process with one endpoint. Other threads inherit where ep_inherit_threads or
/// ep_inherit_openmp is loaded (ep_core/README.md), else they attach themselves. Local.
int EP_Thread_attach(int rank, EP_Comm comm);
/// The endpoint of the calling thread as its rank in EP_COMM_CLIQUE, or EP_UNDEFINED. Local.
int EP_Thread_attached(int* endpoint);
/// For those who start threads: attaches the calling thread as the child of a thread at `endpoint`
/// (EP_UNDEFINED: to none). Local.
int EP_Thread_inherit(int endpoint);

// ---- creating endpoints
// --------------------------------------------------------------------------

/// Wraps a classic communicator: every process is one endpoint. Collective over `comm`, which must
/// stay valid until the result is freed; traffic goes over a private duplicate.
int EP_Comm_from_mpi(MPI_Comm comm, EP_Comm* out);
/// Creates `num_ep` (0 or more, different per process allowed) endpoints of this process in a new
/// communicator; ranks follow the parent's order, contiguous per process. Collective over `parent`,
/// called once per endpoint of the parent. `out` receives num_ep handles, one per endpoint.
int EP_Comm_create_endpoints(EP_Comm parent, int num_ep, MPI_Info info, EP_Comm out[]);
/// A raw communicator over the processes of `comm`, made on first use, for libraries that want one
/// (nc_create_par, H5Pset_fapl_mpio). Collective over `comm`; owned by `comm`. Every process must
/// take part with exactly one endpoint, else EP_ERR_COMM.
int EP_Comm_mpi(EP_Comm comm, MPI_Comm* out);

// ---- communicators
// -------------------------------------------------------------------------------

int EP_Comm_rank(EP_Comm comm, int* rank);
int EP_Comm_size(EP_Comm comm, int* size);
int EP_Comm_remote_size(EP_Comm comm, int* size);
int EP_Comm_test_inter(EP_Comm comm, int* flag);
int EP_Comm_tag_ub(EP_Comm comm, int* tag_ub);
/// Whether `rank` (of the remote group for intercommunicators) lives in the caller's process (2),
/// on its node (1) or elsewhere (0). Local.
int EP_Comm_locality(EP_Comm comm, int rank, int* locality);
#define EP_LOCALITY_REMOTE 0
#define EP_LOCALITY_NODE 1
#define EP_LOCALITY_PROCESS 2
int EP_Comm_dup(EP_Comm comm, EP_Comm* out);
int EP_Comm_split(EP_Comm comm, int color, int key, EP_Comm* out);
int EP_Comm_free(EP_Comm* comm);
int EP_Comm_set_name(EP_Comm comm, const char* name);
/// As MPI_Intercomm_create; the groups must be disjoint as endpoints, not as processes.
int EP_Intercomm_create(EP_Comm local, int local_leader, EP_Comm peer, int remote_leader, int tag,
                        EP_Comm* out);

// ---- point to point
// ------------------------------------------------------------------------------

int EP_Send(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm);
int EP_Recv(void* buf, int count, MPI_Datatype type, int source, int tag, EP_Comm comm,
            EP_Status* status);
int EP_Isend(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
             EP_Request* request);
int EP_Irecv(void* buf, int count, MPI_Datatype type, int source, int tag, EP_Comm comm,
             EP_Request* request);
int EP_Probe(int source, int tag, EP_Comm comm, EP_Status* status);
int EP_Iprobe(int source, int tag, EP_Comm comm, int* flag, EP_Status* status);
int EP_Mprobe(int source, int tag, EP_Comm comm, EP_Message* message, EP_Status* status);
int EP_Improbe(int source, int tag, EP_Comm comm, int* flag, EP_Message* message,
               EP_Status* status);
int EP_Mrecv(void* buf, int count, MPI_Datatype type, EP_Message* message, EP_Status* status);
int EP_Imrecv(void* buf, int count, MPI_Datatype type, EP_Message* message, EP_Request* request);
int EP_Get_count(const EP_Status* status, MPI_Datatype type, int* count);

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

// ---- collectives (intracommunicators)
// --------------------------------------------------------------

int EP_Barrier(EP_Comm comm);
int EP_Bcast(void* buf, int count, MPI_Datatype type, int root, EP_Comm comm);
int EP_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              int recvcount, MPI_Datatype recvtype, int root, EP_Comm comm);
int EP_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
               const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
               EP_Comm comm);
int EP_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, EP_Comm comm);
int EP_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  const int recvcounts[], const int displs[], MPI_Datatype recvtype, EP_Comm comm);
/// Sums and products of floating-point numbers associate along a fixed binary tree over endpoint
/// ranks: no placement or algorithm changes a bit.
int EP_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                 EP_Comm comm);

// ---- waiting (extensions)
// --------------------------------------------------------------------------

/// Drives all pending communication of this process. Local, returns at once. Any thread, within the
/// granted thread level.
int EP_Progress(EP_Comm comm);

/// Calls `ready(state)` until it returns non-zero or negative (then EP_ERR_OTHER), driving progress
/// in between: spins briefly, yields, then sleeps on the process's doorbell. Whoever makes the
/// condition true must call EP_Ring for this endpoint afterwards, unless it is true through
/// communication of this library. `reason` and `peer` (a rank, or -1) go to the wait registry and
/// must stay valid until the call returns. Local. Never blocks inside MPI. `max_sleep_s` bounds one
/// sleep, for conditions that no one rings for; 0 means no bound.
int EP_Wait_until(EP_Comm comm, int (*ready)(void* state), void* state, const char* reason,
                  int peer, double max_sleep_s);

/// Rings the doorbell of the process of `rank` (remote group for intercommunicators): sleepers
/// there check their conditions. Costs a load when nobody sleeps. No effect off the node. Local.
int EP_Ring(EP_Comm comm, int rank);

/// After a wait of `seconds` (0: never), prints to stderr what every waiting endpoint of this
/// process waits for, and again after each doubling. Process-wide; default 60, or EP_WATCHDOG_S.
int EP_Set_watchdog(double seconds);

#ifdef __cplusplus
}
#endif

#endif
