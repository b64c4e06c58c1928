// Seeds of the 48-bit generators: every way to set them, and that the next rank's setting them does
// not matter. Tables of random(): would have found that initstate and setstate returned an address
// behind the beginning of the table before, so that a program could not go back to it.
// MPI: Init, Comm_rank, Barrier, Finalize.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  unsigned short seed[3] = {(unsigned short)rank, 2, 3};
  unsigned short seven[7] = {(unsigned short)rank, 2, 3, 4, 5, 6, 7};
  seed48(seed);
  MPI_Barrier(MPI_COMM_WORLD);
  printf("rank %d: seed48 %.9f %ld\n", rank, drand48(), lrand48());
  MPI_Barrier(MPI_COMM_WORLD);
  lcong48(seven);
  MPI_Barrier(MPI_COMM_WORLD);
  printf("rank %d: lcong48 %.9f %ld\n", rank, drand48(), mrand48());
  printf("rank %d: erand48 %.9f %ld\n", rank, erand48(seed), nrand48(seed));
  MPI_Barrier(MPI_COMM_WORLD);
  static char table[64];
  srandom((unsigned)rank + 1);
  const long first = random();
  char* const before = initstate((unsigned)rank + 7, table, sizeof table);
  const long other = random();
  MPI_Barrier(MPI_COMM_WORLD);
  const int is_table = setstate(before) == table;
  const long second = random();
  const int is_before = setstate(table) == before;
  printf("rank %d: random %ld %ld, initstate %ld %ld, tables %d %d\n", rank, first, second, other,
         random(), is_table, is_before);
  char small[4];
  printf("rank %d: %d\n", rank, initstate(1, small, sizeof small) == NULL);
  MPI_Finalize();
  return 0;
}
