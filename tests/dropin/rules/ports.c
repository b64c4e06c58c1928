// Groups that find each other by a name: two programs of one job ("serve", "call"), and a program
// with one that it has spawned ("parent", "child").
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static void meet(const char* who, MPI_Comm other_side, int rank) {
  int own = 0;
  int other = 0;
  int sum = 0;
  const int mine = rank + 1;
  MPI_Comm_size(other_side, &own);
  MPI_Comm_remote_size(other_side, &other);
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, other_side);
  printf("%s %d of %d: sum %d of %d\n", who, rank, own, sum, other);
  MPI_Comm_disconnect(&other_side);
}

static void serve(const char* who, MPI_Comm comm, int rank, const char* program) {
  char port[MPI_MAX_PORT_NAME] = "";
  MPI_Comm callers;
  MPI_Comm children = MPI_COMM_NULL;
  if (rank == 0) {
    MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Publish_name("server", MPI_INFO_NULL, port);
  }
  if (program != NULL) {
    char word[] = "child";
    char* arguments[] = {word, NULL};
    MPI_Comm_spawn(program, arguments, 1, MPI_INFO_NULL, 0, comm, &children, MPI_ERRCODES_IGNORE);
  }
  MPI_Comm_accept(port, MPI_INFO_NULL, 0, comm, &callers);
  meet(who, callers, rank);
  if (rank == 0) {
    MPI_Unpublish_name("server", MPI_INFO_NULL, port);
    MPI_Close_port(port);
  }
  if (children != MPI_COMM_NULL) MPI_Comm_disconnect(&children);
}

static void call(const char* who, MPI_Comm comm, int rank) {
  char port[MPI_MAX_PORT_NAME] = "";
  MPI_Comm server;
  if (rank == 0) {
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    while (MPI_Lookup_name("server", MPI_INFO_NULL, port) != MPI_SUCCESS) continue;
  }
  MPI_Comm_connect(port, MPI_INFO_NULL, 0, comm, &server);
  meet(who, server, rank);
}

int main(int argc, char** argv) {
  int rank = 0;
  MPI_Comm comm;
  MPI_Comm parent;
  const char* const who = argc > 1 ? argv[1] : "serve";
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parent);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, strcmp(who, "call") == 0, rank, &comm);
  MPI_Comm_rank(comm, &rank);
  if (strcmp(who, "serve") == 0) {
    serve(who, comm, rank, NULL);
  } else if (strcmp(who, "parent") == 0) {
    serve(who, comm, rank, argv[0]);
  } else {
    call(who, comm, rank);
  }
  if (parent != MPI_COMM_NULL) MPI_Comm_disconnect(&parent);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
