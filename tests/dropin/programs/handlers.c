// A library with an error handler of its own on MPI_COMM_WORLD: it looks at which communicator it
// is told, and at the error field of statuses, which most calls leave alone. MPI:
// Comm_create_errhandler, Comm_set_errhandler, Comm_call_errhandler, Recv, Wait, Waitall,
// status.MPI_ERROR.
#include <mpi.h>
#include <stdio.h>

static int calls, of_world, of_self;

static void on_error(MPI_Comm* comm, int* code, ...) {
  (void)code;
  ++calls;
  if (*comm == MPI_COMM_WORLD) ++of_world;
  if (*comm == MPI_COMM_SELF) ++of_self;
}

int main(int argc, char** argv) {
  int rank = 0, size = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(on_error, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  MPI_Errhandler_free(&handler);

  MPI_Send(&rank, 1, MPI_INT, size, 0, MPI_COMM_WORLD);
  MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_SELF);
  MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
  printf("rank %d: %d calls, %d of the world, %d of self\n", rank, calls, of_world, of_self);

  int in[2];
  MPI_Request requests[2];
  MPI_Status status, statuses[2];
  status.MPI_ERROR = statuses[0].MPI_ERROR = statuses[1].MPI_ERROR = 4711;
  MPI_Irecv(&in[0], 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Send(&rank, 1, MPI_INT, rank, 1, MPI_COMM_WORLD);
  MPI_Wait(&requests[0], &status);
  printf("rank %d: wait leaves %d\n", rank, status.MPI_ERROR);
  for (int i = 0; i < 2; ++i) {
    MPI_Irecv(&in[i], 1, MPI_INT, rank, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Send(&rank, 1, MPI_INT, rank, i, MPI_COMM_WORLD);
  }
  MPI_Waitall(2, requests, statuses);
  printf("rank %d: waitall leaves %d and %d\n", rank, statuses[0].MPI_ERROR, statuses[1].MPI_ERROR);
  MPI_Finalize();
  return 0;
}
