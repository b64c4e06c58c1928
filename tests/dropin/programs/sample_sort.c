// Sample sort: every rank sorts its keys, samples of all of them choose the borders, and one
// exchange brings each key to the rank in whose range it is.
// MPI: Gather, Bcast, Alltoall, Alltoallv, Exscan, Reduce, user data in MPI_UNSIGNED.
//
// usage: sample_sort [keys per rank] [-t]
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void* a, const void* b) {
  const unsigned x = *(const unsigned*)a;
  const unsigned y = *(const unsigned*)b;
  return (x > y) - (x < y);
}

static void sort(unsigned* keys, int count) { qsort(keys, (size_t)count, sizeof *keys, compare); }

// `size` - 1 borders between the ranges of the ranks.
static void choose_borders(const unsigned* keys, int count, int size, unsigned* borders) {
  unsigned* const mine = malloc((size_t)size * sizeof *mine);
  unsigned* const all = malloc((size_t)(size * size) * sizeof *all);
  for (int i = 0; i < size; ++i) mine[i] = keys[(long)count * i / size];
  MPI_Gather(mine, size, MPI_UNSIGNED, all, size, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    sort(all, size * size);
    for (int i = 1; i < size; ++i) borders[i - 1] = all[i * size];
  }
  MPI_Bcast(borders, size - 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
  free(mine);
  free(all);
}

static int sums_before(const int* counts, int size, int* offsets) {
  int sum = 0;
  for (int i = 0; i < size; ++i) {
    offsets[i] = sum;
    sum += counts[i];
  }
  return sum;
}

// The sorted keys of this rank's range, which the caller frees.
static unsigned* exchange(const unsigned* keys, int count, int size, const unsigned* borders,
                          int* received) {
  int* const numbers = calloc((size_t)(4 * size), sizeof *numbers);
  int* const to = numbers;
  int* const to_at = to + size;
  int* const from = to_at + size;
  int* const from_at = from + size;
  int target = 0;
  for (int i = 0; i < count; ++i) {
    while (target < size - 1 && keys[i] >= borders[target]) ++target;
    ++to[target];
  }
  MPI_Alltoall(to, 1, MPI_INT, from, 1, MPI_INT, MPI_COMM_WORLD);
  sums_before(to, size, to_at);
  *received = sums_before(from, size, from_at);
  unsigned* const result = malloc((size_t)(*received + 1) * sizeof *result);
  MPI_Alltoallv(keys, to, to_at, MPI_UNSIGNED, result, from, from_at, MPI_UNSIGNED, MPI_COMM_WORLD);
  free(numbers);
  sort(result, *received);
  return result;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int count = argc > 1 ? atoi(argv[1]) : 500;
  unsigned* const keys = malloc((size_t)count * sizeof *keys);
  unsigned* const borders = calloc((size_t)size, sizeof *borders);
  unsigned state = 12345U + (unsigned)rank;
  for (int i = 0; i < count; ++i) keys[i] = (state = state * 1664525U + 1013904223U) >> 8U;

  const double start = MPI_Wtime();
  sort(keys, count);
  choose_borders(keys, count, size, borders);
  int received = 0;
  unsigned* const sorted = exchange(keys, count, size, borders, &received);
  const double seconds = MPI_Wtime() - start;

  int first = 0;
  MPI_Exscan(&received, &first, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) first = 0;
  unsigned long mine[2] = {0, 0};  // check sums that know places
  for (int i = 0; i < received; ++i) {
    mine[0] += sorted[i];
    mine[1] += (unsigned long)(first + i) * sorted[i];
  }
  unsigned long all[2] = {0, 0};
  MPI_Reduce(mine, all, 2, MPI_UNSIGNED_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  printf("rank %d: keys from place %d, %d of them, %u to %u\n", rank, first, received, sorted[0],
         sorted[received - 1]);
  if (rank == 0) printf("check sums %lu %lu\n", all[0], all[1]);
  if (rank == 0 && strcmp(argv[argc - 1], "-t") == 0) printf("time %.6f\n", seconds);
  free(sorted);
  free(borders);
  free(keys);
  MPI_Finalize();
  return 0;
}
