/// @file
/// Dynamic processes; included by <ep/ep.h>. MPI-3.1, chapter 10.
///
/// MPI itself cannot start processes here. Instead, `epexec -spare k` starts k spare processes, and
/// a spawn loads programs into them that epcc or epcxx linked. A spare process is free again when
/// its program has ended. Errors go to the handler of the communicator.
#ifndef EP_SPAWN_H
#define EP_SPAWN_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Runs `command` (searched for as by execvp) with `arguments` (a null-terminated array without the
/// program's name, or MPI_ARGV_NULL) in `maxprocs` spare processes. `out` is an intercommunicator
/// of the endpoints of `comm` and all endpoints of the new processes (their MPI_COMM_WORLD), which
/// get it from EP_Comm_get_parent. The caller frees it. The library reads these info keys and
/// ignores others:
/// - num_endpoints: the number of endpoints per process (default 1).
/// - ep_spawn_group: with `first`, only the first endpoint of each process is in `out`, and the
///   others have no parent (default `all`).
/// - wdir: the working directory.
/// - path: colon-separated folders that are searched first.
/// - soft: allows fewer processes.
///
/// All arguments but `comm` and `root` are significant at the root only. `codes` receives one code
/// per process (EP_SUCCESS or EP_ERR_SPAWN), or is MPI_ERRCODES_IGNORE. Fails with EP_ERR_SPAWN at
/// all endpoints, and starts no process, if too few spare processes are free or the program cannot
/// be run. Fails with EP_ERR_ARG or EP_ERR_ROOT for invalid arguments. Collective over `comm`.
/// 10.3.2.
int EP_Comm_spawn(const char* command, char* arguments[], int maxprocs, MPI_Info info, int root,
                  EP_Comm comm, EP_Comm* out, int codes[]);
/// Spawns `count` programs, whose processes form one MPI_COMM_WORLD in this order; see
/// EP_Comm_spawn. `arguments` may be MPI_ARGVS_NULL. Collective over `comm`. 10.3.3.
int EP_Comm_spawn_multiple(int count, char* commands[], char** arguments[], const int maxprocs[],
                           const MPI_Info infos[], int root, EP_Comm comm, EP_Comm* out,
                           int codes[]);
/// Returns the calling endpoint's handle of the intercommunicator with the endpoints that spawned
/// this process; EP_COMM_NULL if it was not spawned, or after the handle was freed. Local. 10.3.2.
int EP_Comm_get_parent(EP_Comm* parent);
/// Waits for pending communication of all members, then calls EP_Comm_free. Collective. 10.5.4.
int EP_Comm_disconnect(EP_Comm* comm);

#ifdef __cplusplus
}
#endif

#endif
