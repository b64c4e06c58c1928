/* A program without MPI_Init: two sessions, each with a communicator of its own. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  MPI_Session session;
  MPI_Session other;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &other);

  int sets = 0;
  int world_is_one = 0;
  MPI_Session_get_num_psets(session, MPI_INFO_NULL, &sets);
  for (int n = 0; n < sets; ++n) {
    char name[MPI_MAX_PSET_NAME_LEN];
    int length = MPI_MAX_PSET_NAME_LEN;
    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, n, &length, name);
    if (strcmp(name, "mpi://WORLD") == 0) world_is_one = 1;
  }

  MPI_Group world;
  MPI_Comm comm;
  MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
  MPI_Comm_create_from_group(world, "org.example.first", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL,
                             &comm);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  int sum = 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
  printf("rank %d of %d: %d, %s\n", rank, size, sum, world_is_one ? "world" : "no world");

  MPI_Group self;
  MPI_Comm alone;
  MPI_Group_from_session_pset(other, "mpi://SELF", &self);
  MPI_Comm_create_from_group(self, "org.example.second", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL,
                             &alone);
  MPI_Comm_size(alone, &size);
  printf("rank %d alone: %d\n", rank, size);
  MPI_Comm_free(&alone);
  MPI_Group_free(&self);
  MPI_Session_finalize(&other);

  MPI_Barrier(comm);
  MPI_Comm_free(&comm);
  MPI_Group_free(&world);
  MPI_Session_finalize(&session);
  return session == MPI_SESSION_NULL ? 0 : 1;
}
