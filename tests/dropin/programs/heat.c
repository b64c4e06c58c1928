// Heat in a square plate, explicit Euler steps on a grid that is divided in both directions: the
// upper edge is held at 100 degrees, the others at 0.
// MPI: Dims_create, Cart_create, Cart_coords, Cart_shift, Sendrecv with a vector type for columns,
// neighbours that are MPI_PROC_NULL, Allreduce, Reduce.
//
// usage: heat [cells per side] [steps] [-t]
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int rows, columns;  // of this rank, without the rim
  int first_row, first_column;
  int north, south, west, east;
  MPI_Comm comm;
  MPI_Datatype column;
} Grid;

static int first_of(int cells, int parts, int part) { return cells * part / parts; }

static Grid divide(int cells) {
  Grid grid;
  int size = 0;
  int rank = 0;
  int dims[2] = {0, 0};
  const int periods[2] = {0, 0};
  int at[2];
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid.comm);
  MPI_Comm_rank(grid.comm, &rank);
  MPI_Cart_coords(grid.comm, rank, 2, at);
  MPI_Cart_shift(grid.comm, 0, 1, &grid.north, &grid.south);
  MPI_Cart_shift(grid.comm, 1, 1, &grid.west, &grid.east);
  grid.first_row = first_of(cells, dims[0], at[0]);
  grid.first_column = first_of(cells, dims[1], at[1]);
  grid.rows = first_of(cells, dims[0], at[0] + 1) - grid.first_row;
  grid.columns = first_of(cells, dims[1], at[1] + 1) - grid.first_column;
  MPI_Type_vector(grid.rows, 1, grid.columns + 2, MPI_DOUBLE, &grid.column);
  MPI_Type_commit(&grid.column);
  return grid;
}

static void exchange(const Grid* grid, double* t) {
  const int width = grid->columns + 2;
  double* const first = t + width + 1;
  double* const last_row = first + (grid->rows - 1) * width;
  MPI_Sendrecv(first, grid->columns, MPI_DOUBLE, grid->north, 0, last_row + width, grid->columns,
               MPI_DOUBLE, grid->south, 0, grid->comm, MPI_STATUS_IGNORE);
  MPI_Sendrecv(last_row, grid->columns, MPI_DOUBLE, grid->south, 1, first - width, grid->columns,
               MPI_DOUBLE, grid->north, 1, grid->comm, MPI_STATUS_IGNORE);
  MPI_Sendrecv(first, 1, grid->column, grid->west, 2, first + grid->columns, 1, grid->column,
               grid->east, 2, grid->comm, MPI_STATUS_IGNORE);
  MPI_Sendrecv(first + grid->columns - 1, 1, grid->column, grid->east, 3, first - 1, 1,
               grid->column, grid->west, 3, grid->comm, MPI_STATUS_IGNORE);
}

// One step from t to next; returns the largest change.
static double step(const Grid* grid, const double* t, double* next) {
  const int width = grid->columns + 2;
  double change = 0;
  for (int i = 1; i <= grid->rows; ++i) {
    for (int j = 1; j <= grid->columns; ++j) {
      const double* const c = t + i * width + j;
      const double difference = 0.2 * (c[-1] + c[1] + c[-width] + c[width] - 4 * c[0]);
      next[i * width + j] = c[0] + difference;
      change = fmax(change, fabs(difference));
    }
  }
  return change;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int cells = argc > 1 ? atoi(argv[1]) : 30;
  const int steps = argc > 2 ? atoi(argv[2]) : 40;
  Grid grid = divide(cells);
  const size_t area = (size_t)((grid.rows + 2) * (grid.columns + 2));
  double* t = calloc(area, sizeof *t);
  double* next = calloc(area, sizeof *next);
  if (grid.north == MPI_PROC_NULL) {
    for (int j = 0; j < grid.columns + 2; ++j) t[j] = next[j] = 100;
  }

  const double start = MPI_Wtime();
  double change = 0;
  for (int n = 1; n <= steps; ++n) {
    exchange(&grid, t);
    const double mine = step(&grid, t, next);
    double* const swap = t;
    t = next;
    next = swap;
    if (n % 10 == 0) MPI_Allreduce(&mine, &change, 1, MPI_DOUBLE, MPI_MAX, grid.comm);
  }

  double heat = 0;
  for (int i = 1; i <= grid.rows; ++i) {
    for (int j = 1; j <= grid.columns; ++j) heat += t[i * (grid.columns + 2) + j];
  }
  double total = 0;
  int rank = 0;
  MPI_Reduce(&heat, &total, 1, MPI_DOUBLE, MPI_SUM, 0, grid.comm);
  MPI_Comm_rank(grid.comm, &rank);
  if (rank == 0) printf("mean %.9f, last change %.9f\n", total / cells / cells, change);
  if (rank == 0 && strcmp(argv[argc - 1], "-t") == 0) printf("time %.6f\n", MPI_Wtime() - start);
  free(t);
  free(next);
  MPI_Type_free(&grid.column);
  MPI_Comm_free(&grid.comm);
  MPI_Finalize();
  return 0;
}
