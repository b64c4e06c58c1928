// Gravity among bodies, all pairs: blocks of bodies travel round a ring of ranks, and the next
// block is on its way while forces of the present one are computed. MPI: Isend, Irecv, Waitall,
// Type_contiguous, Allgather, Reduce with MPI_MIN.
//
// usage: nbody [bodies per rank] [steps] [-t]
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  double x, y, z, mass;
} Body;

typedef struct {
  double x, y, z;
} Vector;

static void add_forces(const Body* mine, Vector* forces, const Body* others, int count) {
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) {
      const double dx = others[j].x - mine[i].x;
      const double dy = others[j].y - mine[i].y;
      const double dz = others[j].z - mine[i].z;
      const double r2 = dx * dx + dy * dy + dz * dz + 0.01;
      const double f = others[j].mass / (r2 * sqrt(r2));
      forces[i].x += f * dx;
      forces[i].y += f * dy;
      forces[i].z += f * dz;
    }
  }
}

// Forces of all bodies on `mine`; `blocks` has room for two blocks that travel.
static void all_forces(const Body* mine, Vector* forces, Body* blocks, int count,
                       MPI_Datatype body) {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  Body* present = blocks;
  Body* next = blocks + count;
  memcpy(present, mine, (size_t)count * sizeof *mine);
  memset(forces, 0, (size_t)count * sizeof *forces);
  for (int n = 0; n < size; ++n) {
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    if (n < size - 1) {
      MPI_Irecv(next, count, body, (rank + size - 1) % size, n, MPI_COMM_WORLD, &requests[0]);
      MPI_Isend(present, count, body, (rank + 1) % size, n, MPI_COMM_WORLD, &requests[1]);
    }
    add_forces(mine, forces, present, count);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    Body* const swap = present;
    present = next;
    next = swap;
  }
}

static void place(Body* bodies, int count, int first) {
  for (int i = 0; i < count; ++i) {
    const double a = 0.7 * (first + i);
    bodies[i] = (Body){cos(a) * (1 + 0.01 * i), sin(1.3 * a), 0.1 * cos(2.1 * a), 1.0 + i % 3};
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int count = argc > 1 ? atoi(argv[1]) : 20;
  const int steps = argc > 2 ? atoi(argv[2]) : 5;
  const double dt = 1e-3;
  MPI_Datatype body;
  MPI_Type_contiguous(4, MPI_DOUBLE, &body);
  MPI_Type_commit(&body);
  Body* const bodies = malloc((size_t)(3 * count) * sizeof *bodies);
  Vector* const forces = malloc((size_t)count * sizeof *forces);
  Vector* const speeds = calloc((size_t)count, sizeof *speeds);
  place(bodies, count, rank * count);

  const double start = MPI_Wtime();
  for (int s = 0; s < steps; ++s) {
    all_forces(bodies, forces, bodies + count, count, body);
    for (int i = 0; i < count; ++i) {
      bodies[i].x += dt * (speeds[i].x += dt * forces[i].x);
      bodies[i].y += dt * (speeds[i].y += dt * forces[i].y);
      bodies[i].z += dt * (speeds[i].z += dt * forces[i].z);
    }
  }
  const double seconds = MPI_Wtime() - start;

  double momentum[3] = {0, 0, 0};
  for (int i = 0; i < count; ++i) {
    momentum[0] += bodies[i].mass * speeds[i].x;
    momentum[1] += bodies[i].mass * speeds[i].y;
    momentum[2] += bodies[i].mass * speeds[i].z;
  }
  double* const all = malloc((size_t)(3 * size) * sizeof *all);
  MPI_Allgather(momentum, 3, MPI_DOUBLE, all, 3, MPI_DOUBLE, MPI_COMM_WORLD);
  double sum[3] = {0, 0, 0};
  for (int i = 0; i < 3 * size; ++i) sum[i % 3] += all[i];
  const int is_kept = fabs(sum[0]) + fabs(sum[1]) + fabs(sum[2]) < 1e-9 * count * size * steps;
  double lowest = 0;
  MPI_Reduce(&bodies[0].z, &lowest, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
  printf("rank %d: first body at %.8f %.8f %.8f\n", rank, bodies[0].x, bodies[0].y, bodies[0].z);
  if (rank == 0) printf("momentum %s, lowest %.8f\n", is_kept ? "kept" : "lost", lowest);
  if (rank == 0 && strcmp(argv[argc - 1], "-t") == 0) printf("time %.6f\n", seconds);
  free(all);
  free(speeds);
  free(forces);
  free(bodies);
  MPI_Type_free(&body);
  MPI_Finalize();
  return 0;
}
