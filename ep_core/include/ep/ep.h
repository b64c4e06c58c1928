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

/// Initialises MPI if nobody did; counts, so that libraries may pair it with EP_Finalize. Local.
/// `provided` is the level MPI grants, also when the program initialised MPI itself.
int EP_Init_thread(int* argc, char*** argv, int required, int* provided);
/// Finalizes MPI if EP_Init_thread initialised it and this is the last pairing call. Collective
/// over processes, once per process, after all endpoints have completed their communication.
int EP_Finalize(void);
int EP_Initialized(int* flag);
/// Ends all processes of the job with `errorcode`. Any thread; `comm` may be EP_COMM_NULL.
int EP_Abort(EP_Comm comm, int errorcode);
double EP_Wtime(void);

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

// Collectives (intracommunicators).

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
#include <ep/environment.h>
#include <ep/errors.h>
#include <ep/groups.h>
#include <ep/p2p.h>
#include <ep/topologies.h>

#endif
