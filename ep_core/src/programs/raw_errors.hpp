#pragma once

namespace ep {

/// Makes errors of MPI's own functions that name no communicator (of datatypes, operations and
/// infos) go to the handler that the calling endpoint has for EP_COMM_ENDPOINTS: programs of epcc
/// call these functions directly, and MPI would end the job. Call it after MPI was initialised, any
/// number of times.
void hear_raw_errors();

}  // namespace ep
