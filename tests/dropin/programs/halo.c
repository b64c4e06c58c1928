// Halo exchange of a 3-D field on a periodic grid of ranks: all six faces travel in one go, as
// persistent requests that are set up once and started in each step.
// MPI: Cart_create in three dimensions, Type_create_subarray, Send_init, Recv_init, Startall,
// Waitall, Request_free, Allreduce.
#include <mpi.h>
#include <stdio.h>

enum { n = 4, wide = n + 2, faces = 6 };  // own cells per direction, with the halo

typedef long Field[wide][wide][wide];

// The layer of own cells (first or last) or of the halo (before first or after last) normal to
// `direction`.
static MPI_Datatype layer(int direction, int at) {
  const int sizes[3] = {wide, wide, wide};
  int subsizes[3] = {n, n, n};
  int starts[3] = {1, 1, 1};
  subsizes[direction] = 1;
  starts[direction] = at;
  MPI_Datatype type;
  MPI_Type_create_subarray(3, sizes, subsizes, starts, MPI_ORDER_C, MPI_LONG, &type);
  MPI_Type_commit(&type);
  return type;
}

static void set_up(MPI_Comm comm, Field field, MPI_Request* requests) {
  for (int direction = 0; direction < 3; ++direction) {
    int low = 0;
    int high = 0;
    MPI_Cart_shift(comm, direction, 1, &low, &high);
    MPI_Datatype types[4];
    const int places[4] = {1, wide - 1, n, 0};  // to low, from high, to high, from low
    for (int i = 0; i < 4; ++i) types[i] = layer(direction, places[i]);
    MPI_Send_init(field, 1, types[0], low, 2 * direction, comm, requests++);
    MPI_Recv_init(field, 1, types[1], high, 2 * direction, comm, requests++);
    MPI_Send_init(field, 1, types[2], high, 2 * direction + 1, comm, requests++);
    MPI_Recv_init(field, 1, types[3], low, 2 * direction + 1, comm, requests++);
    // The requests keep them.
    for (int i = 0; i < 4; ++i) MPI_Type_free(&types[i]);
  }
}

// Each cell becomes the sum of itself and its six neighbours, modulo a prime.
static void step(Field field) {
  static Field next;
  for (int i = 1; i <= n; ++i) {
    for (int j = 1; j <= n; ++j) {
      for (int k = 1; k <= n; ++k) {
        next[i][j][k] =
            (field[i][j][k] + field[i - 1][j][k] + 2 * field[i + 1][j][k] + 3 * field[i][j - 1][k] +
             5 * field[i][j + 1][k] + 7 * field[i][j][k - 1] + 11 * field[i][j][k + 1]) %
            1000003;
      }
    }
  }
  for (int i = 1; i <= n; ++i) {
    for (int j = 1; j <= n; ++j) {
      for (int k = 1; k <= n; ++k) field[i][j][k] = next[i][j][k];
    }
  }
}

int main(int argc, char** argv) {
  static Field field;
  MPI_Init(&argc, &argv);
  int size = 0;
  int rank = 0;
  int dims[3] = {0, 0, 0};
  const int periods[3] = {1, 1, 1};
  int at[3];
  MPI_Comm comm;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 3, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Cart_coords(comm, rank, 3, at);
  for (int i = 1; i <= n; ++i) {
    for (int j = 1; j <= n; ++j) {
      for (int k = 1; k <= n; ++k) {
        field[i][j][k] = (at[0] * n + i) * 10000 + (at[1] * n + j) * 100 + at[2] * n + k;
      }
    }
  }

  MPI_Request requests[2 * faces];
  set_up(comm, field, requests);
  for (int s = 0; s < 10; ++s) {
    MPI_Startall(2 * faces, requests);
    MPI_Waitall(2 * faces, requests, MPI_STATUSES_IGNORE);
    step(field);
    long mine = 0;
    long sum = 0;
    for (int i = 1; i <= n; ++i) {
      for (int j = 1; j <= n; ++j) {
        for (int k = 1; k <= n; ++k) mine += field[i][j][k];
      }
    }
    MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, comm);
    if (rank == 0) printf("step %d: sum %ld\n", s, sum);
  }
  printf("rank %d at %d %d %d: corner %ld\n", rank, at[0], at[1], at[2], field[1][1][1]);
  for (int i = 0; i < 2 * faces; ++i) MPI_Request_free(&requests[i]);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
