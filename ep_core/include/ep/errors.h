/// @file
/// Error handlers, classes, codes and texts; included by <ep/ep.h>.
///
/// All functions are local. Handlers belong to endpoints: one thread at a time sets or gets the
/// handler of an endpoint. Codes and handler objects belong to the process; any thread may use
/// them. The caller owns the strings. The functions fail with EP_ERR_COMM or EP_ERR_ARG for invalid
/// arguments (null pointers, unknown handles). MPI-3.1 8.3.1, 8.4, 8.5.
#ifndef EP_ERRORS_H
#define EP_ERRORS_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the text of the last error of the calling thread: "problem (why). Suggestion?". The text
/// is valid until the next failing call of the thread. Any thread.
const char* EP_Last_error(void);

/// Function type of an error handler for communicators. The thread whose call failed calls it with
/// the endpoint's communicator and the error code. The communicator is EP_COMM_NULL if it has been
/// freed meanwhile, and one of the four predefined handles for a start communicator. When the
/// handler returns, the failed call returns the code, which the handler may have changed. For a
/// call that returns EP_ERR_IN_STATUS, the handler gets the code of the request, and the changed
/// code goes into the status.
typedef void EP_Comm_errhandler_function(EP_Comm* comm, int* code, ...);

/// Creates an error handler that calls `function`. The caller frees it with EP_Errhandler_free.
/// 8.3.1.
int EP_Comm_create_errhandler(EP_Comm_errhandler_function* function, EP_Errhandler* errhandler);
/// Sets the handler of this endpoint only; other endpoints of `comm` may have other handlers.
/// Communicators created from this one inherit it.
int EP_Comm_set_errhandler(EP_Comm comm, EP_Errhandler errhandler);
/// Returns the handler of this endpoint. The caller frees it with EP_Errhandler_free.
int EP_Comm_get_errhandler(EP_Comm comm, EP_Errhandler* errhandler);
/// Frees the handle and sets it to EP_ERRHANDLER_NULL; communicators that use it keep it alive.
int EP_Errhandler_free(EP_Errhandler* errhandler);
/// Calls the endpoint's handler with `code`; returns EP_SUCCESS if the handler returns.
int EP_Comm_call_errhandler(EP_Comm comm, int code);

/// Returns the class of a code of this library, of MPI, or of the program. Fails with EP_ERR_ARG
/// for an unknown code.
int EP_Error_class(int code, int* error_class);
/// Returns the text of a code, at most EP_MAX_ERROR_STRING bytes with the final zero.
int EP_Error_string(int code, char* string, int* length);
/// Adds an error class. Each process numbers its classes and codes from EP_ERR_LASTCODE + 1. 8.5.
int EP_Add_error_class(int* error_class);
/// Adds a code to an error class. Fails with EP_ERR_ARG for an unknown class. 8.5.
int EP_Add_error_code(int error_class, int* code);
/// Sets the text of an added class or code to a copy of `string`, truncated to EP_MAX_ERROR_STRING
/// bytes with the final zero. 8.5.
int EP_Add_error_string(int code, const char* string);

#ifdef __cplusplus
}
#endif

#endif
