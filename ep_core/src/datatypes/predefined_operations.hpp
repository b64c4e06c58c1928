#pragma once

#include <mpi.h>

namespace ep {

/// Throws EP_ERR_OP if a reduction of `type` by `op` is none of MPI's (MPI-3.1, 5.9.2): before
/// anything is sent, and at everybody who gives the same arguments. Accepts all operations of
/// programs. Like other MPIs, takes MPI_CHAR and MPI_CHARACTER for numbers.
void check_operation(MPI_Op op, MPI_Datatype type);

}  // namespace ep
