// Calls a function that is not of MPI-3.1.
#include <mpi.h>

int main(void) {
  MPI_Session session;
  return MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
}
