/// @file
/// Attributes: what programs and libraries attach to communicators; included by <ep/ep.h>.
///
/// All local. Keyvals are the process's, made and freed by any thread; attributes the endpoint's:
/// siblings do not see them, and one thread at a time uses them. Values stay the program's, the
/// library only keeps the pointers. EP_ERR_KEYVAL for a keyval that is freed, predefined where it
/// must not be, or none; EP_ERR_COMM; EP_ERR_ARG for a null pointer to a result. MPI-3.1 6.7.2,
/// predefined ones 8.1.2.
#ifndef EP_ATTRIBUTES_H
#define EP_ATTRIBUTES_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EP_KEYVAL_INVALID 0
// Predefined, with values of type int*, read-only.
#define EP_TAG_UB 1
#define EP_HOST 2
#define EP_IO 3
#define EP_WTIME_IS_GLOBAL 4
#define EP_UNIVERSE_SIZE 5
#define EP_LASTUSEDCODE 6
#define EP_APPNUM 7
/// The most endpoints that EP_Comm_create_endpoints makes in one process.
#define EP_COMM_MAX_ENDPOINTS 8
/// 1 if all endpoints of the communicator (of both groups) are on one node, so that memory which
/// they share can be created there; else 0. See EP_Shmem_comm_create.
#define EP_COMM_SHARES_MEMORY 9

/// Called by EP_Comm_dup and its kind for each attribute; `*flag` = 0 leaves it out, else the new
/// value is written to the pointer that `value_out` points to. An error fails the duplication.
typedef int EP_Comm_copy_attr_function(EP_Comm comm, int keyval, void* extra_state, void* value,
                                       void* value_out, int* flag);
/// Called when an attribute is overwritten or deleted and when its communicator is freed. An error
/// fails that call, which then has no effect.
typedef int EP_Comm_delete_attr_function(EP_Comm comm, int keyval, void* value, void* extra_state);

#define EP_COMM_NULL_COPY_FN EP_NULL_OF(EP_Comm_copy_attr_function*)
#define EP_COMM_NULL_DELETE_FN EP_NULL_OF(EP_Comm_delete_attr_function*)
/// A copy function that hands on the value.
#define EP_COMM_DUP_FN EP_Comm_dup_fn
/// The same as a function.
int EP_Comm_dup_fn(EP_Comm comm, int keyval, void* extra_state, void* value, void* value_out,
                   int* flag);

/// A new keyval; `copy` and `remove` are called with `extra_state`. To be freed.
int EP_Comm_create_keyval(EP_Comm_copy_attr_function* copy, EP_Comm_delete_attr_function* remove,
                          int* keyval, void* extra_state);
/// Frees the keyval and sets it to EP_KEYVAL_INVALID; attributes that exist go on.
int EP_Comm_free_keyval(int* keyval);
/// Sets or overwrites the calling endpoint's attribute. `value` stays the program's.
int EP_Comm_set_attr(EP_Comm comm, int keyval, void* value);
/// Whether the calling endpoint has the attribute, and its value: `value` points to a pointer. A
/// pointer to a predefined value is valid until the thread asks for the same one again.
int EP_Comm_get_attr(EP_Comm comm, int keyval, void* value, int* flag);
/// Deletes the calling endpoint's attribute, if there is one.
int EP_Comm_delete_attr(EP_Comm comm, int keyval);

#ifdef __cplusplus
}
#endif

#endif
