/// @file
/// Groups, and the functions that connect them with communicators; included by <ep/ep.h>.
///
/// A group is an ordered set of endpoints. Duplicates, splits and subsets of a communicator have
/// the same endpoints as it has; EP_Comm_create_endpoints makes new ones, unless everyone asks for
/// exactly one.
///
/// Functions of groups are local; any thread may call them. Groups are immutable, and the caller
/// frees a group that a function returns. Arrays are the program's again when the call returns.
/// Errors: EP_ERR_GROUP for an unknown handle, EP_ERR_RANK for a rank beyond a group, EP_ERR_ARG
/// for a negative count; they belong to no endpoint and are returned.
///
/// One thread at a time for each endpoint calls functions of communicators. All endpoints of `comm`
/// call the collective ones in one order, and no handle appears before all have called. A new
/// communicator has the error handler and the reduction mode of `comm`, and no attributes, topology
/// or name unless the function says so; it is to be freed. Errors: EP_ERR_COMM, EP_ERR_ARG for a
/// null pointer to a result, and those named.
///
/// Numbers after functions are sections of MPI-3.1.
#ifndef EP_GROUPS_H
#define EP_GROUPS_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the group in which this endpoint is ranked. To be freed. Local. 6.3.2, 6.6.1.
int EP_Comm_group(EP_Comm comm, EP_Group* group);
/// Returns the other group of an intercommunicator. To be freed. EP_ERR_COMM for an
/// intracommunicator. Local. 6.6.1.
int EP_Comm_remote_group(EP_Comm comm, EP_Group* group);

/// Returns the number of members. 6.3.1.
int EP_Group_size(EP_Group group, int* size);
/// Returns the rank of the endpoint from whose communicator the group was made, or EP_UNDEFINED.
/// 6.3.1.
int EP_Group_rank(EP_Group group, int* rank);
/// Returns, for each of `count` ranks in `from`, the rank of that endpoint in `to`, or EP_UNDEFINED
/// if it is not there; EP_PROC_NULL stays. 6.3.1.
int EP_Group_translate_ranks(EP_Group from, int count, const int ranks[], EP_Group to, int out[]);
/// Compares two groups: EP_IDENT for the same members in one order, EP_SIMILAR for the same in
/// another, else EP_UNEQUAL. 6.3.1.
int EP_Group_compare(EP_Group group1, EP_Group group2, int* result);
/// Makes the group of all members of the first, then those of the second that are not in the first.
/// 6.3.2.
int EP_Group_union(EP_Group group1, EP_Group group2, EP_Group* out);
/// Makes the group of the members of the first that are in the second. 6.3.2.
int EP_Group_intersection(EP_Group group1, EP_Group group2, EP_Group* out);
/// Makes the group of the members of the first that are not in the second. 6.3.2.
int EP_Group_difference(EP_Group group1, EP_Group group2, EP_Group* out);
/// Makes the group of the members with these ranks, in this order. EP_ERR_RANK if one comes twice.
/// 6.3.2.
int EP_Group_incl(EP_Group group, int count, const int ranks[], EP_Group* out);
/// Makes the group of the members without these ranks. EP_ERR_RANK if one comes twice. 6.3.2.
int EP_Group_excl(EP_Group group, int count, const int ranks[], EP_Group* out);
/// Does EP_Group_incl with `ranges` of (first, last, stride), last included. EP_ERR_ARG for stride
/// 0. 6.3.2.
int EP_Group_range_incl(EP_Group group, int count, int ranges[][3], EP_Group* out);
/// Does EP_Group_excl with such ranges. 6.3.2.
int EP_Group_range_excl(EP_Group group, int count, int ranges[][3], EP_Group* out);
/// Frees the handle and sets it to EP_GROUP_NULL. 6.3.3.
int EP_Group_free(EP_Group* group);

