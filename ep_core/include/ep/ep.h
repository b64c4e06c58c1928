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
/// of the endpoint has been called: that of the communicator argument, or of the communicator that
/// a request or message came from. The first handler is EP_ERRORS_ARE_FATAL, as in MPI. Errors that
/// belong to no endpoint (null or freed handles among them) are returned. EP_Last_error() explains
/// the last error of the calling thread.
#ifndef EP_EP_H
#define EP_EP_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// Environment.

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
/// Ends all processes of the job with `errorcode`. Any thread; `comm` may be EP_COMM_NULL.
int EP_Abort(EP_Comm comm, int errorcode);
double EP_Wtime(void);

// Attachment.

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

// Creating endpoints.

/// Wraps a classic communicator: every process is one endpoint. Collective over `comm`, which must
/// stay valid until the result is freed; traffic goes over a private duplicate.
int EP_Comm_from_mpi(MPI_Comm comm, EP_Comm* out);
/// Creates `num_ep` (0 or more, different per process allowed) endpoints of this process in a new
/// communicator; ranks follow the parent's order, contiguous per process. Collective over `parent`,
/// called once per endpoint of the parent. `out` receives num_ep handles, one per endpoint. The
/// info key ep_check_types=true, given by all, makes messages carry their type signatures: a
/// receive of other predefined datatypes is EP_ERR_TYPE then and writes nothing; MPI_PACKED matches
/// everything, MPI_BYTE itself. EP_CHECK_TYPES=1 in the environment does so for all communicators.
int EP_Comm_create_endpoints(EP_Comm parent, int num_ep, MPI_Info info, EP_Comm out[]);
/// A raw communicator over the processes of `comm`, made on first use, for libraries that want one
/// (nc_create_par, H5Pset_fapl_mpio). Collective over `comm`; owned by `comm`. Every process must
/// take part with exactly one endpoint, else EP_ERR_COMM.
int EP_Comm_mpi(EP_Comm comm, MPI_Comm* out);

// Communicators.

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
/// Collective. With the attributes that their copy functions hand on, the topology and the hints.
int EP_Comm_dup(EP_Comm comm, EP_Comm* out);
/// Collective. Keys order over all processes, as in MPI; EP_COMM_NULL for colour EP_UNDEFINED.
int EP_Comm_split(EP_Comm comm, int color, int key, EP_Comm* out);
/// Local: deletes the attributes and ends the handle; pending operations go on.
int EP_Comm_free(EP_Comm* comm);
/// Cut to EP_MAX_OBJECT_NAME bytes with the final zero; shown by the watchdog. Local.
int EP_Comm_set_name(EP_Comm comm, const char* name);
/// As MPI_Intercomm_create; the groups must be disjoint as endpoints, not as processes.
int EP_Intercomm_create(EP_Comm local, int local_leader, EP_Comm peer, int remote_leader, int tag,
                        EP_Comm* out);
/// One group of both: first those who give `high` = 0, each ordered by group and rank; groups of
/// the same `high` are in an order that all see alike. Collective over both groups.
int EP_Intercomm_merge(EP_Comm inter, int high, EP_Comm* out);
/// Which group carries the process of local rank `rank`, if endpoints of both groups live there:
/// 1. no leader there: the group whose leader has the higher rank in the peer communicator;
/// 2. one leader: its group; 3. both leaders, A the group of the lower peer rank: B if A has other
/// processes, else A if B has, else both. Derived intercommunicators keep the answer. Local.
int EP_Intercomm_owner(EP_Comm inter, int rank, int* owner);
#define EP_OWNER_LOCAL 0
#define EP_OWNER_REMOTE 1
#define EP_OWNER_BOTH 2

// Waiting (extensions).

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

#include <ep/attributes.h>
#include <ep/collectives.h>
#include <ep/environment.h>
#include <ep/errors.h>
#include <ep/groups.h>
#include <ep/p2p.h>
#include <ep/topologies.h>

#endif
