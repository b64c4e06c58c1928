// OpenMP inside the ranks: a Jacobi iteration whose rows are shared by threads, threads that ask
// who they are, and variables of threads. MPI: Init_thread with MPI_THREAD_MULTIPLE, Comm_rank and
// messages to oneself from all threads, Reduce. OpenMP: parallel, for with reduction, critical,
// threadprivate.
#include <math.h>
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

enum { n = 32, threads = 3 };

static double field[n + 2], next[n + 2];
static int of_thread;
#pragma omp threadprivate(of_thread)

static double relax(void) {
  double change = 0;
#pragma omp parallel for num_threads(threads) reduction(max : change)
  for (int i = 1; i <= n; ++i) {
    next[i] = 0.5 * (field[i - 1] + field[i + 1]);
    change = fmax(change, fabs(next[i] - field[i]));
  }
#pragma omp parallel for num_threads(threads)
  for (int i = 1; i <= n; ++i) field[i] = next[i];
  return change;
}

// Each thread sends itself something, with its number as tag.
static int ask_threads(void) {
  int sum = 0;
#pragma omp parallel num_threads(threads)
  {
    const int thread = omp_get_thread_num();
    int rank = -1;
    int back = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    of_thread = 10 * rank + thread;
    MPI_Sendrecv(&of_thread, 1, MPI_INT, rank, thread, &back, 1, MPI_INT, rank, thread,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp critical
    sum += back == of_thread ? back : 10000;
  }
  return sum;
}

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  field[0] = rank + 1;
  double change = 0;
  for (int step = 0; step < 50; ++step) change = relax();
  double largest = 0;
  MPI_Reduce(&change, &largest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("largest change %.9f\n", largest);
  printf("rank %d: middle %.9f, threads sum to %d\n", rank, field[n / 4], ask_threads());
  MPI_Finalize();
  return 0;
}
