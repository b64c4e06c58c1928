#pragma once

#include <mpi.h>

namespace ep {

/// Throws EP_ERR_OP where a reduction of `type` by `op` is none of MPI's (MPI-3.1, 5.9.2): before
/// anything is sent, and at everybody who gives the same arguments. Operations of programs are
/// theirs to know. Like other MPIs, also MPI_CHAR and MPI_CHARACTER are numbers.
void check_operation(MPI_Op op, MPI_Datatype type);

}  // namespace ep
