// Rank r ends as its argument says: a number is its status, after MPI_Finalize. Before
// MPI_Finalize: "exit" with a number, "return" from main, "abort", "segv", "divide" kill,
// "mpi_abort"; "quick" is _exit. A rank without argument waits for the others.
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char* const end = rank + 1 < argc ? argv[rank + 1] : "0";
  volatile int* nowhere = NULL;
  if (strncmp(end, "exit", 4) == 0) exit(atoi(end + 4));
  if (strncmp(end, "quick", 5) == 0) _exit(atoi(end + 5));
  if (strncmp(end, "return", 6) == 0) return atoi(end + 6);
  if (strncmp(end, "mpi_abort", 9) == 0) MPI_Abort(MPI_COMM_WORLD, atoi(end + 9));
  if (strcmp(end, "abort") == 0) abort();
  if (strcmp(end, "segv") == 0) *nowhere = 1;
  if (strcmp(end, "terminate") == 0) raise(SIGTERM);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  printf("rank %d reached the end\n", rank);
  return atoi(end);
}
