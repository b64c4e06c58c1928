// The Mandelbrot set, rows dealt out in turn like cards, so that the costly middle is shared; rank
// 0 puts the rows into place as they come, with a datatype instead of a loop. MPI: Type_vector with
// Type_create_resized as type of Gather, Gatherv, Reduce with MPI_BXOR and MPI_MAXLOC,
// Type_get_envelope.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { width = 64, rows_per_rank = 6, deepest = 200 };

static int depth_at(double re, double im) {
  double x = 0;
  double y = 0;
  int n = 0;
  for (; n < deepest && x * x + y * y < 4; ++n) {
    const double next = x * x - y * y + re;
    y = 2 * x * y + im;
    x = next;
  }
  return n;
}

static char shade(int depth) {
  static const char shades[] = " .:-=+*#%@";
  return depth == deepest ? '@' : shades[depth * 9 / deepest + (depth > 2) + (depth > 6)];
}

// One row of every `size`, seen by rank 0; the next rank's begin one row later.
static MPI_Datatype type_of_rows(int size) {
  MPI_Datatype comb, type;
  MPI_Type_vector(rows_per_rank, width, size * width, MPI_CHAR, &comb);
  MPI_Type_create_resized(comb, 0, width, &type);
  MPI_Type_commit(&type);
  MPI_Type_free(&comb);
  return type;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int height = size * rows_per_rank;
  static char mine[rows_per_rank * width];
  unsigned pattern = 0;
  struct {
    int depth, row;
  } deep = {0, 0}, deepest_row;
  for (int r = 0; r < rows_per_rank; ++r) {
    const int row = rank + r * size;
    int sum = 0;
    for (int c = 0; c < width; ++c) {
      // Away from the real axis and other places where rounding decides.
      const int depth =
          depth_at(-2.2 + 3.0 * (c + 0.37) / width, -1.2 + 2.4 * (row + 0.41) / height);
      mine[r * width + c] = shade(depth);
      pattern = pattern * 31U + (unsigned)depth;
      sum += depth;
    }
    if (sum > deep.depth) {
      deep.depth = sum;
      deep.row = row;
    }
  }

  MPI_Datatype rows = type_of_rows(size);
  int numbers[4];
  MPI_Type_get_envelope(rows, &numbers[0], &numbers[1], &numbers[2], &numbers[3]);
  char* const picture = malloc((size_t)(height * width));
  MPI_Gather(mine, rows_per_rank * width, MPI_CHAR, picture, 1, rows, 0, MPI_COMM_WORLD);
  unsigned all = 0;
  MPI_Reduce(&pattern, &all, 1, MPI_UNSIGNED, MPI_BXOR, 0, MPI_COMM_WORLD);
  MPI_Reduce(&deep, &deepest_row, 1, MPI_2INT, MPI_MAXLOC, 0, MPI_COMM_WORLD);

  // Ranks also send their first rank + 1 letters.
  int* const counts = malloc((size_t)(2 * size) * sizeof *counts);
  int* const starts = counts + size;
  for (int i = 0, at = 0; i < size; at += ++i) {
    counts[i] = i + 1;
    starts[i] = at;
  }
  char* const letters = malloc((size_t)(size * (size + 1)));
  MPI_Gatherv(mine, rank + 1, MPI_CHAR, letters, counts, starts, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    for (int r = 0; r < height; ++r) printf("%03d |%.*s|\n", r, width, picture + r * width);
    printf("pattern %u, deepest row %d with %d, letters '%.*s', resized %d\n", all, deepest_row.row,
           deepest_row.depth, size * (size + 1) / 2, letters, numbers[3] == MPI_COMBINER_RESIZED);
  }
  MPI_Type_free(&rows);
  free(letters);
  free(counts);
  free(picture);
  MPI_Finalize();
  return 0;
}
