/* What MPI-4.0 brought: persistent collectives, exchanges that do not wait, messages in parts,
   large counts. A wave on a ring, summed up in every step by a request that was made once. */
#include <mpi.h>
#include <stdio.h>

#define CELLS 6
#define STEPS 5

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int version = 0;
  int subversion = 0;
  MPI_Get_version(&version, &subversion);
  if (rank == 0) printf("MPI %d.%d\n", version, subversion);

  const int left = (rank + size - 1) % size;
  const int right = (rank + 1) % size;
  double cells[CELLS];
  for (int i = 0; i < CELLS; ++i) cells[i] = rank * CELLS + i;

  double mine = 0;
  double sum = 0;
  MPI_Request total;
  MPI_Allreduce_init(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &total);
  for (int step = 0; step < STEPS; ++step) {
    double ghost = -1;
    MPI_Request exchange;
    MPI_Isendrecv(&cells[CELLS - 1], 1, MPI_DOUBLE, right, step, &ghost, 1, MPI_DOUBLE, left, step,
                  MPI_COMM_WORLD, &exchange);
    MPI_Wait(&exchange, MPI_STATUS_IGNORE); /* MPICH 4.0 has no source in its status */
    for (int i = CELLS - 1; i > 0; --i) cells[i] = 0.5 * (cells[i] + cells[i - 1]);
    cells[0] = 0.5 * (cells[0] + ghost);
    mine = 0;
    for (int i = 0; i < CELLS; ++i) mine += cells[i];
    MPI_Start(&total);
    MPI_Wait(&total, MPI_STATUS_IGNORE);
    if (rank == 0) printf("step %d: %.6f\n", step, sum);
  }
  MPI_Request_free(&total);

  /* Large counts of small things. */
  MPI_Count counts[64];
  MPI_Aint places[64];
  double all[64 * CELLS];
  MPI_Aint at = 0;
  for (int r = 0; r < size; ++r) {
    counts[r] = 1 + r % CELLS;
    places[r] = at;
    at += counts[r];
  }
  MPI_Allgatherv_c(cells, counts[rank], MPI_DOUBLE, all, counts, places, MPI_DOUBLE,
                   MPI_COMM_WORLD);
  double check = 0;
  for (MPI_Aint i = 0; i < at; ++i) check += all[i] * (double)(i + 1);
  MPI_Status status;
  MPI_Count received = -1;
  MPI_Sendrecv_c(cells, CELLS, MPI_DOUBLE, right, 99, all, CELLS, MPI_DOUBLE, left, 99,
                 MPI_COMM_WORLD, &status);
  MPI_Get_count_c(&status, MPI_DOUBLE, &received);
  printf("rank %d: %.6f, %lld numbers\n", rank, check, (long long)received);

  /* A message in parts, marked from the end. */
  double parts[3 * CELLS];
  double come[3 * CELLS];
  MPI_Request both[2];
  MPI_Psend_init(parts, 3, CELLS, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &both[0]);
  MPI_Precv_init(come, 3, CELLS, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &both[1]);
  for (int round = 0; round < 2; ++round) {
    MPI_Startall(2, both);
    for (int part = 2; part >= 0; --part) {
      for (int i = 0; i < CELLS; ++i) parts[part * CELLS + i] = 100 * round + rank + part;
      MPI_Pready(part, both[0]);
    }
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    printf("rank %d: %g %g %g\n", rank, come[0], come[CELLS], come[3 * CELLS - 1]);
  }
  MPI_Request_free(&both[0]);
  MPI_Request_free(&both[1]);

  MPI_Comm copy;
  MPI_Request made;
  MPI_Comm_idup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &copy, &made);
  MPI_Wait(&made, MPI_STATUS_IGNORE);
  MPI_Barrier(copy);
  MPI_Comm_free(&copy);
  MPI_Finalize();
  return 0;
}
