/// @file
/// Sessions: communicators without a world to begin with; included by <ep/ep.h>.
///
/// A session belongs to the endpoint to which the calling thread is attached. Its process sets:
/// - mpi://WORLD: all endpoints, as EP_COMM_ENDPOINTS;
/// - mpi://SELF: the endpoint alone;
/// - ep://CLIQUE: the endpoints of its process;
/// - ep://PROCESSES: the first endpoint of each process.
/// Groups of them are as other groups, and belong to no session.
///
/// Several sessions may be open at a time, also beside EP_Init_thread, which each of them counts
/// as. One thread at a time uses a session. Strings are the caller's. A handle that is none is
/// EP_ERR_SESSION. Errors meet the handler of the session, or that given to the call, first the
/// predefined ones. Numbers after functions are sections of MPI-4.0.
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

/// Begins a session. Where neither EP_Init_thread nor another session began the library, it does so
/// as EP_Init_thread: collective over MPI_COMM_WORLD then, else local. Info key thread_level
/// (MPI_THREAD_SINGLE ... MPI_THREAD_MULTIPLE, which is the default) is what is asked for; an
/// unknown level is EP_ERR_INFO_VALUE. What the first asks for is what MPI gets. 11.3.1.
int EP_Session_init(MPI_Info info, EP_Errhandler errhandler, EP_Session* session);
/// Ends it and sets the handle to EP_SESSION_NULL; as EP_Finalize: with the last of what began the
/// library this ends it, and MPI with it, which cannot begin again: unlike MPI's, sessions after
/// the last one are EP_ERR_OTHER. Keep one open where libraries follow each other. 11.3.1.
int EP_Session_finalize(EP_Session* session);
/// The number of process sets. `info` is not looked at. Local. 11.3.2.
int EP_Session_get_num_psets(EP_Session session, MPI_Info info, int* count);
/// The name of set `n`, cut to `*length` bytes with the final zero; with 0 bytes `name` is not
/// looked at. `*length` becomes what the whole name takes. EP_ERR_ARG for a set that there is not.
/// Local. 11.3.2.
int EP_Session_get_nth_pset(EP_Session session, MPI_Info info, int n, int* length, char* name);
/// In a new object, to be freed: mpi_size, the number of members. EP_ERR_ARG for a set that there
/// is not. Local. 11.3.2.
int EP_Session_get_pset_info(EP_Session session, const char* name, MPI_Info* info);
/// In a new object, to be freed: thread_level, what was granted. Local. 11.3.1.
int EP_Session_get_info(EP_Session session, MPI_Info* info);
/// The members of a process set. To be freed. EP_ERR_ARG for a set that there is not. Local.
/// 7.3.2.
int EP_Group_from_session_pset(EP_Session session, const char* name, EP_Group* group);

/// A communicator of the members of `group`, endpoints of mpi://WORLD, among them the caller's;
/// EP_COMM_NULL for EP_GROUP_EMPTY, at once.
/// Collective over them; `tag` (less than EP_MAX_STRINGTAG_LEN characters, EP_ERR_ARG otherwise)
/// tells calls apart that run at once. `info` is read as by EP_Comm_set_info. Errors meet
/// `errhandler`, which is also that of the communicator. EP_ERR_GROUP for other members. 7.4.2.
int EP_Comm_create_from_group(EP_Group group, const char* tag, MPI_Info info,
                              EP_Errhandler errhandler, EP_Comm* out);
/// An intercommunicator of two such groups without common members; the remote one counts at the
/// leader, whose partner has rank `remote_leader` there. A wrong leader is an error on both sides.
/// EP_COMM_NULL, at once, if either is empty. Collective over both. 7.6.2.
int EP_Intercomm_create_from_groups(EP_Group local, int local_leader, EP_Group remote,
                                    int remote_leader, const char* tag, MPI_Info info,
                                    EP_Errhandler errhandler, EP_Comm* out);

/// Called with the session and the code, as EP_Comm_errhandler_function.
typedef void EP_Session_errhandler_function(EP_Session* session, int* code, ...);
/// A handler that calls `function`. To be freed. Local. 9.3.4.
int EP_Session_create_errhandler(EP_Session_errhandler_function* function,
                                 EP_Errhandler* errhandler);
/// EP_ERR_ARG for a handler of other objects. Local. 9.3.4.
int EP_Session_set_errhandler(EP_Session session, EP_Errhandler errhandler);
/// To be freed with EP_Errhandler_free. Local. 9.3.4.
int EP_Session_get_errhandler(EP_Session session, EP_Errhandler* errhandler);
/// Calls the session's handler with `code`; returns EP_SUCCESS if it comes back. Local. 9.5.
int EP_Session_call_errhandler(EP_Session session, int code);
/// The integer of a handle, for Fortran.
MPI_Fint EP_Session_c2f(EP_Session session);
/// The handle of an integer; one that no function takes if it is none's.
EP_Session EP_Session_f2c(MPI_Fint session);

#ifdef __cplusplus
}
#endif

#endif
