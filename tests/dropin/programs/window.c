// One-sided communication: a counter that hands out tickets, a histogram that everybody adds to, a
// ring of puts between fences, a hash table with compare-and-swap.
// MPI: Win_create, Win_allocate, Win_fence, Put, Get, Accumulate, Fetch_and_op, Compare_and_swap,
// Get_accumulate, Win_lock, Win_lock_all, Win_flush, Post/Start/Complete/Wait, Win_free.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { bins = 8, slots = 64, tickets_of_each = 10 };

static int rank, size;

static void ring_of_puts(void) {
  long* mine;
  MPI_Win win;
  MPI_Win_allocate(2 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
  mine[0] = mine[1] = -1;
  const long value = rank * 11;
  long read = -1;
  MPI_Win_fence(0, win);
  MPI_Put(&value, 1, MPI_LONG, (rank + 1) % size, 0, 1, MPI_LONG, win);
  MPI_Win_fence(0, win);
  MPI_Get(&read, 1, MPI_LONG, (rank + size - 1) % size, 0, 1, MPI_LONG, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);

  // The same to the right neighbour, by an epoch of the two only.
  MPI_Group all, left, right;
  const int from = (rank + size - 1) % size;
  const int to = (rank + 1) % size;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &from, &left);
  MPI_Group_incl(all, 1, &to, &right);
  MPI_Win_post(left, 0, win);
  MPI_Win_start(right, 0, win);
  MPI_Put(&read, 1, MPI_LONG, to, 1, 1, MPI_LONG, win);
  MPI_Win_complete(win);
  MPI_Win_wait(win);
  printf("rank %d: put %ld, got %ld, then %ld\n", rank, mine[0], read, mine[1]);
  MPI_Group_free(&all);
  MPI_Group_free(&left);
  MPI_Group_free(&right);
  MPI_Win_free(&win);
}

static void histogram(void) {
  int counts[bins] = {0};
  MPI_Win win;
  MPI_Win_create(counts, rank == 0 ? sizeof counts : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
                 &win);
  MPI_Win_lock_all(0, win);
  for (int i = 0; i < 40; ++i) {
    const int one = 1;
    MPI_Accumulate(&one, 1, MPI_INT, 0, (rank * 7 + i * i) % bins, 1, MPI_INT, MPI_SUM, win);
  }
  MPI_Win_flush(0, win);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  int largest = rank;
  int before = 0;
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  MPI_Get_accumulate(&largest, 1, MPI_INT, &before, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_NO_OP, win);
  MPI_Win_unlock(0, win);
  printf("rank %d: bin 0 has %d\n", rank, before);
  MPI_Win_fence(0, win);
  for (int i = 0; rank == 0 && i < bins; ++i) printf("bin %d: %d\n", i, counts[i]);
  MPI_Win_free(&win);
}

static void tickets(void) {
  long* counter;
  MPI_Win win;
  MPI_Win_allocate(rank == size - 1 ? sizeof(long) : 0, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD,
                   &counter, &win);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
  if (rank == size - 1) *counter = 1000;
  MPI_Win_unlock(rank, win);
  MPI_Barrier(MPI_COMM_WORLD);
  const long one = 1;
  long sum = 0;
  MPI_Win_lock_all(0, win);
  for (int i = 0; i < tickets_of_each; ++i) {
    long ticket = 0;
    MPI_Fetch_and_op(&one, &ticket, MPI_LONG, size - 1, 0, MPI_SUM, win);
    MPI_Win_flush(size - 1, win);
    sum += ticket;
  }
  MPI_Win_unlock_all(win);
  long all = 0;
  MPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("tickets sum to %ld\n", all);
  MPI_Win_free(&win);
}

// Keys find a free slot of a table that is spread over all ranks.
static void hash_table(void) {
  int* table;
  MPI_Win win;
  MPI_Win_allocate(slots * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &table, &win);
  for (int i = 0; i < slots; ++i) table[i] = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
  for (int k = 0; k < 20; ++k) {
    const int key = 1 + rank * 20 + k;
    const int empty = 0;
    for (int probe = key * 17 % (slots * size), found = -1; found != 0; ++probe) {
      const int slot = probe % (slots * size);
      MPI_Compare_and_swap(&key, &empty, &found, MPI_INT, slot / slots, slot % slots, win);
      MPI_Win_flush(slot / slots, win);
    }
  }
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
  long mine[2] = {0, 0};
  for (int i = 0; i < slots; ++i) {
    mine[0] += table[i];
    mine[1] += table[i] != 0;
  }
  MPI_Win_unlock(rank, win);
  long all[2] = {0, 0};
  MPI_Reduce(mine, all, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%ld keys sum to %ld\n", all[1], all[0]);
  MPI_Win_free(&win);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  ring_of_puts();
  histogram();
  tickets();
  hash_table();
  MPI_Finalize();
  return 0;
}
