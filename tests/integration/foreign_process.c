/* A program of the job that has never heard of the library: it talks to its like alone, on a
 * communicator made without all others. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank = -1, provided = 0;
  if (MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) return 1;
  if (MPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS) return 1;
  /* Anything that came from the library would be taken for the other process's. */
  int flag = 0;
  if (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE) !=
          MPI_SUCCESS ||
      flag != 0) {
    return 1;
  }
  printf("the foreign process has ended well: %d\n", rank);
  return MPI_Finalize() == MPI_SUCCESS ? 0 : 1;
}
