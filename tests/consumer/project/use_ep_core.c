#include <ep/ep.h>
#include <stdio.h>

/* Predefined handles initialise statics in C (ADR 0001). */
static EP_Comm world = EP_COMM_NULL;

int main(int argc, char** argv) {
  int provided = 0;
  int rank = -1;
  if (EP_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided) != EP_SUCCESS ||
      EP_Comm_from_mpi(MPI_COMM_WORLD, &world) != EP_SUCCESS ||
      EP_Comm_rank(world, &rank) != EP_SUCCESS || EP_Comm_free(&world) != EP_SUCCESS ||
      EP_Finalize() != EP_SUCCESS) {
    fprintf(stderr, "use_ep_core: %s\n", EP_Last_error());
    return 1;
  }
  return rank == 0 ? 0 : 1;
}
