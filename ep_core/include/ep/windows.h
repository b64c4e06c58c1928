/// @file
/// Windows: memory of endpoints that others read and write; included by <ep/ep.h>. <ep/rma.h> has
/// the accesses.
///
/// A window is made collectively. Each endpoint has a handle and a segment of its own: a base, a
/// size and a displacement unit. Segments of endpoints of one process may overlap; conflicting
/// accesses to memory in two segments have no defined outcome. A window has its own communication
/// context and may outlive the communicator of which it was made. Inside a process, and in windows
/// of shared memory, loads, stores and atomics move the data; between processes windows of MPI do.
///
/// Making a window is collective over `comm`, an intracommunicator unless a function says
/// otherwise. An error in the arguments of one endpoint (EP_ERR_SIZE for a negative size,
/// EP_ERR_DISP for a displacement unit that is not positive, EP_ERR_BASE for a null base of a
/// segment that is not empty, EP_ERR_INFO_VALUE) fails the call everywhere, through the error
/// handler of `comm`. A new window has EP_ERRORS_ARE_FATAL, no name and no attributes. Windows are
/// to be freed. Cost: two exchanges between processes, O(endpoints) numbers at each.
///
/// Info keys read: no_locks (locks are EP_ERR_RMA_SYNC then), same_size, same_disp_unit (checked),
/// alloc_shared_noncontig; ep_role, ep_dynamic (EP_Win_create_client_server). accumulate_ordering
/// and accumulate_ops are checked and kept: accumulates are always ordered.
///
/// One thread at a time for each endpoint calls the functions of a window; their errors go to the
/// window's error handler. Errors beside those named: EP_ERR_WIN for a handle that is null, freed
/// or unknown, EP_ERR_ARG for a null pointer to a result. Numbers after functions are sections of
/// MPI-3.1.
#ifndef EP_WINDOWS_H
#define EP_WINDOWS_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Makes a window of `size` bytes at `base`, which stay the program's. Displacements of accesses to
/// it count `disp_unit` bytes. 11.2.1.
int EP_Win_create(void* base, MPI_Aint size, int disp_unit, MPI_Info info, EP_Comm comm,
                  EP_Win* win);
/// Makes a window with memory of its own, aligned for any type and not initialised; `baseptr`
/// points to a pointer to it, valid until EP_Win_free. If all processes are on one node and
/// /dev/shm has room, they access it directly (EP_SHM=0 in the environment: through MPI).
/// EP_ERR_NO_MEM. 11.2.2.
int EP_Win_allocate(MPI_Aint size, int disp_unit, MPI_Info info, EP_Comm comm, void* baseptr,
                    EP_Win* win);
/// Makes a window with memory from which all endpoints may load and to which all may store: one
/// block in order of rank, without gaps unless alloc_shared_noncontig is "true". EP_ERR_RMA_SHARED
/// where an endpoint is on another node. 11.2.3.
int EP_Win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, EP_Comm comm, void* baseptr,
                           EP_Win* win);
/// Returns where the caller's process sees the segment of `rank` in a window of
/// EP_Win_allocate_shared; EP_PROC_NULL asks for the lowest rank with a segment that is not empty.
/// No result may be null. EP_ERR_RMA_FLAVOR for other windows, EP_ERR_RANK. Local. 11.2.3.
int EP_Win_shared_query(EP_Win win, int rank, MPI_Aint* size, int* disp_unit, void* baseptr);
/// Makes a window without memory: endpoints attach theirs, and displacements are addresses of the
/// target (MPI_Get_address). 11.2.4.
int EP_Win_create_dynamic(MPI_Info info, EP_Comm comm, EP_Win* win);
/// Attaches `size` bytes at `base` to a dynamic window, before others access them. An access may
/// span memory that was attached side by side; an attachment of no bytes (`base` may be null)
/// overlaps nothing. EP_ERR_RMA_ATTACH if the bytes overlap what this endpoint has attached,
/// EP_ERR_RMA_FLAVOR for other windows, EP_ERR_SIZE, EP_ERR_BASE. Local. 11.2.4.
int EP_Win_attach(EP_Win win, void* base, MPI_Aint size);
/// Detaches the memory that was attached at `base`. EP_ERR_RMA_ATTACH if none was. Local. 11.2.4.
int EP_Win_detach(EP_Win win, const void* base);
/// Makes a window of clients and servers, the two groups of `intercomm`, which may share processes.
/// An endpoint accesses endpoints of the other group only, by their rank there. Clients are the
/// group with info key ep_role "client" (at all of them; "server" at the others); without the key
/// the group that has more endpoints in one process, or the first. If N is the largest number of
/// clients in any process, there are N windows of MPI (plus one for each further endpoint that
/// shares its place in them): client number i of its process is the target of window i, and
/// accesses a server through it; the memory of servers is in all of them. Otherwise as
/// EP_Win_create, or with ep_dynamic "true" at all as EP_Win_create_dynamic. EP_ERR_COMM for an
/// intracommunicator. Collective over both groups.
int EP_Win_create_client_server(void* base, MPI_Aint size, int disp_unit, MPI_Info info,
                                EP_Comm intercomm, EP_Win* win);
/// Frees the window, deletes its attributes and sets the handle to EP_WIN_NULL. When it returns,
/// nobody accesses the caller's segment any more. EP_ERR_RMA_SYNC at all endpoints, and the window
/// stays, if one of them is in an epoch (that of a fence without accesses does not count).
/// Collective over the window. 11.2.5.
int EP_Win_free(EP_Win* win);

