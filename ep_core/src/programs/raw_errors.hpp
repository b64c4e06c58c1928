#pragma once

namespace ep {

/// Redirects errors of MPI functions that name no communicator (those of datatypes, operations and
/// infos) to the handler that the calling endpoint has for EP_COMM_ENDPOINTS. Programs of epcc call
/// these functions directly, and MPI would end the job. Call this after MPI was initialised;
/// repeated calls have no further effect.
void hear_raw_errors();

}  // namespace ep
