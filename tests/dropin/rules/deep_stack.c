// Large arrays on the stack of main, as C programs of scientists have them.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { megabyte = 1 << 20 };

static int sum_below(int depth) {
  volatile unsigned char array[megabyte];
  memset((void*)array, depth, sizeof array);
  const int below = depth > 0 ? sum_below(depth - 1) : 0;
  return below + array[megabyte / 2];
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int sum = 0;
  double field[megabyte / 8];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < megabyte / 8; ++i) field[i] = rank + 1;
  const int mine = sum_below(4) + (int)field[megabyte / 16];
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf("rank %d: %d of %d\n", rank, mine, sum);
  MPI_Finalize();
  return 0;
}
