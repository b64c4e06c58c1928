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
#define EP_SHMEM_L2 1       ///< endpoints that share a second-level cache
#define EP_SHMEM_L3 2       ///< endpoints that share a third-level cache
#define EP_SHMEM_NUMA 3     ///< endpoints with the same local memory (NUMA domain)
#define EP_SHMEM_PACKAGE 4  ///< endpoints on one socket
#define EP_SHMEM_NODE 5     ///< all endpoints that can share memory
#define EP_SHMEM_LEVELS 6

/// Creates one communicator per level in `comms[EP_SHMEM_LEVELS]`. Each consists of the endpoints
/// of `comm` that share the level with the caller, in the order of `comm`; each level contains the
/// one before. The endpoints of each communicator can create shared memory (its attribute
/// EP_COMM_SHARES_MEMORY is 1).
///
/// The location of an endpoint is the set of processors on which the calling thread may run at the
/// time of the call. If they do not lie within one object of a level (an unbound thread), or if the
/// machine has no such level, the level groups the endpoint with those in the smallest object that
/// contains all its processors. So endpoints of unbound threads have the same group at all levels,
/// namely their node or the part of it that they may use, and share only wider groups with bound
/// threads. The library does not notice threads that move afterwards.
///
/// `info` may have these keys, with the same values at all endpoints except for ep_shmem_cpus:
/// - ep_shmem_levels: the requested levels among core, l2, l3, numa, package, node, separated by
///   commas; the others become EP_COMM_NULL. The default is all levels.
/// - ep_shmem_distinct: if true, a level with the same endpoints as the next closer one becomes
///   EP_COMM_NULL.
/// - ep_shmem_cpus: the processors of the endpoint in the operating system's numbering, as in
///   `0-3,8`, instead of those on which its thread may run.
///
/// The caller frees the communicators. Fails with EP_ERR_INFO_VALUE at all endpoints for an unknown
/// value of a key, or if endpoints request different levels. Collective over `comm`, an
/// intracommunicator. Costs O(endpoints). Source: MPI-3 hybrid working group, shared-memory
/// communicators, plan C with its array.
int EP_Shmem_comm_create(EP_Comm comm, MPI_Info info, EP_Comm comms[]);

#ifdef __cplusplus
}
#endif

#endif
