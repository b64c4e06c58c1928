// Pi by throwing darts. Every rank has random numbers of its own, from three generators of libc
// whose state is global: their sequences are only right when each rank has the whole state for
// itself. MPI: Reduce of MPI_LONG, Gather, Reduce with MPI_IN_PLACE at the root.
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { darts = 20000 };

static int is_hit(double x, double y) { return x * x + y * y < 1; }

static double of_rand(void) { return rand() / (RAND_MAX + 1.0); }
static double of_random(void) { return (double)random() / 2147483648.0; }

static long hits(double (*next)(void)) {
  long count = 0;
  for (int i = 0; i < darts; ++i) {
    const double x = next();
    const double y = next();
    count += is_hit(x, y);
    // Ranks take turns, which would show shared state.
    if (i % 5000 == 0) MPI_Barrier(MPI_COMM_WORLD);
  }
  return count;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  srand48(1000 + rank);
  long mine[5];
  mine[0] = hits(drand48);
  srand(2000U + (unsigned)rank);
  mine[1] = hits(of_rand);
  srandom(3000U + (unsigned)rank);
  mine[2] = hits(of_random);
  mine[3] = lrand48();
  mine[4] = mrand48();
  printf("rank %d: hits %ld %ld %ld, then %ld %ld\n", rank, mine[0], mine[1], mine[2], mine[3],
         mine[4]);

  long* const all = malloc((size_t)size * sizeof *all);
  MPI_Gather(&mine[0], 1, MPI_LONG, all, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    long sum = 0;
    for (int i = 0; i < size; ++i) sum += all[i];
    MPI_Reduce(MPI_IN_PLACE, mine, 3, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    const double pi = 4.0 * (double)(mine[0] + mine[1] + mine[2]) / (3.0 * darts * size);
    printf("pi %.6f, error %s, sums %s\n", pi, fabs(pi - M_PI) < 0.02 ? "small" : "large",
           sum == mine[0] ? "agree" : "differ");
  } else {
    MPI_Reduce(mine, NULL, 3, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  }
  free(all);
  MPI_Finalize();
  return 0;
}