/// Compares two communicators: EP_IDENT for one handle, EP_CONGRUENT for the same endpoints in one
/// order, EP_SIMILAR for the same in another, else EP_UNEQUAL; for intercommunicators both groups
/// count. Local. 6.4.1.
int EP_Comm_compare(EP_Comm comm1, EP_Comm comm2, int* result);
/// Makes a communicator of `group`; endpoints outside it pass EP_GROUP_EMPTY (or another, disjoint
/// group) and the former get EP_COMM_NULL. On an intercommunicator, `group` is of the local group
/// and the same at all of its endpoints; the result is an intercommunicator of the groups of both
/// sides, or EP_COMM_NULL at both if one side's group is empty. EP_ERR_GROUP for members that are
/// not in `comm`. Collective over `comm`. 6.4.2.
int EP_Comm_create(EP_Comm comm, EP_Group group, EP_Comm* out);
/// Makes a communicator of `group`, collective over its members only; others may call it and get
/// EP_COMM_NULL. `tag` tells calls apart that run at the same time. Intracommunicators only.
/// EP_ERR_GROUP as above. 6.4.2.
int EP_Comm_create_group(EP_Comm comm, EP_Group group, int tag, EP_Comm* out);
/// Splits like EP_Comm_split, by what endpoints share; EP_UNDEFINED gives EP_COMM_NULL. All others
/// give one `type`:
/// - EP_COMM_TYPE_SHARED: the node.
/// - EP_COMM_TYPE_HW_GUIDED: the kind of hardware that info key mpi_hw_resource_type names (core,
///   l2, l3, numa, package, node, hwloc's names of them, or mpi_shared_memory). EP_COMM_NULL for
///   other kinds, and for a thread that may run on several objects of the kind.
/// - EP_COMM_TYPE_HW_UNGUIDED: the widest kind at which not all of `comm` are together, which the
///   key names among the hints of `out`. EP_COMM_NULL if there is none.
///
/// Where an endpoint is, and info key ep_shmem_cpus, are as for EP_Shmem_comm_create. Otherwise
/// `info` is read as by EP_Comm_set_info. Different or unknown types are EP_ERR_ARG at all
/// endpoints. Collective. Intracommunicators only. 6.4.2, MPI-4.0 7.4.2.
int EP_Comm_split_type(EP_Comm comm, int type, int key, MPI_Info info, EP_Comm* out);
/// Duplicates like EP_Comm_dup, with `info` instead of the parent's hints, read as by
/// EP_Comm_set_info. Collective. 6.4.2.
int EP_Comm_dup_with_info(EP_Comm comm, MPI_Info info, EP_Comm* out);
/// Duplicates like EP_Comm_dup without waiting: `out` may be used when the request is complete.
/// Copy functions of attributes are called at once. Collective. 6.4.2.
int EP_Comm_idup(EP_Comm comm, EP_Comm* out, EP_Request* request);
/// Does the same with `info` instead of the parent's hints. An unknown value of a key that the
/// library reads is the error of the call that completes the request, at all endpoints. Collective.
/// MPI-4.0 7.4.2.
int EP_Comm_idup_with_info(EP_Comm comm, MPI_Info info, EP_Comm* out, EP_Request* request);

/// Returns the name that EP_Comm_set_name gave, or an empty one: at most EP_MAX_OBJECT_NAME bytes
/// with the final zero. Names are not inherited. Local. 6.8.
int EP_Comm_get_name(EP_Comm comm, char* name, int* length);
/// Keeps hints with the endpoint and gives them to its duplicates. The library itself reads three
/// keys. ep_check_types: see EP_Comm_create_endpoints. ep_reduction, on which all endpoints agree:
/// `fast` holds from then on if nobody wants the order kept. ep_algorithm: the algorithms by which
/// collectives are done between processes ("allreduce=ring,bcast=pipelined"), where these can do
/// what is asked for; of several values, that of the lowest rank or process counts.
/// EP_ERR_INFO_VALUE at all endpoints, with the known values, if one endpoint gives an unknown
/// value. Collective. 6.4.4.
int EP_Comm_set_info(EP_Comm comm, MPI_Info info);
/// Returns the kept hints in a new object, to be freed with MPI_Info_free. Local. 6.4.4.
int EP_Comm_get_info(EP_Comm comm, MPI_Info* info);

#ifdef __cplusplus
}
#endif

#endif
