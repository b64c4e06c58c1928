/// @file
/// MPI endpoints: threads as MPI ranks. C interface.
///
/// Every function has the arguments and the meaning of its MPI-3.1 namesake, with "process" read as
/// "endpoint": each endpoint makes a collective call once, by any thread that holds its handle. A
/// handle always belongs to the endpoint that created it; threads may use handles of different
/// endpoints of a process at the same time. Datatypes, operations and infos are MPI's own handles.
///
/// All functions return EP_SUCCESS or an error code. Before a function returns an error, it calls
/// the endpoint's error handler of the communicator argument, or of the communicator that a request
/// or message came from. The initial handler is EP_ERRORS_ARE_FATAL, as in MPI. Errors that belong
/// to no endpoint (null or freed handles among them) are only returned. EP_Last_error() explains
/// the last error of the calling thread. Besides the errors named with a function, EP_ERR_COMM
/// means that a communicator is null, freed or of the wrong kind, and EP_ERR_ARG that a pointer to
/// a result is null.
///
/// Arrays and strings may be reused when the call returns, message buffers when the operation is
/// complete. One thread at a time uses a handle, unless a function says "any thread"; with
/// MPI_THREAD_MULTIPLE, several threads may send and receive for one endpoint at the same time. The
/// library checks the thread level of an endpoint in calls that take a communicator, not in those
/// that take only requests or messages.
#ifndef EP_EP_H
#define EP_EP_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// Environment.

/// Initialises the library, and MPI if it is not initialised. Creates the start communicators, with
/// the number of endpoints per process that the launcher sets (EP_NUM_ENDPOINTS, default 1), and
/// attaches the calling thread to the first endpoint of its process. `provided` is the thread level
/// per endpoint; with several endpoints in a process MPI itself must grant MPI_THREAD_MULTIPLE,
/// otherwise the call fails with EP_ERR_ENDPOINTS. A later call with a communicator of the endpoint
/// that violates the level fails with EP_ERR_OTHER: with MPI_THREAD_FUNNELED a call while another
/// thread is attached there, with MPI_THREAD_SERIALIZED a call during one of another thread. Each
/// call must be paired with one of EP_Finalize. The first call is collective over MPI_COMM_WORLD,
/// by any one thread of each process. Fails with EP_ERR_ARG for an unknown level. MPI-3.1 12.4.3.
int EP_Init_thread(int* argc, char*** argv, int required, int* provided);
/// Calls EP_Init_thread with MPI_THREAD_SINGLE. MPI-3.1 8.7.
int EP_Init(int* argc, char*** argv);
/// Calls EP_Init_thread with `num_endpoints` endpoints in this process (0: the launcher's number;
/// counts may differ between processes). `size` and `rank` receive the size of EP_COMM_ENDPOINTS
/// and the rank there of this process's first endpoint; either may be null. Collective as
/// EP_Init_thread. Fails with EP_ERR_ENDPOINTS for a negative number or for more than
/// EP_MAX_ENDPOINTS.
int EP_Init_endpoint(int* argc, char*** argv, int num_endpoints, int required, int* size,
                     int* rank);
/// Largest number of endpoints that EP_Init_endpoint creates in a process.
#define EP_MAX_ENDPOINTS 4096
/// Initialises the library inside a program that does not know it: initialises MPI if it is not
/// initialised, and creates no endpoints. `provided` is the level that MPI grants, also if the
/// program initialised MPI itself. Each call must be paired with one of EP_Finalize. Local.
int EP_Init_library(int required, int* provided);
/// Ends one EP_Init_... call; the last pairing call finalizes MPI if this library initialised it.
/// Collective over processes: any one thread of each process calls it after all endpoints have
/// completed their communication. Fails with EP_ERR_OTHER without a call to pair with. MPI-3.1 8.7.
int EP_Finalize(void);
/// Sets `*flag` to 1 if EP_Init_... calls outnumber calls of EP_Finalize, else to 0. Any thread, at
/// any time. Local. MPI-3.1 8.7.
int EP_Initialized(int* flag);
/// Ends all processes of the job with `errorcode`, after a short delay that lets the launcher read
/// the output of this process. `comm` may be EP_COMM_NULL. Any thread. Local. MPI-3.1 8.7.
int EP_Abort(EP_Comm comm, int errorcode);
/// Returns the time in seconds since a fixed moment in the past, which is the same for all
/// endpoints of a node. Any thread. Local. MPI-3.1 8.6.
double EP_Wtime(void);

// Attachment.

