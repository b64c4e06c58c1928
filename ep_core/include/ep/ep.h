/// @file
/// MPI endpoints: threads as MPI ranks. C interface.
///
/// Every function has the arguments and the meaning of its MPI-3.1 namesake, with "process" read as
/// "endpoint": each endpoint makes a collective call once, by any thread that holds its handle. A
/// handle belongs for ever to the endpoint that created it; two threads may use handles of two
/// endpoints of one process at the same time. Datatypes, operations and infos are MPI's own
/// handles.
///
/// All functions return EP_SUCCESS or a code of an MPI error class, after they have invoked the
/// error handler of the endpoint: that of the communicator argument, or of the communicator that a
/// request or message came from. The initial handler is EP_ERRORS_ARE_FATAL, as in MPI. Errors that
/// belong to no endpoint (null or freed handles among them) are only returned. EP_Last_error()
/// explains the last error of the calling thread. Beside the errors that a function names,
/// EP_ERR_COMM is the error for a communicator that is null, freed or of the wrong kind, and
/// EP_ERR_ARG the one for a null pointer to a result.
///
/// Arrays and strings that a call takes are the program's again when it returns; message buffers
/// are when the operation is complete. One thread at a time uses a handle, unless a function says
/// "any thread"; with MPI_THREAD_MULTIPLE, several threads may send and receive for one endpoint at
/// the same time. The library checks the thread level of an endpoint in calls that take a
/// communicator, not in those that take only requests or messages.
#ifndef EP_EP_H
#define EP_EP_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// Environment.

/// Starts a program: initialises MPI if nobody has, creates the start communicators with as many
/// endpoints in this process as the launcher says (EP_NUM_ENDPOINTS, default 1) and attaches the
/// calling thread to the first endpoint. `provided` is the level that holds per endpoint; with
/// several endpoints in a process MPI itself must grant MPI_THREAD_MULTIPLE, else EP_ERR_ENDPOINTS.
/// A call that the level forbids, with a communicator of the endpoint, is EP_ERR_OTHER: with
/// MPI_THREAD_FUNNELED a call while another thread is attached there, with MPI_THREAD_SERIALIZED a
/// call during one of another thread. Calls are counted and paired with EP_Finalize. Collective
/// over MPI_COMM_WORLD at its first call. Once per process, any thread. EP_ERR_ARG for an unknown
/// level. MPI-3.1 12.4.3.
int EP_Init_thread(int* argc, char*** argv, int required, int* provided);
/// Calls EP_Init_thread with MPI_THREAD_SINGLE. MPI-3.1 8.7.
int EP_Init(int* argc, char*** argv);
/// Calls EP_Init_thread with `num_endpoints` endpoints in this process (0: the launcher's number;
/// counts may differ between processes). `size` and `rank` receive the size of EP_COMM_ENDPOINTS
/// and the rank there of this process's first endpoint; either may be null. Collective as
/// EP_Init_thread. EP_ERR_ENDPOINTS for a negative number or more than EP_MAX_ENDPOINTS.
int EP_Init_endpoint(int* argc, char*** argv, int num_endpoints, int required, int* size,
                     int* rank);
/// Largest number of endpoints in a process that a program starts with.
#define EP_MAX_ENDPOINTS 4096
/// Begins the use of the library inside a program that does not know it: initialises MPI if nobody
/// has, creates nothing. `provided` is the level that MPI grants, also if the program initialised
/// MPI itself. Counted like EP_Init_thread. Local.
int EP_Init_library(int required, int* provided);
/// Ends what one EP_Init_... began; the last pairing call finalizes MPI if this library initialised
/// it. Collective over processes, once per process, after all endpoints have completed their
/// communication; any thread. EP_ERR_OTHER without a call to pair with. MPI-3.1 8.7.
int EP_Finalize(void);
/// Tells whether EP_Init_thread or its kind was called more often than EP_Finalize. Any thread, any
/// time. Local. MPI-3.1 8.7.
int EP_Initialized(int* flag);
/// Ends all processes of the job with `errorcode`, after a moment in which the launcher reads this
/// process's output. `comm` may be EP_COMM_NULL. Any thread. Local. MPI-3.1 8.7.
int EP_Abort(EP_Comm comm, int errorcode);
/// Returns seconds since a moment in the past, which is the same for all endpoints of a node. Any
/// thread. Local. MPI-3.1 8.6.
double EP_Wtime(void);

// Attachment.

