/// @file
/// Groups, and what communicators have to do with them; included by <ep/ep.h>.
///
/// A group is an ordered set of endpoints. Duplicates, splits and subsets of a communicator have
/// the same endpoints as it has; EP_Comm_create_endpoints makes new ones, unless everyone asks for
/// exactly one. Functions of groups are local and may be called by any thread; groups are
/// immutable. A handle that is none is EP_ERR_GROUP, a rank beyond a group EP_ERR_RANK.
#ifndef EP_GROUPS_H
#define EP_GROUPS_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The group that this endpoint is ranked in, and for intercommunicators the other one. To be
/// freed.
int EP_Comm_group(EP_Comm comm, EP_Group* group);
int EP_Comm_remote_group(EP_Comm comm, EP_Group* group);

int EP_Group_size(EP_Group group, int* size);
/// Rank of the endpoint from whose communicator the group was made, or EP_UNDEFINED.
int EP_Group_rank(EP_Group group, int* rank);
int EP_Group_translate_ranks(EP_Group from, int count, const int ranks[], EP_Group to, int out[]);
int EP_Group_compare(EP_Group group1, EP_Group group2, int* result);
int EP_Group_union(EP_Group group1, EP_Group group2, EP_Group* out);
int EP_Group_intersection(EP_Group group1, EP_Group group2, EP_Group* out);
int EP_Group_difference(EP_Group group1, EP_Group group2, EP_Group* out);
int EP_Group_incl(EP_Group group, int count, const int ranks[], EP_Group* out);
int EP_Group_excl(EP_Group group, int count, const int ranks[], EP_Group* out);
int EP_Group_range_incl(EP_Group group, int count, int ranges[][3], EP_Group* out);
int EP_Group_range_excl(EP_Group group, int count, int ranges[][3], EP_Group* out);
int EP_Group_free(EP_Group* group);

/// EP_IDENT for one handle, EP_CONGRUENT for the same endpoints in one order, EP_SIMILAR in
/// another. Local.
int EP_Comm_compare(EP_Comm comm1, EP_Comm comm2, int* result);
/// Collective over `comm`; endpoints outside `group` pass EP_GROUP_EMPTY (or another, disjoint
/// group) and the former get EP_COMM_NULL. Of an intercommunicator, `group` is of the local group
/// and the same at all of its endpoints; the result is an intercommunicator of the groups of both
/// sides, or EP_COMM_NULL at both if one side's is empty.
int EP_Comm_create(EP_Comm comm, EP_Group group, EP_Comm* out);
/// Collective over the members of `group` only. `tag` tells calls apart that run at once.
int EP_Comm_create_group(EP_Comm comm, EP_Group group, int tag, EP_Comm* out);
/// Collective. `type` is EP_COMM_TYPE_SHARED (endpoints on one node) or EP_UNDEFINED.
int EP_Comm_split_type(EP_Comm comm, int type, int key, MPI_Info info, EP_Comm* out);
/// As EP_Comm_dup, with `info` instead of the parent's. Collective.
int EP_Comm_dup_with_info(EP_Comm comm, MPI_Info info, EP_Comm* out);
/// Collective, and nobody waits: `out` may be used when the request is complete.
int EP_Comm_idup(EP_Comm comm, EP_Comm* out, EP_Request* request);

/// Local; at most EP_MAX_OBJECT_NAME bytes with the final zero. Names are not inherited.
int EP_Comm_get_name(EP_Comm comm, char* name, int* length);
/// Collective. Kept with the endpoint and given to its duplicates. The library itself reads
/// ep_check_types (see EP_Comm_create_endpoints) and ep_reduction (collectives.h), on which all
/// agree: `fast` holds from here on if nobody wants the order kept. EP_ERR_INFO_VALUE at all when
/// one names another value.
int EP_Comm_set_info(EP_Comm comm, MPI_Info info);
/// Local. A new object, to be freed with MPI_Info_free.
int EP_Comm_get_info(EP_Comm comm, MPI_Info* info);

#ifdef __cplusplus
}
#endif

#endif
