// Part of a library: a counter that each rank should have for itself, and a sum over all ranks.
#include <mpi.h>

int counter = 100;

int count(void) { return ++counter; }

int sum_over_ranks(int value) {
  int sum = 0;
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}
