// Constants where a program may have them: in initialisers of static variables, in labels of a
// switch, as lengths of arrays; and properties of MPI_COMM_WORLD that each rank has for itself.
// MPI: handles and integers of all kinds, MPI_BOTTOM with absolute addresses, predefined
// attributes, error handlers of the world per rank, Comm_c2f and Comm_f2c, Get_library_version,
// Wtick.
#include <mpi.h>
#include <stdio.h>

static MPI_Comm world = MPI_COMM_WORLD;
static MPI_Comm self = MPI_COMM_SELF;
static MPI_Comm no_comm = MPI_COMM_NULL;
static MPI_Request request = MPI_REQUEST_NULL;
static MPI_Group empty = MPI_GROUP_EMPTY;
static MPI_Datatype number = MPI_DOUBLE;
static MPI_Op sum = MPI_SUM;
static MPI_Errhandler handler = MPI_ERRORS_RETURN;
static MPI_Message message = MPI_MESSAGE_NO_PROC;
static MPI_Info no_info = MPI_INFO_NULL;
static char library[MPI_MAX_LIBRARY_VERSION_STRING];
enum { any_tag = MPI_ANY_TAG, any_source = MPI_ANY_SOURCE };

static const char* name_of(int value) {
  switch (value) {
    case MPI_ERR_RANK:
      return "MPI_ERR_RANK";
    case MPI_ERR_TRUNCATE:
      return "MPI_ERR_TRUNCATE";
    case MPI_PROC_NULL:
      return "MPI_PROC_NULL";
    case MPI_ROOT:
      return "MPI_ROOT";
    case MPI_UNDEFINED:
      return "MPI_UNDEFINED";
    default:
      return "another";
  }
}

static void use_handles(int rank, int size) {
  double mine = 0.5 * rank;
  double all = 0;
  int members = -1;
  int flag = 0;
  int here = 0;
  MPI_Status status;
  MPI_Allreduce(&mine, &all, 1, number, sum, world);
  MPI_Group_size(empty, &members);
  MPI_Comm_size(self, &here);
  MPI_Test(&request, &flag, &status);
  printf("rank %d: %.1f, %d members, %d in self, test %d, source %d, tag %d\n", rank, all, members,
         here, flag, status.MPI_SOURCE == any_source, status.MPI_TAG == any_tag);
  MPI_Mrecv(&mine, 1, number, &message, &status);
  printf("rank %d: nobody is %s, null %d %d\n", rank, name_of(status.MPI_SOURCE),
         no_comm == MPI_COMM_NULL, no_info == MPI_INFO_NULL);

  // The right neighbour's values, from where they are.
  int values[3] = {rank, rank * rank, -rank};
  int theirs[3] = {0, 0, 0};
  const int lengths[2] = {1, 2};
  MPI_Aint places[2];
  MPI_Datatype type;
  MPI_Get_address(&values[2], &places[0]);
  MPI_Get_address(&values[0], &places[1]);
  MPI_Type_create_hindexed(2, lengths, places, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Sendrecv(MPI_BOTTOM, 1, type, (rank + size - 1) % size, 1, theirs, 3, MPI_INT,
               (rank + 1) % size, 1, world, MPI_STATUS_IGNORE);
  MPI_Type_free(&type);
  printf("rank %d: theirs %d %d %d\n", rank, theirs[0], theirs[1], theirs[2]);
}

static void ask_world(int rank, int size) {
  int* value = NULL;
  int flags[3];
  int length = 0;
  MPI_Errhandler found;
  if (rank % 2 == 0) MPI_Comm_set_errhandler(world, handler);
  MPI_Barrier(world);
  MPI_Comm_get_errhandler(world, &found);
  printf("rank %d: errors %s\n", rank, found == MPI_ERRORS_RETURN ? "return" : "are fatal");
  MPI_Comm_get_attr(world, MPI_TAG_UB, &value, &flags[0]);
  MPI_Comm_get_attr(world, MPI_LASTUSEDCODE, &value, &flags[1]);
  MPI_Comm_get_attr(world, MPI_UNIVERSE_SIZE, &value, &flags[2]);
  MPI_Get_library_version(library, &length);
  const MPI_Fint fortran = MPI_Comm_c2f(world);
  printf("rank %d: attributes %d %d %d, room %s, library %s, same %d, tick %d\n", rank, flags[0],
         flags[1], flags[2], !flags[2] || *value >= size ? "enough" : "too little",
         length > 0 ? "has a name" : "nameless", MPI_Comm_f2c(fortran) == world, MPI_Wtick() > 0);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &size);
  use_handles(rank, size);
  ask_world(rank, size);
  printf("%s %s %s\n", name_of(MPI_ERR_RANK), name_of(MPI_ROOT), name_of(MPI_UNDEFINED));
  MPI_Finalize();
  return 0;
}
