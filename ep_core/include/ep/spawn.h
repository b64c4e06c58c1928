/// @file
/// Dynamic processes; included by <ep/ep.h>. MPI-3.1, chapter 10.
///
/// MPI itself cannot start processes here: `epexec -spare k` starts k parked ones, and a spawn
/// loads programs that epcc or epcxx linked into them. A spare whose program has ended is free
/// again. Errors go to the handler of the communicator.
#ifndef EP_SPAWN_H
#define EP_SPAWN_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Runs `command` (sought as execvp does) with `arguments` (null-terminated, without the program's
/// name, or MPI_ARGV_NULL) in `maxprocs` spare processes. `out` connects the endpoints of `comm`
/// with all endpoints of the new processes (their MPI_COMM_WORLD), which get it from
/// EP_Comm_get_parent. Info keys; others are ignored:
/// - num_endpoints: endpoints per process (default 1).
/// - ep_spawn_group: `first` connects `out` with the first endpoint of each process only, and
///   others have no parent (default `all`).
/// - wdir: the working directory.
/// - path: colon-separated folders where the command is sought first.
/// - soft: fewer processes will do.
///
/// All arguments but `comm` and `root` are read at the root. `codes` receives one code per process
/// (EP_SUCCESS or EP_ERR_SPAWN), or is MPI_ERRCODES_IGNORE. EP_ERR_SPAWN at all endpoints if too
/// few spares are free or the program cannot be run, and then none is started; EP_ERR_ARG,
/// EP_ERR_ROOT. Collective. 10.3.2.
int EP_Comm_spawn(const char* command, char* arguments[], int maxprocs, MPI_Info info, int root,
                  EP_Comm comm, EP_Comm* out, int codes[]);
/// Does the same with `count` programs, whose processes form one MPI_COMM_WORLD in this order.
/// `arguments` may be MPI_ARGVS_NULL. Collective. 10.3.3.
int EP_Comm_spawn_multiple(int count, char* commands[], char** arguments[], const int maxprocs[],
                           const MPI_Info infos[], int root, EP_Comm comm, EP_Comm* out,
                           int codes[]);
/// The intercommunicator with those who spawned this process, whose handle is the calling
/// endpoint's; EP_COMM_NULL for others, or after it was freed. Local. 10.3.2.
int EP_Comm_get_parent(EP_Comm* parent);
/// Waits for pending communication of all members, then EP_Comm_free. Collective. 10.5.4.
int EP_Comm_disconnect(EP_Comm* comm);

#ifdef __cplusplus
}
#endif

#endif
