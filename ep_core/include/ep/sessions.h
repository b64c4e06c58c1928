/// @file
/// Sessions: communicators that do not derive from a world communicator; included by <ep/ep.h>.
///
/// A session belongs to the endpoint to which the calling thread is attached. It has these process
/// sets:
/// - mpi://WORLD: all endpoints, as EP_COMM_ENDPOINTS;
/// - mpi://SELF: the endpoint alone;
/// - ep://CLIQUE: the endpoints of its process;
/// - ep://PROCESSES: the first endpoint of each process.
///
/// Groups created from process sets are like other groups and belong to no session. Several
/// sessions may be open at a time, also together with EP_Init_thread; each counts as a call of it.
/// One thread at a time uses a session. The caller owns the strings. Functions fail with
/// EP_ERR_SESSION for an unknown handle. Errors go to the handler of the session, or to the one
/// given to the call. Numbers after functions are sections of MPI-4.0.
#ifndef EP_SESSIONS_H
#define EP_SESSIONS_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ep_session* EP_Session;
#define EP_SESSION_NULL EP_NULL_OF(EP_Session)
/// EP_MAX_PSET_NAME_LEN: length of the longest name of a process set, with the final zero;
/// EP_MAX_STRINGTAG_LEN: that of the longest tag that is a string.
#ifdef MPI_MAX_STRINGTAG_LEN
#define EP_MAX_PSET_NAME_LEN MPI_MAX_PSET_NAME_LEN
#define EP_MAX_STRINGTAG_LEN MPI_MAX_STRINGTAG_LEN
#else
#define EP_MAX_PSET_NAME_LEN 256
#define EP_MAX_STRINGTAG_LEN 256
#endif

/// Opens a session. If neither EP_Init_thread nor another session has initialised the library, it
/// does so as EP_Init_thread does and is collective over MPI_COMM_WORLD; otherwise it is local. The
/// info key thread_level (MPI_THREAD_SINGLE ... MPI_THREAD_MULTIPLE, the default) is the requested
/// level; the call fails with EP_ERR_INFO_VALUE for an unknown level. MPI is initialised with the
/// level that the first session requests. 11.3.1.
int EP_Session_init(MPI_Info info, EP_Errhandler errhandler, EP_Session* session);
/// Closes a session and sets the handle to EP_SESSION_NULL. As with EP_Finalize, the last pairing
/// call finalizes the library and MPI, which cannot be initialised again. So, unlike in MPI,
/// EP_Session_init fails with EP_ERR_OTHER afterwards; keep a session open if libraries use
/// sessions one after the other. 11.3.1.
int EP_Session_finalize(EP_Session* session);
/// Returns the number of process sets. Ignores `info`. Local. 11.3.2.
int EP_Session_get_num_psets(EP_Session session, MPI_Info info, int* count);
/// Returns the name of process set `n`, truncated to `*length` bytes with the final zero; if
/// `*length` is 0, `name` is not touched. Sets `*length` to the size of the whole name. Fails with
/// EP_ERR_ARG for an unknown set. Local. 11.3.2.
int EP_Session_get_nth_pset(EP_Session session, MPI_Info info, int n, int* length, char* name);
/// Returns a new info object, which the caller frees, with the key mpi_size: the number of members.
/// Fails with EP_ERR_ARG for an unknown set. Local. 11.3.2.
int EP_Session_get_pset_info(EP_Session session, const char* name, MPI_Info* info);
/// Returns a new info object, which the caller frees, with the key thread_level: the granted level.
/// Local. 11.3.1.
int EP_Session_get_info(EP_Session session, MPI_Info* info);
/// Creates the group of a process set. The caller frees it. Fails with EP_ERR_ARG for an unknown
/// set. Local. 7.3.2.
int EP_Group_from_session_pset(EP_Session session, const char* name, EP_Group* group);

/// Creates a communicator of the members of `group`: endpoints of mpi://WORLD, among them the
/// caller's. Returns EP_COMM_NULL at once for EP_GROUP_EMPTY. `tag` distinguishes concurrent calls;
/// it has less than EP_MAX_STRINGTAG_LEN characters, otherwise the call fails with EP_ERR_ARG.
/// `info` is read as by EP_Comm_set_info. Errors go to `errhandler`, which also becomes the handler
/// of the communicator. Fails with EP_ERR_GROUP for other members. Collective over the members.
/// 7.4.2.
int EP_Comm_create_from_group(EP_Group group, const char* tag, MPI_Info info,
                              EP_Errhandler errhandler, EP_Comm* out);
/// Creates an intercommunicator of two such groups without common members. `remote` and
/// `remote_leader`, the rank there of the other leader, are significant at the leader only. An
/// invalid leader is an error on both sides. Returns EP_COMM_NULL at once if either group is empty.
/// Collective over both groups. 7.6.2.
int EP_Intercomm_create_from_groups(EP_Group local, int local_leader, EP_Group remote,
                                    int remote_leader, const char* tag, MPI_Info info,
                                    EP_Errhandler errhandler, EP_Comm* out);

/// Function type of an error handler for sessions. It receives the session and the error code; see
/// EP_Comm_errhandler_function.
typedef void EP_Session_errhandler_function(EP_Session* session, int* code, ...);
/// Creates an error handler that calls `function`. The caller frees it with EP_Errhandler_free.
/// Local. 9.3.4.
int EP_Session_create_errhandler(EP_Session_errhandler_function* function,
                                 EP_Errhandler* errhandler);
/// Sets the handler of the session. Fails with EP_ERR_ARG for a handler of another kind of object.
/// Local. 9.3.4.
int EP_Session_set_errhandler(EP_Session session, EP_Errhandler errhandler);
/// Returns the handler of the session; the caller frees it with EP_Errhandler_free. Local. 9.3.4.
int EP_Session_get_errhandler(EP_Session session, EP_Errhandler* errhandler);
/// Calls the session's handler with `code`; returns EP_SUCCESS if the handler returns. Local. 9.5.
int EP_Session_call_errhandler(EP_Session session, int code);
/// Returns the Fortran integer of a handle.
MPI_Fint EP_Session_c2f(EP_Session session);
/// Returns the handle of a Fortran integer; every function refuses it if the integer is no handle.
EP_Session EP_Session_f2c(MPI_Fint session);

#ifdef __cplusplus
}
#endif

#endif
