#pragma once

#include <mpi.h>

namespace ep {

/// Throws EP_ERR_OP if MPI does not define `op` for `type` (MPI-3.1, 5.9.2). It does so before
/// anything is sent, and at all endpoints that give the same arguments. Accepts all user-defined
/// operations. As in other MPI libraries, MPI_CHAR and MPI_CHARACTER count as numbers.
void check_operation(MPI_Op op, MPI_Datatype type);

}  // namespace ep
