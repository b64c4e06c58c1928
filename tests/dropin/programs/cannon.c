// Product of two square matrices by Cannon's algorithm: blocks travel in rings along the rows and
// columns of the largest square of ranks; ranks outside the square only watch.
// MPI: Comm_split with MPI_UNDEFINED, periodic Cart_create, Cart_sub, Cart_shift, Sendrecv_replace,
// Comm_compare, Reduce, Bcast of the result to those who watched.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { block = 6 };  // rows and columns of a block

typedef double Block[block][block];

static void multiply_add(Block a, Block b, Block c) {
  for (int i = 0; i < block; ++i) {
    for (int k = 0; k < block; ++k) {
      for (int j = 0; j < block; ++j) c[i][j] += a[i][k] * b[k][j];
    }
  }
}

// Small whole numbers: sums are exact in any order.
static double a_at(int i, int j) { return (i * 7 + j * 3) % 11 - 5; }
static double b_at(int i, int j) { return (i * 5 + j * 2) % 13 - 6; }

// Moves a block `steps` places towards lower ranks of a ring.
static void shift(Block b, int steps, MPI_Comm ring) {
  int from = 0;
  int to = 0;
  MPI_Cart_shift(ring, 0, -steps, &from, &to);
  MPI_Sendrecv_replace(b, block * block, MPI_DOUBLE, to, 0, from, 0, ring, MPI_STATUS_IGNORE);
}

static int count_errors(Block c, int row, int column, int n) {
  int errors = 0;
  for (int i = 0; i < block; ++i) {
    for (int j = 0; j < block; ++j) {
      double expected = 0;
      for (int k = 0; k < n; ++k) {
        expected += a_at(row * block + i, k) * b_at(k, column * block + j);
      }
      if (c[i][j] != expected) ++errors;
    }
  }
  return errors;
}

static void multiply(MPI_Comm square, int side, double* trace, int* errors) {
  const int dims[2] = {side, side};
  const int periods[2] = {1, 1};
  const int along_row[2] = {0, 1};
  const int along_column[2] = {1, 0};
  MPI_Comm torus, row_ring, column_ring;
  int rank = 0;
  int at[2];
  MPI_Cart_create(square, 2, dims, periods, 0, &torus);
  MPI_Comm_rank(torus, &rank);
  MPI_Cart_coords(torus, rank, 2, at);
  MPI_Cart_sub(torus, along_row, &row_ring);
  MPI_Cart_sub(torus, along_column, &column_ring);

  Block a, b;
  Block c = {{0}};
  for (int i = 0; i < block; ++i) {
    for (int j = 0; j < block; ++j) {
      a[i][j] = a_at(at[0] * block + i, at[1] * block + j);
      b[i][j] = b_at(at[0] * block + i, at[1] * block + j);
    }
  }
  shift(a, at[0], row_ring);
  shift(b, at[1], column_ring);
  for (int n = 0; n < side; ++n) {
    multiply_add(a, b, c);
    shift(a, 1, row_ring);
    shift(b, 1, column_ring);
  }
  double mine = 0;
  for (int i = 0; at[0] == at[1] && i < block; ++i) mine += c[i][i];
  const int wrong = count_errors(c, at[0], at[1], side * block);
  MPI_Reduce(&mine, trace, 1, MPI_DOUBLE, MPI_SUM, 0, torus);
  MPI_Reduce(&wrong, errors, 1, MPI_INT, MPI_SUM, 0, torus);
  MPI_Comm_free(&row_ring);
  MPI_Comm_free(&column_ring);
  MPI_Comm_free(&torus);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int side = 1;
  while ((side + 1) * (side + 1) <= size) ++side;

  MPI_Comm square;
  MPI_Comm_split(MPI_COMM_WORLD, rank < side * side ? 0 : MPI_UNDEFINED, rank, &square);
  double trace = 0;
  int errors = 0;
  if (square != MPI_COMM_NULL) {
    int relation = MPI_UNEQUAL;
    MPI_Comm_compare(square, MPI_COMM_WORLD, &relation);
    if (rank == 0) printf("all ranks multiply: %s\n", relation == MPI_CONGRUENT ? "yes" : "no");
    multiply(square, side, &trace, &errors);
    MPI_Comm_free(&square);
  }
  MPI_Bcast(&trace, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Bcast(&errors, 1, MPI_INT, 0, MPI_COMM_WORLD);
  printf("rank %d: %d x %d blocks, trace %.0f, %d wrong\n", rank, side, side, trace, errors);
  MPI_Finalize();
  return errors != 0;
}
