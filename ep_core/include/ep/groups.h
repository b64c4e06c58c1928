/// @file
/// Groups, and the functions that create communicators from groups and groups from communicators;
/// included by <ep/ep.h>.
///
/// A group is an ordered set of endpoints. Duplicates, splits and subsets of a communicator consist
/// of its endpoints; EP_Comm_create_endpoints creates new ones, unless every caller requests
/// exactly one.
///
/// EP_Group_... functions are local; any thread may call them. Groups are immutable, and the caller
/// frees a group that a function returns. Arrays may be reused when the call returns. Errors:
/// EP_ERR_GROUP for an unknown handle, EP_ERR_RANK for a rank outside a group, EP_ERR_ARG for a
/// negative count. They belong to no endpoint and are only returned.
///
/// One thread at a time may call EP_Comm_... functions for an endpoint. All endpoints of `comm`
/// call the collective ones in the same order, and these return after all endpoints have called. A
/// new communicator has the error handler and the reduction mode of `comm`, and no attributes,
/// topology or name unless the function says so; the caller frees it. Errors: EP_ERR_COMM,
/// EP_ERR_ARG for a null pointer to a result, and those named with a function.
///
/// Numbers after functions are sections of MPI-3.1.
#ifndef EP_GROUPS_H
#define EP_GROUPS_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the group in which this endpoint has its rank. The caller frees it. Local. 6.3.2, 6.6.1.
int EP_Comm_group(EP_Comm comm, EP_Group* group);
/// Returns the remote group of an intercommunicator. The caller frees it. Fails with EP_ERR_COMM
/// for an intracommunicator. Local. 6.6.1.
int EP_Comm_remote_group(EP_Comm comm, EP_Group* group);

/// Returns the number of members of a group. 6.3.1.
int EP_Group_size(EP_Group group, int* size);
/// Returns the rank in `group` of the endpoint from whose communicator the group was created, or
/// EP_UNDEFINED. 6.3.1.
int EP_Group_rank(EP_Group group, int* rank);
/// Returns, for each of `count` ranks in `from`, the rank of that endpoint in `to`, or EP_UNDEFINED
/// if it is not a member; EP_PROC_NULL yields EP_PROC_NULL. 6.3.1.
int EP_Group_translate_ranks(EP_Group from, int count, const int ranks[], EP_Group to, int out[]);
/// Compares two groups: returns EP_IDENT for the same members in the same order, EP_SIMILAR for the
/// same members in another order, otherwise EP_UNEQUAL. 6.3.1.
int EP_Group_compare(EP_Group group1, EP_Group group2, int* result);
/// Creates the group of all members of the first group, followed by those of the second that are
/// not in the first. 6.3.2.
int EP_Group_union(EP_Group group1, EP_Group group2, EP_Group* out);
/// Creates the group of the members of the first group that are in the second, in the order of the
/// first. 6.3.2.
int EP_Group_intersection(EP_Group group1, EP_Group group2, EP_Group* out);
/// Creates the group of the members of the first group that are not in the second, in the order of
/// the first. 6.3.2.
int EP_Group_difference(EP_Group group1, EP_Group group2, EP_Group* out);
/// Creates the group of the members with these ranks, in this order. Fails with EP_ERR_RANK if a
/// rank occurs twice. 6.3.2.
int EP_Group_incl(EP_Group group, int count, const int ranks[], EP_Group* out);
/// Creates the group of all members but those with these ranks. Fails with EP_ERR_RANK if a rank
/// occurs twice. 6.3.2.
int EP_Group_excl(EP_Group group, int count, const int ranks[], EP_Group* out);
/// Does what EP_Group_incl does, with ranges (first, last, stride) that include `last`. Fails with
/// EP_ERR_ARG for a stride of zero. 6.3.2.
int EP_Group_range_incl(EP_Group group, int count, int ranges[][3], EP_Group* out);
/// Does what EP_Group_excl does, with ranges as in EP_Group_range_incl. 6.3.2.
int EP_Group_range_excl(EP_Group group, int count, int ranges[][3], EP_Group* out);
/// Frees the handle and sets it to EP_GROUP_NULL. 6.3.3.
int EP_Group_free(EP_Group* group);

