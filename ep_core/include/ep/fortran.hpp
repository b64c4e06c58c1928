/// @file
/// Handles of MPI as Fortran has them.
#pragma once

#include <mpi.h>

namespace ep {

inline MPI_Fint to_fortran(MPI_Comm comm) { return MPI_Comm_c2f(comm); }
inline MPI_Comm from_fortran(MPI_Fint comm) { return MPI_Comm_f2c(comm); }

}  // namespace ep
