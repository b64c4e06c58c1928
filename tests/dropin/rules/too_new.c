// Calls a function that is not supported.
#include <mpi.h>

int main(void) {
  char name[MPI_MAX_PORT_NAME];
  return MPI_Open_port(MPI_INFO_NULL, name);
}
