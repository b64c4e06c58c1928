#pragma once

namespace ep {

/// Registers a callback for the beginning of MPI_Finalize, on the thread that calls it:
/// `callback(state)`. Callbacks run in the reverse order of registration. A callback must not
/// throw.
void before_finalize(void (*callback)(void* state), void* state);

}  // namespace ep
