#pragma once

namespace ep {

/// Begins one use of the library: initialises MPI if it is not initialised. Returns the level that
/// MPI grants.
int enter_library(int* argc, char*** argv, int required);
/// Ends one use of the library. The last one frees the library's own objects and finalizes MPI if
/// the library initialised it.
void leave_library();

}  // namespace ep
