/// @file
/// Windows: memory of endpoints that other endpoints read and write; included by <ep/ep.h>.
/// <ep/rma.h> declares the accesses.
///
/// Windows are created collectively. Each endpoint has a handle and a segment of its own: a base, a
/// size and a displacement unit. Segments of endpoints of one process may overlap; conflicting
/// accesses to memory in two segments have no defined outcome. A window has its own communication
/// context and may outlive the communicator from which it was created. Inside a process, and in
/// windows of shared memory, loads, stores and atomics move the data; between processes, windows of
/// MPI move it.
///
/// The functions that create windows are collective over `comm`, an intracommunicator unless a
/// function says otherwise. An error in the arguments of one endpoint (EP_ERR_SIZE for a negative
/// size, EP_ERR_DISP for a displacement unit that is not positive, EP_ERR_BASE for a null base of a
/// segment that is not empty, EP_ERR_INFO_VALUE) fails the call at all endpoints, through the error
/// handler of `comm`. A new window has the handler EP_ERRORS_ARE_FATAL, no name and no attributes.
/// The caller frees it with EP_Win_free. Creation costs two exchanges between processes and
/// O(endpoints) memory per process.
///
/// The library reads these info keys: no_locks (locks then fail with EP_ERR_RMA_SYNC), same_size
/// and same_disp_unit (checked), alloc_shared_noncontig; ep_role and ep_dynamic
/// (EP_Win_create_client_server). It checks and keeps accumulate_ordering and accumulate_ops, but
/// accumulates are always ordered.
///
/// With MPI_THREAD_MULTIPLE several threads may access targets, flush, and lock and unlock
/// different targets for one endpoint at the same time; one thread at a time calls the other
/// functions of a window. Errors go to the window's error handler. Errors besides those named with
/// a function: EP_ERR_WIN for a handle that is null, freed or unknown, EP_ERR_ARG for a null
/// pointer to a result. Numbers after functions are sections of MPI-3.1.
#ifndef EP_WINDOWS_H
#define EP_WINDOWS_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Creates a window of `size` bytes at `base`. The program owns this memory and keeps it until
/// EP_Win_free. Displacements of accesses to it count units of `disp_unit` bytes. 11.2.1.
int EP_Win_create(void* base, MPI_Aint size, int disp_unit, MPI_Info info, EP_Comm comm,
                  EP_Win* win);
/// Creates a window and allocates its memory, aligned for any type and not initialised; `baseptr`
/// points to a pointer that receives its address, valid until EP_Win_free. If all processes are on
/// one node and /dev/shm has room, they access the memory directly, unless EP_SHM=0 in the
/// environment makes them use MPI. Fails with EP_ERR_NO_MEM. 11.2.2.
int EP_Win_allocate(MPI_Aint size, int disp_unit, MPI_Info info, EP_Comm comm, void* baseptr,
                    EP_Win* win);
/// Creates a window of shared memory, which all endpoints may access by loads and stores: one block
/// in rank order, without gaps unless alloc_shared_noncontig is "true". Fails with
/// EP_ERR_RMA_SHARED if an endpoint is on another node. 11.2.3.
int EP_Win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, EP_Comm comm, void* baseptr,
                           EP_Win* win);
/// Returns size, displacement unit and address in the caller's process of the segment of `rank`, in
/// a window of EP_Win_allocate_shared; EP_PROC_NULL stands for the lowest rank whose segment is not
/// empty. No result pointer may be null. Fails with EP_ERR_RMA_FLAVOR for other windows and with
/// EP_ERR_RANK. Local. 11.2.3.
int EP_Win_shared_query(EP_Win win, int rank, MPI_Aint* size, int* disp_unit, void* baseptr);
/// Creates a window without memory. Endpoints attach memory, and displacements are addresses at the
/// target (MPI_Get_address). 11.2.4.
int EP_Win_create_dynamic(MPI_Info info, EP_Comm comm, EP_Win* win);
/// Attaches `size` bytes at `base` to a dynamic window; other endpoints may access them from then
/// on. One access may span several adjacent attachments; an attachment of zero bytes (`base` may be
/// null) overlaps nothing. Fails with EP_ERR_RMA_ATTACH if the bytes overlap memory that this
/// endpoint has attached, with EP_ERR_RMA_FLAVOR for other windows, and with EP_ERR_SIZE or
/// EP_ERR_BASE. Local. 11.2.4.
int EP_Win_attach(EP_Win win, void* base, MPI_Aint size);
/// Detaches the memory that was attached at `base`. Fails with EP_ERR_RMA_ATTACH if there is none.
/// Local. 11.2.4.
int EP_Win_detach(EP_Win win, const void* base);
/// Creates a window of clients and servers, the two groups of `intercomm`, which may share
/// processes. An endpoint accesses endpoints of the other group only, by their ranks there. The
/// info key ep_role is "client" at all endpoints of one group and "server" at all of the other;
/// without it, clients are the group with more endpoints in one process, or else the first group.
/// If N is the largest number of clients in any process, the library creates N windows of MPI (plus
/// one for each further endpoint that shares its place in them). Client number i of its process is
/// the target in window i and accesses servers through it; the memory of servers is in all N
/// windows. In other respects the window is like one of EP_Win_create, or of EP_Win_create_dynamic
/// if all endpoints give ep_dynamic "true". Fails with EP_ERR_COMM for an intracommunicator.
/// Collective over both groups.
int EP_Win_create_client_server(void* base, MPI_Aint size, int disp_unit, MPI_Info info,
                                EP_Comm intercomm, EP_Win* win);
