// Says who it is, where the other arguments begin and end, and how many lines rank 0 reads.
#include <mpi.h>
#include <stdio.h>

#ifndef NAME
#define NAME "who"
#endif
#if defined(MPIX_ERR_PROC_FAILED) || defined(MPIX_ERR_REVOKED) || \
    defined(MPIX_COMM_TYPE_NEIGHBORHOOD)
#error "programs would call functions that take communicators of MPI itself"
#endif

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  int version = 0;
  int subversion = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Get_version(&version, &subversion);
  char line[100];
  int lines = 0;
  while (rank == 0 && fgets(line, sizeof line, stdin) != NULL) ++lines;
  MPI_Bcast(&lines, 1, MPI_INT, 0, MPI_COMM_WORLD);
  char text[300] = "";
  for (int i = 1, at = 0; i < argc; ++i) at += sprintf(text + at, " <%s>", argv[i]);
  printf("%s %d of %d, MPI %d.%d as %d.%d, %d lines%s\n", NAME, rank, size, version, subversion,
         MPI_VERSION, MPI_SUBVERSION, lines, text);
  MPI_Finalize();
  return 0;
}
