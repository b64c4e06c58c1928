/// @file
/// What a library does when the program finalizes MPI under it. C interface.
#ifndef EP_FINALIZE_H
#define EP_FINALIZE_H

#include <ep/ep.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Calls `callback(state)` first of all in MPI_Finalize, whoever calls that, while communication
/// still works; in the reverse order of registration, on the finalizing thread. The callback must
/// not throw; it may call EP_Abort. `state` must live as long. Cannot be undone. MPI must be
/// initialised. Local. Errors: EP_ERR_ARG for no callback, and MPI's own.
int EP_On_finalize(void (*callback)(void* state), void* state);

#ifdef __cplusplus
}
#endif

#endif
