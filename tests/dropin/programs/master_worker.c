// Master and workers: rank 0 hands out tasks of different sizes to whoever is idle, and answers of
// different lengths come back in any order. What is printed does not depend on who did what.
// MPI: Probe and Iprobe with ANY_SOURCE and ANY_TAG, Mprobe with Mrecv, Get_count, Abort on a task
// that is impossible (never reached), Reduce of the workers' tallies.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { tasks = 40, work_tag = 1, stop_tag = 2, answer_tag = 100 };

// The answer of task n: the prime factors of a number, as many as there are.
static int factors(int task, int* answer) {
  int number = 1000 + task * task * 37;
  int count = 0;
  for (int f = 2; number > 1; ++f) {
    while (number % f == 0) {
      answer[count++] = f;
      number /= f;
    }
  }
  return count;
}

static void work(int* done) {
  for (*done = 0;; ++*done) {
    int task = 0;
    int answer[32];
    MPI_Status status;
    MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == stop_tag) return;
    if (task < 0 || task >= tasks) MPI_Abort(MPI_COMM_WORLD, 3);
    const int count = factors(task, answer);
    MPI_Send(answer, count, MPI_INT, 0, answer_tag + task, MPI_COMM_WORLD);
  }
}

// Takes any answer; every second one by the matched probe. Returns who sent it.
static int take_answer(int n, char lines[tasks][200]) {
  MPI_Status status;
  MPI_Message message = MPI_MESSAGE_NULL;
  int count = 0;
  int answer[32];
  if (n % 2 == 0) {
    int is_there = 0;
    while (!is_there) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    MPI_Recv(answer, count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
  } else {
    MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    MPI_Mrecv(answer, count, MPI_INT, &message, &status);
  }
  char* const line = lines[status.MPI_TAG - answer_tag];
  int length = 0;
  for (int i = 0; i < count; ++i) length += sprintf(line + length, " %d", answer[i]);
  return status.MPI_SOURCE;
}

static void direct(int workers) {
  static char lines[tasks][200];
  int next = 0;
  for (int w = 1; w <= workers && next < tasks; ++w, ++next) {
    MPI_Send(&next, 1, MPI_INT, w, work_tag, MPI_COMM_WORLD);
  }
  for (int n = 0; n < tasks; ++n) {
    const int idle = take_answer(n, lines);
    if (next < tasks) MPI_Send(&next, 1, MPI_INT, idle, work_tag, MPI_COMM_WORLD);
    ++next;
  }
  for (int w = 1; w <= workers; ++w) MPI_Send(NULL, 0, MPI_INT, w, stop_tag, MPI_COMM_WORLD);
  for (int n = 0; n < tasks; ++n) printf("task %02d:%s\n", n, lines[n]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  int done = 0;
  int sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size < 2) {
    if (rank == 0) fprintf(stderr, "master_worker: one rank is not enough\n");
    MPI_Finalize();
    return 2;
  }
  if (rank == 0) {
    direct(size - 1);
  } else {
    work(&done);
  }
  MPI_Reduce(&done, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d tasks done\n", sum);
  MPI_Finalize();
  return 0;
}
