/// @file
/// Sessions: communicators without a world to begin with; included by <ep/ep.h>.
///
/// A session belongs to the endpoint to which the calling thread is attached. It has these process
/// sets:
/// - mpi://WORLD: all endpoints, as EP_COMM_ENDPOINTS;
/// - mpi://SELF: the endpoint alone;
/// - ep://CLIQUE: the endpoints of its process;
/// - ep://PROCESSES: the first endpoint of each process.
///
/// Groups of process sets are like other groups and belong to no session. Several sessions may be
/// open at a time, also beside EP_Init_thread; each counts as a call of it. One thread at a time
/// uses a session. Strings are the caller's. An unknown handle is EP_ERR_SESSION. Errors go to the
/// handler of the session, or to the one given to the call. Numbers after functions are sections of
/// MPI-4.0.
#ifndef EP_SESSIONS_H
#define EP_SESSIONS_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ep_session* EP_Session;
#define EP_SESSION_NULL EP_NULL_OF(EP_Session)
#define EP_ERR_SESSION MPI_ERR_SESSION
#define EP_ERR_PROC_ABORTED MPI_ERR_PROC_ABORTED
#define EP_ERR_VALUE_TOO_LARGE MPI_ERR_VALUE_TOO_LARGE
/// Characters of the longest name of a process set, with the final zero.
#define EP_MAX_PSET_NAME_LEN MPI_MAX_PSET_NAME_LEN
#define EP_MAX_STRINGTAG_LEN MPI_MAX_STRINGTAG_LEN

/// Begins a session. If neither EP_Init_thread nor another session has begun the library, it does
/// so as EP_Init_thread does, collective over MPI_COMM_WORLD; else it is local. Info key
/// thread_level (MPI_THREAD_SINGLE ... MPI_THREAD_MULTIPLE, which is the default) is the requested
/// level; an unknown level is EP_ERR_INFO_VALUE. MPI gets the level that the first session asks
/// for. 11.3.1.
int EP_Session_init(MPI_Info info, EP_Errhandler errhandler, EP_Session* session);
/// Ends a session and sets the handle to EP_SESSION_NULL. Like EP_Finalize, the last pairing call
/// ends the library and MPI, which cannot begin again: unlike with MPI's sessions, a session after
/// the last one is EP_ERR_OTHER. Keep one open where libraries follow each other. 11.3.1.
int EP_Session_finalize(EP_Session* session);
/// Returns the number of process sets. Ignores `info`. Local. 11.3.2.
int EP_Session_get_num_psets(EP_Session session, MPI_Info info, int* count);
/// Returns the name of set `n`, cut to `*length` bytes with the final zero; with 0 bytes `name` is
/// not touched. `*length` becomes the size of the whole name. EP_ERR_ARG for an unknown set. Local.
/// 11.3.2.
int EP_Session_get_nth_pset(EP_Session session, MPI_Info info, int n, int* length, char* name);
/// Returns a new info, to be freed, with mpi_size, the number of members. EP_ERR_ARG for an unknown
/// set. Local. 11.3.2.
int EP_Session_get_pset_info(EP_Session session, const char* name, MPI_Info* info);
/// Returns a new info, to be freed, with thread_level, the granted level. Local. 11.3.1.
int EP_Session_get_info(EP_Session session, MPI_Info* info);
/// Makes the group of a process set. To be freed. EP_ERR_ARG for an unknown set. Local. 7.3.2.
int EP_Group_from_session_pset(EP_Session session, const char* name, EP_Group* group);

/// Makes a communicator of the members of `group`, endpoints of mpi://WORLD, among them the
/// caller's; returns EP_COMM_NULL for EP_GROUP_EMPTY, at once. `tag` (less than
/// EP_MAX_STRINGTAG_LEN characters, EP_ERR_ARG otherwise) tells calls apart that run at the same
/// time. `info` is read as by EP_Comm_set_info. Errors go to `errhandler`, which also becomes the
/// handler of the communicator. EP_ERR_GROUP for other members. Collective over the members. 7.4.2.
int EP_Comm_create_from_group(EP_Group group, const char* tag, MPI_Info info,
                              EP_Errhandler errhandler, EP_Comm* out);
/// Makes an intercommunicator of two such groups without common members; the remote group matters
/// at the leader, whose partner has rank `remote_leader` there. A wrong leader is an error on both
/// sides. Returns EP_COMM_NULL, at once, if either group is empty. Collective over both. 7.6.2.
int EP_Intercomm_create_from_groups(EP_Group local, int local_leader, EP_Group remote,
                                    int remote_leader, const char* tag, MPI_Info info,
                                    EP_Errhandler errhandler, EP_Comm* out);

/// Handles an error, as EP_Comm_errhandler_function does; gets the session and the code.
typedef void EP_Session_errhandler_function(EP_Session* session, int* code, ...);
/// Makes a handler that calls `function`. To be freed. Local. 9.3.4.
int EP_Session_create_errhandler(EP_Session_errhandler_function* function,
                                 EP_Errhandler* errhandler);
/// Sets the handler of the session. EP_ERR_ARG for a handler of other objects. Local. 9.3.4.
int EP_Session_set_errhandler(EP_Session session, EP_Errhandler errhandler);
/// Returns the handler of the session. To be freed with EP_Errhandler_free. Local. 9.3.4.
int EP_Session_get_errhandler(EP_Session session, EP_Errhandler* errhandler);
/// Calls the session's handler with `code`; returns EP_SUCCESS if the handler returns. Local. 9.5.
int EP_Session_call_errhandler(EP_Session session, int code);
/// Returns the Fortran integer of a handle, for Fortran.
MPI_Fint EP_Session_c2f(EP_Session session);
/// Returns the handle of a Fortran integer; every function refuses it if the integer is no handle.
EP_Session EP_Session_f2c(MPI_Fint session);

#ifdef __cplusplus
}
#endif

#endif