/// Returns the endpoints of the window; for EP_Win_create_client_server, those that the caller may
/// access. To be freed. Local. 11.2.6.
int EP_Win_get_group(EP_Win win, EP_Group* group);
/// Keeps the hints in `info` for this endpoint; other hints stay, and so does no_locks. A wrong
/// value at one endpoint is EP_ERR_INFO_VALUE at all. Collective. 11.2.7.
int EP_Win_set_info(EP_Win win, MPI_Info info);
/// Returns the hints, defaults included, in a new object, to be freed with MPI_Info_free. Local.
/// 11.2.7.
int EP_Win_get_info(EP_Win win, MPI_Info* info);
/// Names the window of this endpoint: keeps a copy, cut to EP_MAX_OBJECT_NAME bytes with the final
/// zero, which the watchdog prints. Local. 6.8.
int EP_Win_set_name(EP_Win win, const char* name);
/// Returns the name that EP_Win_set_name gave, or an empty one: at most EP_MAX_OBJECT_NAME bytes
/// with the final zero. Local. 6.8.
int EP_Win_get_name(EP_Win win, char* name, int* length);

// Attributes, as those of communicators (attributes.h). 6.7.3; predefined ones 11.2.6.

/// Predefined keyvals, none of them one of communicators. The value of this one is the address of
/// the segment itself, not a pointer to it.
#define EP_WIN_BASE 17
#define EP_WIN_SIZE 18           ///< MPI_Aint*
#define EP_WIN_DISP_UNIT 19      ///< int*
#define EP_WIN_CREATE_FLAVOR 20  ///< int*, EP_WIN_FLAVOR_...
#define EP_WIN_MODEL 21          ///< int*, always EP_WIN_UNIFIED
#define EP_WIN_FLAVOR_CREATE MPI_WIN_FLAVOR_CREATE
#define EP_WIN_FLAVOR_ALLOCATE MPI_WIN_FLAVOR_ALLOCATE
#define EP_WIN_FLAVOR_DYNAMIC MPI_WIN_FLAVOR_DYNAMIC
#define EP_WIN_FLAVOR_SHARED MPI_WIN_FLAVOR_SHARED
#define EP_WIN_SEPARATE MPI_WIN_SEPARATE
#define EP_WIN_UNIFIED MPI_WIN_UNIFIED

/// Is never called: windows are not duplicated.
typedef int EP_Win_copy_attr_function(EP_Win win, int keyval, void* extra_state, void* value,
                                      void* value_out, int* flag);
/// Is called when an attribute is overwritten or deleted and when its window is freed. An error
/// fails that call.
typedef int EP_Win_delete_attr_function(EP_Win win, int keyval, void* value, void* extra_state);
#define EP_WIN_NULL_COPY_FN EP_NULL_OF(EP_Win_copy_attr_function*)
#define EP_WIN_NULL_DELETE_FN EP_NULL_OF(EP_Win_delete_attr_function*)
/// A copy function for programs that name it; copies the value.
#define EP_WIN_DUP_FN EP_Win_dup_fn
/// Copies the value.
int EP_Win_dup_fn(EP_Win win, int keyval, void* extra_state, void* value, void* value_out,
                  int* flag);

/// Makes a keyval, to be freed; the library passes `extra_state` to `remove`. Any thread.
int EP_Win_create_keyval(EP_Win_copy_attr_function* copy, EP_Win_delete_attr_function* remove,
                         int* keyval, void* extra_state);
/// Frees the keyval and sets it to EP_KEYVAL_INVALID; existing attributes stay. EP_ERR_KEYVAL. Any
/// thread.
int EP_Win_free_keyval(int* keyval);
/// Sets or overwrites the attribute of the calling endpoint. `value` stays the program's.
/// EP_ERR_KEYVAL. Local.
int EP_Win_set_attr(EP_Win win, int keyval, void* value);
/// Gets the attribute of the calling endpoint; `*flag` tells whether it has one. `value` points to
/// a pointer. Predefined values are valid as long as the window. EP_ERR_KEYVAL. Local.
int EP_Win_get_attr(EP_Win win, int keyval, void* value, int* flag);
/// Deletes the attribute of the calling endpoint, if it has one. EP_ERR_KEYVAL. Local.
int EP_Win_delete_attr(EP_Win win, int keyval);

// Error handlers, as those of communicators (errors.h). 8.3.2.

/// Handles an error: the thread whose call failed calls it with the endpoint's window and the code.
/// When it returns, the failed call returns the code.
typedef void EP_Win_errhandler_function(EP_Win* win, int* code, ...);
/// Makes a handler for windows that calls `function`. To be freed with EP_Errhandler_free.
int EP_Win_create_errhandler(EP_Win_errhandler_function* function, EP_Errhandler* errhandler);
/// Sets the handler of this endpoint only. EP_ERR_ARG for a handler of communicators. Local.
int EP_Win_set_errhandler(EP_Win win, EP_Errhandler errhandler);
/// Returns the handler of this endpoint. To be freed with EP_Errhandler_free. Local.
int EP_Win_get_errhandler(EP_Win win, EP_Errhandler* errhandler);
/// Calls the endpoint's handler with `code`; returns EP_SUCCESS if the handler returns. Local.
int EP_Win_call_errhandler(EP_Win win, int code);

/// Returns the Fortran integer of a handle, as in environment.h. 17.2.4.
MPI_Fint EP_Win_c2f(EP_Win win);
/// Returns the handle of a Fortran integer; every function refuses it if the integer is no
/// handle. 17.2.4.
EP_Win EP_Win_f2c(MPI_Fint win);

#ifdef __cplusplus
}
#endif

#endif