/// Attaches the calling thread to the endpoint of its process that has rank `rank` in `comm` (a
/// start communicator or one derived from them by dup or split), and detaches it from its former
/// endpoint. From then on the predefined handles act as that endpoint. A thread may attach any
/// number of times. A call that fails changes nothing: EP_ERR_ENDPOINTS if the rank does not exist
/// or belongs to another process, or for a second thread with MPI_THREAD_FUNNELED. Threads that ran
/// at the start are attached to the first endpoint; so is every thread of a process with one
/// endpoint. Other threads inherit the attachment if ep_inherit_threads or ep_inherit_openmp is
/// loaded (docs/endpoints.md); otherwise they attach themselves. Local.
int EP_Thread_attach(int rank, EP_Comm comm);
/// Returns the rank in EP_COMM_CLIQUE of the endpoint to which the calling thread is attached, or
/// EP_UNDEFINED. Local.
int EP_Thread_attached(int* endpoint);
/// Attaches the calling thread as the child of a thread that is attached to `endpoint`
/// (EP_UNDEFINED: to none), for libraries that start threads. Local.
int EP_Thread_inherit(int endpoint);

// Creating endpoints.

/// Wraps a classic communicator: every process is one endpoint. Messages go over a private
/// duplicate. Collective over `comm`, which must stay valid until the result is freed. The caller
/// frees the result.
int EP_Comm_from_mpi(MPI_Comm comm, EP_Comm* out);
/// Creates a communicator with `num_ep` new endpoints for each endpoint of `parent`, which calls
/// once; `num_ep` may be 0 and may differ between calls. Ranks follow the parent's order, and the
/// new endpoints of one caller have contiguous ranks. `out` receives `num_ep` handles, one per new
/// endpoint. If all callers give the info key ep_check_types=true, messages carry their type
/// signatures: a receive with other predefined datatypes fails with EP_ERR_TYPE and writes nothing;
/// MPI_PACKED matches everything, MPI_BYTE only itself. EP_CHECK_TYPES=1 in the environment has
/// this effect for all communicators. The keys ep_reduction and ep_algorithm are read as by
/// EP_Comm_set_info. Collective over `parent`. Fails at all endpoints if it fails at one: with
/// EP_ERR_ARG for a negative number, with EP_ERR_ENDPOINTS for more than EP_COMM_MAX_ENDPOINTS or,
/// without MPI_THREAD_MULTIPLE, more than 1.
int EP_Comm_create_endpoints(EP_Comm parent, int num_ep, MPI_Info info, EP_Comm out[]);
/// Returns an MPI communicator over the processes of `comm`, for libraries that need one
/// (nc_create_par, H5Pset_fapl_mpio). It is created at the first call and belongs to `comm`. Fails
/// with EP_ERR_COMM unless every process takes part with exactly one endpoint. Collective over
/// `comm`.
int EP_Comm_mpi(EP_Comm comm, MPI_Comm* out);

// Communicators.

/// Returns the rank of the calling endpoint in its group. Local. MPI-3.1 6.4.1, 6.6.1.
int EP_Comm_rank(EP_Comm comm, int* rank);
/// Returns the number of endpoints in the caller's group. Local. MPI-3.1 6.4.1, 6.6.1.
int EP_Comm_size(EP_Comm comm, int* size);
/// Returns the number of endpoints in the other group. Fails with EP_ERR_COMM for an
/// intracommunicator. Local. MPI-3.1 6.6.1.
int EP_Comm_remote_size(EP_Comm comm, int* size);
/// Sets `*flag` to 1 if `comm` is an intercommunicator, else to 0. Local. MPI-3.1 6.6.1.
int EP_Comm_test_inter(EP_Comm comm, int* flag);
/// Returns the largest tag of this communicator; the attribute EP_TAG_UB has the same value. Local.
int EP_Comm_tag_ub(EP_Comm comm, int* tag_ub);
/// Sets `*locality` to one of the following values, for `rank` of the group (of the remote group,
/// for intercommunicators): it is in the caller's process, on its node, or elsewhere. Local.
int EP_Comm_locality(EP_Comm comm, int rank, int* locality);
#define EP_LOCALITY_REMOTE 0
#define EP_LOCALITY_NODE 1
#define EP_LOCALITY_PROCESS 2
/// Creates a communicator with the same groups and topology, and with those attributes that their
/// copy functions pass on, but without the hints (as since MPI-4.0; see EP_Comm_set_info). The
/// caller frees it. If a copy function fails, the call returns its error and creates nothing.
/// Collective. MPI-3.1 6.4.2, MPI-4.0 7.4.2.
int EP_Comm_dup(EP_Comm comm, EP_Comm* out);
/// Creates one communicator per colour, with ranks ordered by key, then by former rank. Returns
/// EP_COMM_NULL for colour EP_UNDEFINED, and in intercommunicators if no endpoint of the other
/// group has the colour. The caller frees the communicator. Fails with EP_ERR_ARG at all endpoints
/// for another negative colour. Collective. MPI-3.1 6.4.2.
int EP_Comm_split(EP_Comm comm, int color, int key, EP_Comm* out);
/// Deletes the attributes, frees the handle and sets it to EP_COMM_NULL; pending operations go on.
/// Local; any thread, also one thread for all endpoints. Fails with EP_ERR_COMM for predefined
/// handles. MPI-3.1 6.4.3.
int EP_Comm_free(EP_Comm* comm);
/// Sets the name of this endpoint's communicator, which the watchdog prints. The library keeps a
/// copy, truncated to EP_MAX_OBJECT_NAME bytes with the final zero. Local. MPI-3.1 6.8.
int EP_Comm_set_name(EP_Comm comm, const char* name);
/// Creates an intercommunicator of two groups, whose leaders communicate over `peer` (significant
/// at the leaders only). The groups must have no endpoint in common, but may share processes. The
/// caller frees the intercommunicator. An error of a leader (EP_ERR_RANK, EP_ERR_COMM) is the error
/// of its whole side. Fails with EP_ERR_TAG for a negative tag. Collective over both groups.
/// MPI-3.1 6.6.2.
int EP_Intercomm_create(EP_Comm local, int local_leader, EP_Comm peer, int remote_leader, int tag,
                        EP_Comm* out);
