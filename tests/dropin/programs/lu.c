// Linear equations by LU decomposition with partial pivoting, rows dealt out in turn: the owner of
// the best pivot sends its row to all, rows change owners when they are exchanged. MPI: Allreduce
// with MPI_MAXLOC on MPI_DOUBLE_INT, Bcast from changing roots, Sendrecv_replace between owners,
// Allgather, Scatter.
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { n = 24 };

static int rank, size;

static int owner(int row) { return row % size; }

// Row of the matrix with the right side behind it, or NULL when another rank has it.
static double* row_of(double (*rows)[n + 1], int row) {
  return owner(row) == rank ? rows[row / size] : NULL;
}

static double coefficient(int i, int j) { return sin(1 + i * 1.7 + j * j * 0.3) + (i == j); }

static int best_pivot(double (*rows)[n + 1], int column) {
  struct {
    double value;
    int row;
  } mine = {-1, n}, best;
  for (int i = column; i < n; ++i) {
    const double* const row = row_of(rows, i);
    if (row != NULL && fabs(row[column]) > mine.value) {
      mine.value = fabs(row[column]);
      mine.row = i;
    }
  }
  MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  return best.row;
}

static void exchange_rows(double (*rows)[n + 1], int a, int b) {
  double* const of_a = row_of(rows, a);
  double* const of_b = row_of(rows, b);
  if (a == b) return;
  if (of_a != NULL && of_b != NULL) {
    for (int j = 0; j <= n; ++j) {
      const double swap = of_a[j];
      of_a[j] = of_b[j];
      of_b[j] = swap;
    }
  } else if (of_a != NULL || of_b != NULL) {
    const int partner = of_a != NULL ? owner(b) : owner(a);
    MPI_Sendrecv_replace(of_a != NULL ? of_a : of_b, n + 1, MPI_DOUBLE, partner, a, partner, a,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void eliminate(double (*rows)[n + 1]) {
  for (int k = 0; k < n; ++k) {
    double pivot[n + 1];
    exchange_rows(rows, k, best_pivot(rows, k));
    double* const own = row_of(rows, k);
    for (int j = 0; own != NULL && j <= n; ++j) pivot[j] = own[j];
    MPI_Bcast(pivot, n + 1, MPI_DOUBLE, owner(k), MPI_COMM_WORLD);
    for (int i = k + 1; i < n; ++i) {
      double* const row = row_of(rows, i);
      if (row == NULL) continue;
      const double factor = row[k] / pivot[k];
      for (int j = k; j <= n; ++j) row[j] -= factor * pivot[j];
    }
  }
}

static void substitute_back(double (*rows)[n + 1], double* x) {
  for (int i = n - 1; i >= 0; --i) {
    const double* const row = row_of(rows, i);
    if (row != NULL) {
      x[i] = row[n];
      for (int j = i + 1; j < n; ++j) x[i] -= row[j] * x[j];
      x[i] /= row[i];
    }
    MPI_Bcast(&x[i], 1, MPI_DOUBLE, owner(i), MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double(*const rows)[n + 1] = calloc((size_t)(n / size + 1), sizeof *rows);
  for (int i = 0; i < n; ++i) {
    double* const row = row_of(rows, i);
    for (int j = 0; row != NULL && j < n; ++j) {
      row[j] = coefficient(i, j);
      row[n] += row[j] * (j + 1);  // so that x[j] is j + 1
    }
  }
  double x[n];
  eliminate(rows);
  substitute_back(rows, x);

  double error = 0;
  for (int j = 0; j < n; ++j) error = fmax(error, fabs(x[j] - (j + 1)));
  printf("rank %d: x[0] %.6f, x[%d] %.6f, %s\n", rank, x[0], n - 1, x[n - 1],
         error < 1e-8 ? "solved" : "not solved");
  // Everybody has the same.
  double* const all = malloc((size_t)size * sizeof *all);
  MPI_Allgather(&x[n / 2], 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, MPI_COMM_WORLD);
  int different = 0;
  for (int i = 0; i < size; ++i) different += all[i] != x[n / 2];
  double share = -1;
  for (int i = 0; i < size; ++i) all[i] = i * 0.5;
  MPI_Scatter(all, 1, MPI_DOUBLE, &share, 1, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
  printf("rank %d: %d different, share %.1f\n", rank, different, share);
  free(all);
  free(rows);
  MPI_Finalize();
  return error < 1e-8 ? 0 : 1;
}
