// Parents start themselves as children, twice, and both sides add up their ranks. A program that
// cannot be started is an error at all ranks.
//
// usage: spawns <processes> <endpoints in each> <program>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

// The sum of ranks + 1 over both sides, and how many they are.
static void meet(MPI_Comm other_side, int is_child, const char* who, int rank) {
  MPI_Comm all;
  int sum = 0;
  int size = 0;
  const int mine = rank + 1;
  MPI_Intercomm_merge(other_side, is_child, &all);
  MPI_Comm_size(all, &size);
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, all);
  printf("%s %d: sum %d of %d\n", who, rank, sum, size);
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&other_side);
}

int main(int argc, char** argv) {
  int rank = 0;
  MPI_Comm parent;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) {
    meet(parent, 1, argv[1], rank);
    MPI_Finalize();
    return 0;
  }
  char name[] = "two words";
  char* arguments[] = {name, NULL};
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "num_endpoints", argc > 2 ? argv[2] : "1");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int round = 0; round < 2; ++round) {
    MPI_Comm children;
    int codes[8] = {0};
    const int code =
        MPI_Comm_spawn(argc > 3 ? argv[3] : argv[0], arguments, argc > 1 ? atoi(argv[1]) : 1, info,
                       0, MPI_COMM_WORLD, &children, codes);
    if (code != MPI_SUCCESS) {
      int class = 0;
      MPI_Error_class(code, &class);
      printf("rank %d: %s, %s\n", rank, class == MPI_ERR_SPAWN ? "spawn error" : "other error",
             codes[0] == MPI_SUCCESS ? "code of success" : "code of an error");
      break;
    }
    meet(children, 0, "parent", rank);
  }
  MPI_Info_free(&info);
  MPI_Finalize();
  return 0;
}
