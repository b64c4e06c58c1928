// Collectives that do not block, several of them under way at once, while the program computes and
// looks from time to time whether they are done.
// MPI: Ibcast, Iallreduce, Ialltoall, Iallgatherv, Iscan, Ireduce_scatter, Igather, Ibarrier, Test,
// Testany, Testsome, Waitall, Request_get_status.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { most = 16, operations = 6 };

static int rank, size;

// A little of a computation; returns where it is now.
static unsigned long compute(unsigned long state) {
  for (int i = 0; i < 200; ++i) state = state * 6364136223846793005UL + 1442695040888963407UL;
  return state;
}

static void many_at_once(void) {
  int word = rank == size - 1 ? 77 : 0;
  int one = rank + 1;
  int sum = 0;
  int scan = 0;
  int to[most], from[most], all[most * (most + 1)], counts[most], places[most], ones[most],
      part = 0;
  int mine[most];
  for (int i = 0; i < size; ++i) {
    to[i] = rank * 100 + i;
    counts[i] = i + 1;
    places[i] = i * (i + 1) / 2;
    ones[i] = 1;
  }
  for (int i = 0; i <= rank; ++i) mine[i] = rank * 10 + i;
  MPI_Request requests[operations];
  MPI_Ibcast(&word, 1, MPI_INT, size - 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
  MPI_Ialltoall(to, 1, MPI_INT, from, 1, MPI_INT, MPI_COMM_WORLD, &requests[2]);
  MPI_Iallgatherv(mine, rank + 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD,
                  &requests[3]);
  MPI_Iscan(&one, &scan, 1, MPI_INT, MPI_PROD, MPI_COMM_WORLD, &requests[4]);
  MPI_Ireduce_scatter(to, &part, ones, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &requests[5]);

  unsigned long state = 1;
  for (int done = 0; done < operations;) {
    int count = 0;
    int indices[operations];
    state = compute(state);
    MPI_Testsome(operations, requests, &count, indices, MPI_STATUSES_IGNORE);
    if (count != MPI_UNDEFINED) done += count;
  }
  int total = 0;
  for (int i = 0; i < size * (size + 1) / 2; ++i) total = (total * 3 + all[i]) % 10007;
  printf("rank %d: %d %d %d, from 0 %d, all %d, part %d, computed %s\n", rank, word, sum, scan,
         from[0], total, part, state != 1 ? "yes" : "no");
}

// Everybody reaches the barrier at another time; nobody passes before the last has come.
static void barrier_in_steps(void) {
  int arrived = 0;
  int one = 1;
  unsigned long state = (unsigned long)rank;
  MPI_Request barrier, tally;
  for (int i = 0; i < rank * 50; ++i) state = compute(state);
  MPI_Iallreduce(&one, &arrived, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &tally);
  MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
  MPI_Status status;
  int is_complete = 0;
  while (!is_complete) MPI_Request_get_status(barrier, &is_complete, &status);
  int flag = 0;
  MPI_Test(&barrier, &flag, MPI_STATUS_IGNORE);  // get_status left it to us
  for (int is_done = 0; !is_done;) MPI_Test(&tally, &is_done, MPI_STATUS_IGNORE);
  printf("rank %d: %d arrived, test %d, null %d, state %lu\n", rank, arrived, flag,
         barrier == MPI_REQUEST_NULL && tally == MPI_REQUEST_NULL, state % 1000);
}

// Rank 0 gathers in rounds, and may be several rounds behind.
static void pipeline(void) {
  enum { rounds = 5 };
  int in[rounds][most], out[rounds];
  MPI_Request requests[rounds];
  for (int r = 0; r < rounds; ++r) {
    out[r] = rank * rounds + r;
    MPI_Igather(&out[r], 1, MPI_INT, in[r], 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[r]);
  }
  int index = 0;
  for (int flag = 0; !flag;) MPI_Testany(rounds, requests, &index, &flag, MPI_STATUS_IGNORE);
  MPI_Waitall(rounds, requests, MPI_STATUSES_IGNORE);
  for (int r = 0; rank == 0 && r < rounds; ++r) {
    printf("round %d:", r);
    for (int i = 0; i < size; ++i) printf(" %d", in[r][i]);
    printf("\n");
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  many_at_once();
  barrier_in_steps();
  pipeline();
  MPI_Finalize();
  return 0;
}
