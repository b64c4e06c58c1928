#pragma once

namespace ep {

/// Somebody begins to use the library: initialises MPI if nobody did. Returns the level MPI grants.
int enter_library(int* argc, char*** argv, int required);
/// The other half. The last one frees what the library began with, and ends MPI if it initialised
/// it.
void leave_library();

}  // namespace ep
