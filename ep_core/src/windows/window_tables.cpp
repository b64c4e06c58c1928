#include "windows/window_tables.hpp"

#include "process/error.hpp"

namespace ep {

CliqueWindows::~CliqueWindows() {
  if (comm == MPI_COMM_NULL || mpi_is_finalized()) return;
  if (MPI_Comm_free(&comm) != MPI_SUCCESS) set_last_error("MPI_Comm_free failed.");
}

}  // namespace ep
