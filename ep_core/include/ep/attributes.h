/// @file
/// Attributes that programs and libraries attach to communicators; included by <ep/ep.h>.
///
/// All functions are local. Keyvals belong to the process; any thread makes and frees them.
/// Attributes belong to the endpoint: siblings do not see them, and one thread at a time uses them.
/// Values stay the program's; the library keeps only the pointers. Errors: EP_ERR_KEYVAL for a
/// keyval that is freed, unknown, or predefined where it must not be; EP_ERR_COMM; EP_ERR_ARG for a
/// null pointer to a result. MPI-3.1 6.7.2, predefined attributes 8.1.2.
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
/// Largest number of endpoints that EP_Comm_create_endpoints makes in one process.
#define EP_COMM_MAX_ENDPOINTS 8
/// 1 if all endpoints of the communicator (of both groups) are on one node, so that they can create
/// shared memory there; else 0. See EP_Shmem_comm_create.
#define EP_COMM_SHARES_MEMORY 9

/// Decides what a duplicate gets of an attribute; EP_Comm_dup and its kind call it for each one.
/// `*flag` = 0 leaves the attribute out; otherwise the function writes the new value to the pointer
/// that `value_out` points to. An error fails the duplication.
typedef int EP_Comm_copy_attr_function(EP_Comm comm, int keyval, void* extra_state, void* value,
                                       void* value_out, int* flag);
/// Is called when an attribute is overwritten or deleted and when its communicator is freed. An
/// error fails that call, which then has no effect.
typedef int EP_Comm_delete_attr_function(EP_Comm comm, int keyval, void* value, void* extra_state);

#define EP_COMM_NULL_COPY_FN EP_NULL_OF(EP_Comm_copy_attr_function*)
#define EP_COMM_NULL_DELETE_FN EP_NULL_OF(EP_Comm_delete_attr_function*)
/// A copy function that copies the value.
#define EP_COMM_DUP_FN EP_Comm_dup_fn
/// Copies the value of an attribute to a duplicate.
int EP_Comm_dup_fn(EP_Comm comm, int keyval, void* extra_state, void* value, void* value_out,
                   int* flag);

/// Makes a keyval, to be freed; the library passes `extra_state` to `copy` and `remove`.
int EP_Comm_create_keyval(EP_Comm_copy_attr_function* copy, EP_Comm_delete_attr_function* remove,
                          int* keyval, void* extra_state);
/// Frees the keyval and sets it to EP_KEYVAL_INVALID; existing attributes stay.
int EP_Comm_free_keyval(int* keyval);
/// Sets or overwrites the attribute of the calling endpoint. `value` stays the program's.
int EP_Comm_set_attr(EP_Comm comm, int keyval, void* value);
/// Gets the attribute of the calling endpoint; `*flag` tells whether it has one. `value` points to
/// a pointer. A pointer to a predefined value is valid until the thread asks for the same one
/// again.
int EP_Comm_get_attr(EP_Comm comm, int keyval, void* value, int* flag);
/// Deletes the attribute of the calling endpoint, if it has one.
int EP_Comm_delete_attr(EP_Comm comm, int keyval);

#ifdef __cplusplus
}
#endif

#endif
