/// @file
/// Error handlers, classes, codes and texts; included by <ep/ep.h>. All local.
///
/// Handlers belong to endpoints: one thread at a time sets and asks for that of an endpoint; codes
/// and handler objects are the process's, for any thread. Strings are the caller's. EP_ERR_COMM and
/// EP_ERR_ARG for bad arguments (null pointers, handles that are none). MPI-3.1 8.3.1, 8.4, 8.5.
#ifndef EP_ERRORS_H
#define EP_ERRORS_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Text of the last error of the calling thread: "problem (why). Suggestion?". Valid until its next
/// failing call. Any thread.
const char* EP_Last_error(void);

/// Called with the endpoint's communicator (EP_COMM_NULL if it was freed meanwhile; one of the four
/// start communicators by its own name) and the code, by the thread whose call failed; when it
/// returns, the call returns the code, which it may have changed. Of a call that returns
/// EP_ERR_IN_STATUS it is told the code of the request, and what it makes of it is in the status.
typedef void EP_Comm_errhandler_function(EP_Comm* comm, int* code, ...);

/// A handler that calls `function`. To be freed. 8.3.1.
int EP_Comm_create_errhandler(EP_Comm_errhandler_function* function, EP_Errhandler* errhandler);
/// Of this endpoint only: another endpoint of `comm` may have another one. Inherited by every
/// communicator made from this one.
int EP_Comm_set_errhandler(EP_Comm comm, EP_Errhandler errhandler);
/// The handler of this endpoint. To be freed with EP_Errhandler_free.
int EP_Comm_get_errhandler(EP_Comm comm, EP_Errhandler* errhandler);
/// Frees the handle and sets it to EP_ERRHANDLER_NULL; communicators that use it keep it alive.
int EP_Errhandler_free(EP_Errhandler* errhandler);
/// Calls the endpoint's handler with `code`; returns EP_SUCCESS if it comes back.
int EP_Comm_call_errhandler(EP_Comm comm, int code);

/// The class of a code: of this library, of MPI, or added. EP_ERR_ARG if it is none.
int EP_Error_class(int code, int* error_class);
/// Text of a code, at most EP_MAX_ERROR_STRING bytes with the final zero.
int EP_Error_string(int code, char* string, int* length);
/// A new error class. Classes and codes are numbered per process, from EP_ERR_LASTCODE + 1.
int EP_Add_error_class(int* error_class);
/// A new code of an error class. EP_ERR_ARG if it is none. 8.5.
int EP_Add_error_code(int error_class, int* code);
/// Copies `string`, cut to EP_MAX_ERROR_STRING; for added classes and codes only.
int EP_Add_error_string(int code, const char* string);

#ifdef __cplusplus
}
#endif

#endif