/// Attaches the calling thread to the endpoint of its process that has this rank in `comm`, a start
/// communicator or one derived from them by dup or split, and detaches it from its former endpoint.
/// From then on the predefined handles act as that endpoint. Threads may attach as often as they
/// like; a failed call (class EP_ERR_ENDPOINTS: another clique, no such rank, a second thread with
/// MPI_THREAD_FUNNELED) changes nothing. Threads that ran at the start are attached to the first
/// endpoint; so is every thread of a process with one endpoint. Other threads inherit the
/// attachment where ep_inherit_threads or ep_inherit_openmp is loaded (ep_core/README.md); else
/// they attach themselves. Local.
int EP_Thread_attach(int rank, EP_Comm comm);
/// Returns the endpoint of the calling thread as its rank in EP_COMM_CLIQUE, or EP_UNDEFINED.
/// Local.
int EP_Thread_attached(int* endpoint);
/// Attaches the calling thread as the child of a thread at `endpoint` (EP_UNDEFINED: to none), for
/// libraries that start threads. Local.
int EP_Thread_inherit(int endpoint);

// Creating endpoints.

/// Wraps a classic communicator: every process is one endpoint. Collective over `comm`, which must
/// stay valid until the result is freed; traffic goes over a private duplicate.
int EP_Comm_from_mpi(MPI_Comm comm, EP_Comm* out);
/// Creates `num_ep` endpoints of this process (0 or more, different per process allowed) in a new
/// communicator; ranks follow the parent's order and are contiguous per process. Each endpoint of
/// `parent` calls once. `out` receives num_ep handles, one per endpoint. With the info key
/// ep_check_types=true, given by all, messages carry their type signatures: a receive with other
/// predefined datatypes is EP_ERR_TYPE and writes nothing; MPI_PACKED matches everything, MPI_BYTE
/// only itself. EP_CHECK_TYPES=1 in the environment does so for all communicators. The keys
/// ep_reduction and ep_algorithm are read as by EP_Comm_set_info. Collective over `parent`.
/// EP_ERR_ARG at all endpoints if one asks for a negative number, EP_ERR_ENDPOINTS for more than
/// EP_COMM_MAX_ENDPOINTS or, without MPI_THREAD_MULTIPLE, more than 1.
int EP_Comm_create_endpoints(EP_Comm parent, int num_ep, MPI_Info info, EP_Comm out[]);
/// Returns a raw communicator over the processes of `comm`, made at first use, for libraries that
/// want one (nc_create_par, H5Pset_fapl_mpio). Owned by `comm`. Every process must take part with
/// exactly one endpoint, else EP_ERR_COMM. Collective over `comm`.
int EP_Comm_mpi(EP_Comm comm, MPI_Comm* out);

// Communicators.

/// Returns the rank of the calling endpoint in its group. Local. MPI-3.1 6.4.1, 6.6.1.
int EP_Comm_rank(EP_Comm comm, int* rank);
/// Returns the number of endpoints in the caller's group. Local. MPI-3.1 6.4.1, 6.6.1.
int EP_Comm_size(EP_Comm comm, int* size);
/// Returns the number of endpoints in the other group. EP_ERR_COMM for an intracommunicator. Local.
/// MPI-3.1 6.6.1.
int EP_Comm_remote_size(EP_Comm comm, int* size);
/// Tells whether `comm` is an intercommunicator. Local. MPI-3.1 6.6.1.
int EP_Comm_test_inter(EP_Comm comm, int* flag);
/// Returns the largest tag of this communicator, which the attribute EP_TAG_UB has, too. Local.
int EP_Comm_tag_ub(EP_Comm comm, int* tag_ub);
/// Tells whether `rank` (of the remote group for intercommunicators) lives in the caller's process
/// (2), on its node (1) or elsewhere (0). Local.
int EP_Comm_locality(EP_Comm comm, int rank, int* locality);
#define EP_LOCALITY_REMOTE 0
#define EP_LOCALITY_NODE 1
#define EP_LOCALITY_PROCESS 2
/// Makes a communicator of the same groups, with the topology, the hints, and those attributes that
/// their copy functions pass on. To be freed. An error of a copy function is the error of this
/// call, and nothing is made. Collective. MPI-3.1 6.4.2.
int EP_Comm_dup(EP_Comm comm, EP_Comm* out);
/// Makes one communicator per colour, ordered by key, then by rank, over all processes. Gives
/// EP_COMM_NULL for colour EP_UNDEFINED, and in intercommunicators where the other group has nobody
/// of the colour. To be freed. EP_ERR_ARG at all endpoints for another negative colour. Collective.
/// MPI-3.1 6.4.2.
int EP_Comm_split(EP_Comm comm, int color, int key, EP_Comm* out);
/// Deletes the attributes, frees the handle and sets it to EP_COMM_NULL; pending operations go on.
/// Local; any thread, also one thread for all endpoints. EP_ERR_COMM for predefined handles.
/// MPI-3.1 6.4.3.
int EP_Comm_free(EP_Comm* comm);
/// Names the communicator of this endpoint: keeps a copy, cut to EP_MAX_OBJECT_NAME bytes with the
/// final zero, which the watchdog prints. Local. MPI-3.1 6.8.
int EP_Comm_set_name(EP_Comm comm, const char* name);
/// Makes an intercommunicator of two groups, whose leaders know each other in `peer` (read at the
/// leaders only); the groups must be disjoint as endpoints, not as processes. To be freed. An error
/// of a leader (EP_ERR_RANK, EP_ERR_COMM) is the error of its whole side; EP_ERR_TAG for a negative
/// tag. Collective over both groups. MPI-3.1 6.6.2.
int EP_Intercomm_create(EP_Comm local, int local_leader, EP_Comm peer, int remote_leader, int tag,
                        EP_Comm* out);
