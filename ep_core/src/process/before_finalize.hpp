#pragma once

namespace ep {

/// Calls `callback(state)` first of all in MPI_Finalize, on that thread; in the reverse order of
/// registration. It must not throw.
void before_finalize(void (*callback)(void* state), void* state);

}  // namespace ep
