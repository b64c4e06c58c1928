/// @file
/// Attributes that programs and libraries attach to communicators; included by <ep/ep.h>.
///
/// All functions are local. Keyvals belong to the process; any thread may create and free them.
/// Attributes belong to the endpoint: other endpoints do not see them, and one thread at a time
/// uses them. The program owns the values; the library keeps only the pointers. Errors:
/// EP_ERR_KEYVAL for a keyval that is freed, unknown, or predefined where it must not be;
/// EP_ERR_COMM; EP_ERR_ARG for a null pointer to a result. MPI-3.1 6.7.2, predefined attributes
/// 8.1.2.
#ifndef EP_ATTRIBUTES_H
#define EP_ATTRIBUTES_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EP_KEYVAL_INVALID 0
// Predefined keyvals. Their values have type int* and are read-only.
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

/// Function type that decides whether a duplicate gets an attribute; EP_Comm_dup and its variants
/// call it for each attribute. The function sets `*flag` to 0 to omit the attribute; otherwise it
/// writes the new value to the pointer that `value_out` points to. If it returns an error, the
/// duplication fails.
typedef int EP_Comm_copy_attr_function(EP_Comm comm, int keyval, void* extra_state, void* value,
                                       void* value_out, int* flag);
/// Function type that the library calls when an attribute is overwritten or deleted and when its
/// communicator is freed. If it returns an error, that call fails and has no effect.
typedef int EP_Comm_delete_attr_function(EP_Comm comm, int keyval, void* value, void* extra_state);

#define EP_COMM_NULL_COPY_FN EP_NULL_OF(EP_Comm_copy_attr_function*)
#define EP_COMM_NULL_DELETE_FN EP_NULL_OF(EP_Comm_delete_attr_function*)
/// The copy function EP_Comm_dup_fn, which copies the value.
#define EP_COMM_DUP_FN EP_Comm_dup_fn
/// Copies the value of an attribute to a duplicate.
int EP_Comm_dup_fn(EP_Comm comm, int keyval, void* extra_state, void* value, void* value_out,
                   int* flag);

/// Creates a keyval, which the caller frees; the library passes `extra_state` to `copy` and
/// `remove`.
int EP_Comm_create_keyval(EP_Comm_copy_attr_function* copy, EP_Comm_delete_attr_function* remove,
                          int* keyval, void* extra_state);
/// Frees the keyval and sets it to EP_KEYVAL_INVALID; existing attributes stay.
int EP_Comm_free_keyval(int* keyval);
/// Sets or overwrites the attribute of the calling endpoint. The program owns `value`.
int EP_Comm_set_attr(EP_Comm comm, int keyval, void* value);
/// Returns the attribute of the calling endpoint; `value` points to a pointer, and `*flag` is 0 if
/// there is no such attribute. A pointer to a predefined value is valid until the thread requests
/// the same value again.
int EP_Comm_get_attr(EP_Comm comm, int keyval, void* value, int* flag);
/// Deletes the attribute of the calling endpoint, if it has one.
int EP_Comm_delete_attr(EP_Comm comm, int keyval);

#ifdef __cplusplus
}
#endif

#endif
