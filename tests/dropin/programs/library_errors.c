// A library that looks at every result: errors in calls without a communicator come back, too, when
// MPI_COMM_WORLD returns errors.
// MPI: MPI_ERRORS_RETURN on MPI_COMM_WORLD, wrong arguments of functions of datatypes, operations,
// infos, groups and buffers, Error_class.
#include <mpi.h>
#include <stdio.h>

static int rank;

static void say(const char* what, int code) {
  int class = 0;
  MPI_Error_class(code, &class);
  printf("rank %d, %s: %s\n", rank, what, class == MPI_SUCCESS ? "no error" : "an error");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int size = 0;
  MPI_Datatype none = MPI_DATATYPE_NULL;
  MPI_Group no_group = MPI_GROUP_NULL;
  MPI_Op sum = MPI_SUM;
  char value[10];
  say("size of a type", MPI_Type_size(none, &size));
  say("commit", MPI_Type_commit(&none));
  say("freeing an operation of MPI", MPI_Op_free(&sum));
  say("setting no info", MPI_Info_set(MPI_INFO_NULL, "key", "value"));
  say("reading no info", MPI_Info_get(MPI_INFO_NULL, "key", 9, value, &size));
  say("freeing no group", MPI_Group_free(&no_group));
  say("negative count", MPI_Type_contiguous(-1, MPI_INT, &none));
  say("a good type", MPI_Type_size(MPI_DOUBLE, &size));
  MPI_Finalize();
  return 0;
}
