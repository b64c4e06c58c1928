// A spawn whose remote group has the first endpoint of each new process only: info key
// ep_spawn_group. Two processes of three endpoints.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank = 0;
  MPI_Comm other_side;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 1) {  // a child
    MPI_Comm_get_parent(&other_side);
    printf("child %d has %s\n", rank, other_side == MPI_COMM_NULL ? "no parent" : "a parent");
    if (other_side != MPI_COMM_NULL) {
      MPI_Send(&rank, 1, MPI_INT, 0, 0, other_side);
      MPI_Comm_disconnect(&other_side);
    }
    MPI_Finalize();
    return 0;
  }
  char name[] = "child";
  char* arguments[] = {name, NULL};
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "num_endpoints", "3");
  MPI_Info_set(info, "ep_spawn_group", "first");
  MPI_Comm_spawn(argv[0], arguments, 2, info, 0, MPI_COMM_WORLD, &other_side, MPI_ERRCODES_IGNORE);
  int children = 0;
  MPI_Comm_remote_size(other_side, &children);
  printf("parent %d has %d children\n", rank, children);
  for (int child = 0; child < children && rank == 0; ++child) {
    int its_rank = -1;
    MPI_Recv(&its_rank, 1, MPI_INT, child, 0, other_side, MPI_STATUS_IGNORE);
    printf("parent: child %d is rank %d of its world\n", child, its_rank);
  }
  MPI_Comm_disconnect(&other_side);
  MPI_Info_free(&info);
  MPI_Finalize();
  return 0;
}
