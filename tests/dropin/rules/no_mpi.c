// Never calls MPI_Init; may ask whether anybody has.
#include <mpi.h>
#include <stdio.h>

static int counter;

int main(void) {
  int flag = 1;
  MPI_Initialized(&flag);
  printf("hello, count %d, initialised %d\n", ++counter, flag);
  return 4;
}
