// Parents start two programs at once: themselves as children of two kinds, which are one world.
// With an argument, the children of the second kind are killed.
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  int rank = 0;
  int size = 0;
  int sum = 0;
  MPI_Comm parent;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) {
    const int mine = rank + 1;
    if (strcmp(argv[1], "killed") == 0) raise(SIGKILL);
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    int* number = NULL;
    int is_known = 0;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &number, &is_known);
    printf("%s %d of %d, program %d: sum %d\n", argv[1], rank, size, is_known ? *number : -1, sum);
    MPI_Barrier(parent);
    MPI_Comm_disconnect(&parent);
    MPI_Finalize();
    return 0;
  }
  char first[] = "first";
  char second[] = "second";
  char killed[] = "killed";
  char* first_arguments[] = {first, NULL};
  char* second_arguments[] = {argc > 1 ? killed : second, NULL};
  char** arguments[] = {first_arguments, second_arguments};
  char* commands[] = {argv[0], argv[0]};
  const int counts[] = {1, 1};
  MPI_Info infos[2];
  MPI_Info_create(&infos[0]);
  MPI_Info_create(&infos[1]);
  MPI_Info_set(infos[1], "num_endpoints", "2");
  int codes[2] = {-1, -1};
  MPI_Comm children;
  MPI_Comm_spawn_multiple(2, commands, arguments, counts, infos, 0, MPI_COMM_WORLD, &children,
                          codes);
  printf("parent %d: codes %d %d\n", rank, codes[0], codes[1]);
  MPI_Barrier(children);
  MPI_Comm_disconnect(&children);
  MPI_Info_free(&infos[0]);
  MPI_Info_free(&infos[1]);
  MPI_Finalize();
  return 0;
}