/// Makes one group of both: the endpoints that give `high` = 0 come first, each group ordered by
/// rank; groups of the same `high` are in an order that all see alike. To be freed. EP_ERR_COMM for
/// an intracommunicator. Collective over both groups. MPI-3.1 6.6.2.
int EP_Intercomm_merge(EP_Comm inter, int high, EP_Comm* out);
/// Tells which group carries the process of local rank `rank`, if endpoints of both groups live
/// there. The rules: 1. If no leader lives there, the group whose leader has the higher rank in the
/// peer communicator. 2. If one leader lives there, its group. 3. If both leaders live there, let A
/// be the group of the lower peer rank: B if A has other processes, else A if B has, else both. If
/// both leaders live in one process and one group has other processes, the leader of the group that
/// does not carry the process moves to the lowest other process of its group before rules 1 and 2
/// apply: these speak of the leaders after the move. EP_Comm_rank and the leaders named to
/// EP_Intercomm_create do not change. Derived intercommunicators keep the answer. Local.
int EP_Intercomm_owner(EP_Comm inter, int rank, int* owner);
#define EP_OWNER_LOCAL 0
#define EP_OWNER_REMOTE 1
#define EP_OWNER_BOTH 2

// Waiting (extensions).

/// Drives all pending communication of this process and returns at once. Local. Any thread, within
/// the thread level of MPI.
int EP_Progress(EP_Comm comm);

/// Calls `ready(state)` until it returns non-zero, or a negative value (then EP_ERR_OTHER), and
/// drives communication in between: spins briefly, yields, then sleeps on the doorbell of the
/// process. Whoever makes the condition true must call EP_Ring for this endpoint afterwards, unless
/// communication of this library makes it true. `reason` and `peer` (a rank, or -1) go to the wait
/// registry; `reason` must stay valid until the call returns. `max_sleep_s` bounds one sleep, for
/// conditions that nobody rings for; 0 means no bound. Local. Never blocks inside MPI.
int EP_Wait_until(EP_Comm comm, int (*ready)(void* state), void* state, const char* reason,
                  int peer, double max_sleep_s);

/// Rings the doorbell of the process of `rank` (remote group for intercommunicators): sleepers
/// there check their conditions. Costs one load if nobody sleeps. Has no effect off the node.
/// Local, any thread.
int EP_Ring(EP_Comm comm, int rank);

/// Sets after how many seconds of waiting (0: never) the watchdog prints to stderr what every
/// waiting endpoint of this process waits for, and again after each doubling: for a collective, the
/// ranks of this process that have not called, and the processes from which nothing has been
/// received. Holds for the process; the default is 60, or EP_WATCHDOG_S. Local.
int EP_Set_watchdog(double seconds);

#ifdef __cplusplus
}
#endif

#include <ep/attributes.h>
#include <ep/collectives.h>
#include <ep/environment.h>
#include <ep/errors.h>
#include <ep/files.h>
#include <ep/groups.h>
#include <ep/large.h>
#include <ep/locality.h>
#include <ep/p2p.h>
#include <ep/partitioned.h>
#include <ep/persistent.h>
#include <ep/rma.h>
#include <ep/sessions.h>
#include <ep/spawn.h>
#include <ep/teams.h>
#include <ep/topologies.h>
#include <ep/windows.h>

#endif
