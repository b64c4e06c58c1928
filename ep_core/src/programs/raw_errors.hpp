#pragma once

namespace ep {

/// From here on, errors of MPI's own functions that name no communicator (of datatypes, operations
/// and infos) meet the handler that the calling endpoint has for EP_COMM_ENDPOINTS: programs of
/// epcc call these directly, and MPI would end the job. After MPI was initialised; any number of
/// times.
void hear_raw_errors();

}  // namespace ep
