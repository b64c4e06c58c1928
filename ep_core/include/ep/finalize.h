/// @file
/// A callback for a library whose program finalizes MPI. C interface.
#ifndef EP_FINALIZE_H
#define EP_FINALIZE_H

#include <ep/ep.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Registers a callback that runs at the beginning of MPI_Finalize, on the thread that calls it,
/// while communication still works: `callback(state)`. Callbacks run in the reverse order of
/// registration. The callback must not throw; it may call EP_Abort. `state` must stay valid until
/// then. A registration cannot be undone. MPI must be initialised. Local. Fails with EP_ERR_ARG for
/// a null callback, or with an error code of MPI.
int EP_On_finalize(void (*callback)(void* state), void* state);

#ifdef __cplusplus
}
#endif

#endif
