#pragma once

namespace ep {

/// Begins a use of the library: initialises MPI if nobody did. Returns the level that MPI grants.
int enter_library(int* argc, char*** argv, int required);
/// Ends a use of the library. The last one frees what the library began with, and ends MPI if the
/// library initialised it.
void leave_library();

}  // namespace ep