/// Creates an intracommunicator of both groups. The group with `high` = 0 comes first, and each
/// group keeps its rank order; if both give the same `high`, the order is unspecified but the same
/// at all endpoints. The caller frees the communicator. Fails with EP_ERR_COMM for an
/// intracommunicator. Collective over both groups. MPI-3.1 6.6.2.
int EP_Intercomm_merge(EP_Comm inter, int high, EP_Comm* out);
/// Returns which group owns the process of local rank `rank`, for processes with endpoints of both
/// groups. The rules are:
/// 1. If no leader is in the process, the group whose leader has the higher rank in the peer
///   communicator owns it.
/// 2. If one leader is there, its group owns the process.
/// 3. If both leaders are there, let A be the group whose leader has the lower peer rank. B owns
///   the process if A has other processes, otherwise A if B has other processes, otherwise both.
///
/// If both leaders are in one process and one group has other processes, the leader of the group
/// that does not own the process moves to the lowest other process of its group before rules 1 and
/// 2 are applied to the other processes. EP_Comm_rank and the leaders given to EP_Intercomm_create
/// do not change. Derived intercommunicators keep the result. Local.
int EP_Intercomm_owner(EP_Comm inter, int rank, int* owner);
#define EP_OWNER_LOCAL 0
#define EP_OWNER_REMOTE 1
#define EP_OWNER_BOTH 2

// Waiting (extensions).

/// Drives all pending communication of this process and returns at once. Local. Any thread, within
/// the thread level of MPI.
int EP_Progress(EP_Comm comm);

/// Calls `ready(state)` until it returns non-zero, and drives communication in between: spins
/// briefly, yields, then sleeps on the doorbell of the process. Fails with EP_ERR_OTHER if `ready`
/// returns a negative value. The thread that makes the condition true must then call EP_Ring for
/// this endpoint, unless communication of this library makes it true. The watchdog shows `reason`
/// and `peer` (a rank, or -1); `reason` must stay valid until the call returns. `max_sleep_s`
/// limits one sleep, for conditions for which no thread rings; 0 means no limit. Local. Never
/// blocks inside MPI.
int EP_Wait_until(EP_Comm comm, int (*ready)(void* state), void* state, const char* reason,
                  int peer, double max_sleep_s);

/// Rings the doorbell of the process of `rank` (of the remote group, for intercommunicators), so
/// that sleeping threads there check their conditions. Costs one load if no thread sleeps. Has no
/// effect on other nodes. Local, any thread.
int EP_Ring(EP_Comm comm, int rank);

/// Sets the number of seconds (0: never) after which the watchdog reports waits of this process to
/// stderr, and reports them again whenever the time has doubled. It prints what every waiting
/// endpoint waits for: for a collective, the ranks of this process that have not called and the
/// processes from which nothing has been received. Applies to the whole process; the default is 60,
/// or EP_WATCHDOG_S. Local.
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