/// Frees the window, deletes its attributes and sets the handle to EP_WIN_NULL. When it returns, no
/// endpoint accesses the caller's segment any more. If an endpoint is in an epoch (other than a
/// fence epoch without accesses), the call fails with EP_ERR_RMA_SYNC at all endpoints and the
/// window stays. Collective over the window. 11.2.5.
int EP_Win_free(EP_Win* win);

/// Returns the group of the window's endpoints; for EP_Win_create_client_server, those that the
/// caller may access. The caller frees the group. Local. 11.2.6.
int EP_Win_get_group(EP_Win win, EP_Group* group);
/// Sets the hints in `info` for this endpoint; other hints stay, and no_locks cannot be changed.
/// Fails with EP_ERR_INFO_VALUE at all endpoints if one of them gives an invalid value. Collective.
/// 11.2.7.
int EP_Win_set_info(EP_Win win, MPI_Info info);
/// Returns the hints, defaults included, in a new info object; the caller frees it with
/// MPI_Info_free. Local. 11.2.7.
int EP_Win_get_info(EP_Win win, MPI_Info* info);
/// Sets the name of this endpoint's window, which the watchdog prints. The library keeps a copy,
/// truncated to EP_MAX_OBJECT_NAME bytes with the final zero. Local. 6.8.
int EP_Win_set_name(EP_Win win, const char* name);
/// Returns the name that EP_Win_set_name has set, or an empty string: at most EP_MAX_OBJECT_NAME
/// bytes with the final zero. Local. 6.8.
int EP_Win_get_name(EP_Win win, char* name, int* length);

// Attributes work as those of communicators (attributes.h). 6.7.3; predefined attributes 11.2.6.

/// Predefined keyvals, distinct from those of communicators. The value of EP_WIN_BASE is the
/// address of the segment itself, not a pointer to it.
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

/// Function type of a copy function. The library never calls it, since windows cannot be
/// duplicated.
typedef int EP_Win_copy_attr_function(EP_Win win, int keyval, void* extra_state, void* value,
                                      void* value_out, int* flag);
/// Function type that the library calls when an attribute is overwritten or deleted and when its
/// window is freed. If it returns an error, that call fails.
typedef int EP_Win_delete_attr_function(EP_Win win, int keyval, void* value, void* extra_state);
#define EP_WIN_NULL_COPY_FN EP_NULL_OF(EP_Win_copy_attr_function*)
#define EP_WIN_NULL_DELETE_FN EP_NULL_OF(EP_Win_delete_attr_function*)
/// The copy function EP_Win_dup_fn, for programs that name it.
#define EP_WIN_DUP_FN EP_Win_dup_fn
/// Copies the value of an attribute.
int EP_Win_dup_fn(EP_Win win, int keyval, void* extra_state, void* value, void* value_out,
                  int* flag);

/// Creates a keyval, which the caller frees; the library passes `extra_state` to `remove`. Any
/// thread.
int EP_Win_create_keyval(EP_Win_copy_attr_function* copy, EP_Win_delete_attr_function* remove,
                         int* keyval, void* extra_state);
/// Frees the keyval and sets it to EP_KEYVAL_INVALID; existing attributes stay. Fails with
/// EP_ERR_KEYVAL for an unknown or predefined keyval. Any thread.
int EP_Win_free_keyval(int* keyval);
/// Sets or overwrites the attribute of the calling endpoint. The program owns `value`. Fails with
/// EP_ERR_KEYVAL for an unknown or predefined keyval. Local.
int EP_Win_set_attr(EP_Win win, int keyval, void* value);
/// Returns the attribute of the calling endpoint; `value` points to a pointer, and `*flag` is 0 if
/// there is no such attribute. Predefined values are valid as long as the window exists. Fails with
/// EP_ERR_KEYVAL for an unknown keyval. Local.
int EP_Win_get_attr(EP_Win win, int keyval, void* value, int* flag);
/// Deletes the attribute of the calling endpoint, if it has one. Fails with EP_ERR_KEYVAL for an
/// unknown or predefined keyval. Local.
int EP_Win_delete_attr(EP_Win win, int keyval);

// Error handlers work as those of communicators (errors.h). 8.3.2.

/// Function type of an error handler for windows. The thread whose call failed calls it with the
/// endpoint's window and the error code. When the handler returns, the failed call returns the
/// code.
typedef void EP_Win_errhandler_function(EP_Win* win, int* code, ...);
/// Creates an error handler for windows that calls `function`. The caller frees it with
/// EP_Errhandler_free.
int EP_Win_create_errhandler(EP_Win_errhandler_function* function, EP_Errhandler* errhandler);
/// Sets the handler of this endpoint only. Fails with EP_ERR_ARG for a handler of another kind of
/// object. Local.
int EP_Win_set_errhandler(EP_Win win, EP_Errhandler errhandler);
/// Returns the handler of this endpoint; the caller frees it with EP_Errhandler_free. Local.
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
