// Gossip through buffered sends: every rank sends to all others before anybody receives, from a
// buffer of its own that has room for exactly these messages.
// MPI: Buffer_attach, Bsend, Ibsend, Bsend_init, Pack_size, Buffer_detach (which gives back the
// memory that this rank attached), Recv in order of ranks.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { length = 100, kinds = 3 };

static void send_to(int to, int rank) {
  int data[length];
  MPI_Request request;
  for (int kind = 0; kind < kinds; ++kind) {
    for (int i = 0; i < length; ++i) data[i] = rank * 1000 + kind * 100 + i;
    if (kind == 0) MPI_Bsend(data, length, MPI_INT, to, kind, MPI_COMM_WORLD);
    if (kind == 1) {
      MPI_Ibsend(data, length, MPI_INT, to, kind, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (kind == 2) {
      MPI_Bsend_init(data, length, MPI_INT, to, kind, MPI_COMM_WORLD, &request);
      MPI_Start(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      MPI_Request_free(&request);
    }
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  int bytes = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Pack_size(length, MPI_INT, MPI_COMM_WORLD, &bytes);
  const int room = kinds * size * (bytes + MPI_BSEND_OVERHEAD);
  void* const buffer = malloc((size_t)room);
  MPI_Buffer_attach(buffer, room);
  for (int to = 0; to < size; ++to) send_to(to, rank);
  MPI_Barrier(MPI_COMM_WORLD);

  long sum = 0;
  for (int from = 0; from < size; ++from) {
    for (int kind = 0; kind < kinds; ++kind) {
      int data[length];
      MPI_Recv(data, length, MPI_INT, from, kind, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int i = 0; i < length; ++i) sum += (i + 1) * data[i];
    }
  }
  void* given = NULL;
  int given_size = 0;
  MPI_Buffer_detach(&given, &given_size);
  printf("rank %d: sum %ld, buffer %s, size %s\n", rank, sum, given == buffer ? "mine" : "foreign",
         given_size == room ? "mine" : "foreign");
  free(given);
  MPI_Finalize();
  return 0;
}
