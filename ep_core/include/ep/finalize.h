/// @file
/// A callback for a library whose program finalizes MPI. C interface.
#ifndef EP_FINALIZE_H
#define EP_FINALIZE_H

#include <ep/ep.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Registers a callback: MPI_Finalize, whoever calls it, first calls `callback(state)` on the
/// finalizing thread, while communication still works. Callbacks run in the reverse order of
/// registration. The callback must not throw; it may call EP_Abort. `state` must live as long. A
/// registration cannot be undone. MPI must be initialised. Local. Errors: EP_ERR_ARG for a null
/// callback, and MPI's own.
int EP_On_finalize(void (*callback)(void* state), void* state);

#ifdef __cplusplus
}
#endif

#endif
