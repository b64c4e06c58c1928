// Uses the library in counting.c.
#include <mpi.h>
#include <stdio.h>

extern int counter;
int count(void);
int sum_over_ranks(int value);

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < rank; ++i) count();
  const int sum = sum_over_ranks(rank + 1);
  printf("rank %d: sum %d, counter %d\n", rank, sum, counter);
  MPI_Finalize();
  return 0;
}
