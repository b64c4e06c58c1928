/// @file
/// Communicators of endpoints that are close to each other and share memory; included by <ep/ep.h>.
#ifndef EP_LOCALITY_H
#define EP_LOCALITY_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// The levels of EP_Shmem_comm_create, from closest to widest.
#define EP_SHMEM_CORE 0
#define EP_SHMEM_L2 1       ///< those that share a second-level cache
#define EP_SHMEM_L3 2       ///< those that share a third-level cache
#define EP_SHMEM_NUMA 3     ///< those with the same local memory
#define EP_SHMEM_PACKAGE 4  ///< of one socket
#define EP_SHMEM_NODE 5     ///< all that can share memory
#define EP_SHMEM_LEVELS 6

/// Makes one communicator per level, `comms[EP_SHMEM_LEVELS]`, each with the endpoints of `comm`
/// that are as close to the caller as the level says, in the order of `comm`; each level contains
/// the one before. The endpoints of each can create shared memory (the attribute
/// EP_COMM_SHARES_MEMORY is 1); endpoints of other communicators can where their attribute says so.
///
/// An endpoint is where the calling thread may run at the time of the call. If its processors are
/// not within one object of a level (an unbound thread), or if the machine has no such level, the
/// endpoint is at that level where it is closest known: with the endpoints in the smallest object
/// around its processors. So endpoints of unbound threads have the same group, their node or the
/// part of it that they may use, at all levels, and share only wider groups with bound ones.
/// Locality is as good a guess as the operating system's: threads that move afterwards are not
/// followed.
///
/// `info` has these keys, the same at all endpoints but for ep_shmem_cpus (MPI_INFO_NULL: none):
/// - ep_shmem_levels: the wanted levels of core, l2, l3, numa, package, node, separated by commas;
///   others become EP_COMM_NULL. Default: all.
/// - ep_shmem_distinct: true makes levels with the same endpoints as the closer one EP_COMM_NULL.
/// - ep_shmem_cpus: processors in the operating system's numbers, as in `0-3,8`: where the endpoint
///   is or will be, instead of where its thread may run.
///
/// Results are to be freed. An unknown value of a key, or different levels at different endpoints,
/// is EP_ERR_INFO_VALUE at all endpoints. Collective over `comm`, an intracommunicator. Cost:
/// O(endpoints). Source: MPI-3 hybrid working group, shared-memory communicators, plan C with its
/// array.
int EP_Shmem_comm_create(EP_Comm comm, MPI_Info info, EP_Comm comms[]);

#ifdef __cplusplus
}
#endif

#endif