/// Compares two communicators: returns EP_IDENT for the same communicator, EP_CONGRUENT for the
/// same endpoints in the same order, EP_SIMILAR for the same endpoints in another order, otherwise
/// EP_UNEQUAL. For intercommunicators, both groups are compared. Local. 6.4.1.
int EP_Comm_compare(EP_Comm comm1, EP_Comm comm2, int* result);
/// Creates a communicator of `group`. Other endpoints pass EP_GROUP_EMPTY and get EP_COMM_NULL, or
/// pass another, disjoint group. On an intercommunicator, `group` is a subset of the local group
/// and the same at all its endpoints; the result is an intercommunicator of the groups of both
/// sides, or EP_COMM_NULL at both if either group is empty. Fails with EP_ERR_GROUP for members
/// that are not in `comm`. Collective over `comm`. 6.4.2.
int EP_Comm_create(EP_Comm comm, EP_Group group, EP_Comm* out);
/// Creates a communicator of `group`. Collective over the members of `group` only; other endpoints
/// may call it and get EP_COMM_NULL. `tag` distinguishes concurrent calls. `comm` must be an
/// intracommunicator. Fails with EP_ERR_GROUP for members that are not in `comm`. 6.4.2.
int EP_Comm_create_group(EP_Comm comm, EP_Group group, int tag, EP_Comm* out);
/// Splits a communicator by the hardware that endpoints share; ranks are ordered by `key`, then by
/// former rank. Returns EP_COMM_NULL for type EP_UNDEFINED. All other endpoints give the same
/// `type`:
/// - EP_COMM_TYPE_SHARED: the node.
/// - EP_COMM_TYPE_HW_GUIDED: the hardware type that the info key mpi_hw_resource_type names (core,
///   l2, l3, numa, package, node, hwloc's names for these, or mpi_shared_memory). Returns
///   EP_COMM_NULL for other types, and for a thread that may run on several objects of the type.
/// - EP_COMM_TYPE_HW_UNGUIDED: the widest hardware type that separates endpoints of `comm`; the
///   hints of `out` name it under the same key. Returns EP_COMM_NULL if there is none.
///
/// EP_Shmem_comm_create defines where an endpoint is and what the info key ep_shmem_cpus means. The
/// other keys of `info` are read as by EP_Comm_set_info. Fails with EP_ERR_ARG at all endpoints for
/// different or unknown types. Collective over `comm`, an intracommunicator. 6.4.2, MPI-4.0 7.4.2.
int EP_Comm_split_type(EP_Comm comm, int type, int key, MPI_Info info, EP_Comm* out);
/// Duplicates as EP_Comm_dup does, with the hints in `info`, which is read as by EP_Comm_set_info.
/// Collective. 6.4.2.
int EP_Comm_dup_with_info(EP_Comm comm, MPI_Info info, EP_Comm* out);
/// Duplicates as EP_Comm_dup does, without waiting: `out` may be used once the request is complete.
/// The call itself runs the copy functions of attributes. Collective. 6.4.2.
int EP_Comm_idup(EP_Comm comm, EP_Comm* out, EP_Request* request);
/// Duplicates as EP_Comm_idup does, with the hints in `info`. If a key that the library reads has
/// an unknown value, the call that completes the request fails at all endpoints. Collective.
/// MPI-4.0 7.4.2.
int EP_Comm_idup_with_info(EP_Comm comm, MPI_Info info, EP_Comm* out, EP_Request* request);

/// Returns the name that EP_Comm_set_name has set, or an empty string: at most EP_MAX_OBJECT_NAME
/// bytes with the final zero. Duplicates do not inherit names. Local. 6.8.
int EP_Comm_get_name(EP_Comm comm, char* name, int* length);
/// Sets hints of this endpoint. Communicators made from this one do not have them, but work in the
/// same modes. The library reads three keys:
/// - ep_check_types: see EP_Comm_create_endpoints.
/// - ep_reduction: the reduction mode. `fast` takes effect if no endpoint requires `ordered`.
/// - ep_algorithm: the algorithms of collectives between processes
///   ("allreduce=ring,bcast=pipelined"), used wherever they support the call. If values differ,
///   that of the lowest rank or process holds.
///
/// Fails with EP_ERR_INFO_VALUE at all endpoints if one of them gives an unknown value; the text of
/// the error lists the known values. Collective. 6.4.4.
int EP_Comm_set_info(EP_Comm comm, MPI_Info info);
/// Returns the hints in a new info object; the caller frees it with MPI_Info_free. Local. 6.4.4.
int EP_Comm_get_info(EP_Comm comm, MPI_Info* info);

#ifdef __cplusplus
}
#endif

#endif
