// Ping-pong between neighbouring ranks 2k and 2k + 1: messages of growing length go there and back,
// in three modes of sending. A last rank without a partner talks to itself.
// MPI: Send, Ssend, Rsend to a receive that is posted, Sendrecv, Get_count, Wtime (-t prints
// times).
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { largest = 1 << 16, answer_tag = 1, ball_tag = 2 };

typedef int (*Send)(const void*, int, MPI_Datatype, int, int, MPI_Comm);

// The receiver of a ready send says first that its receive is posted.
static int rsend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  MPI_Recv(NULL, 0, MPI_BYTE, to, answer_tag, comm, MPI_STATUS_IGNORE);
  return MPI_Rsend(data, count, type, to, tag, comm);
}

static const struct {
  const char* name;
  Send send;
} modes[] = {{"standard", MPI_Send}, {"synchronous", MPI_Ssend}, {"ready", rsend}};

static int receive(unsigned char* ball, int from, int is_ready) {
  MPI_Request request;
  MPI_Status status;
  int count = 0;
  MPI_Irecv(ball, largest, MPI_BYTE, from, ball_tag, MPI_COMM_WORLD, &request);
  if (is_ready) MPI_Send(NULL, 0, MPI_BYTE, from, answer_tag, MPI_COMM_WORLD);
  MPI_Wait(&request, &status);
  MPI_Get_count(&status, MPI_BYTE, &count);
  return count;
}

// Each visit adds one to every byte. Returns the sum of all bytes that came back.
static long play(int mode, int length, int rank, int partner, unsigned char* ball) {
  const int is_ready = modes[mode].send == rsend;
  long sum = 0;
  for (int round = 0; round < 3; ++round) {
    if (rank < partner) {
      modes[mode].send(ball, length, MPI_BYTE, partner, ball_tag, MPI_COMM_WORLD);
      const int count = receive(ball, partner, is_ready);
      for (int i = 0; i < count; ++i) sum += ball[i];
    } else {
      const int count = receive(ball, partner, is_ready);
      for (int i = 0; i < count; ++i) sum += ++ball[i];
      modes[mode].send(ball, count, MPI_BYTE, partner, ball_tag, MPI_COMM_WORLD);
    }
  }
  return sum;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int prints_times = argc > 1 && strcmp(argv[1], "-t") == 0;
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int partner = rank ^ 1;
  unsigned char* const ball = malloc(largest);

  for (int mode = 0; mode < 3; ++mode) {
    for (int length = 1; length <= largest; length *= 16) {
      memset(ball, rank, (size_t)length);
      const double start = MPI_Wtime();
      if (partner == size) {
        int echo = 0;
        MPI_Sendrecv(&length, 1, MPI_INT, rank, ball_tag, &echo, 1, MPI_INT, rank, ball_tag,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("rank %d alone: %d\n", rank, echo);
        continue;
      }
      const long sum = play(mode, length, rank, partner, ball);
      printf("rank %d %s %d bytes: sum %ld\n", rank, modes[mode].name, length, sum);
      if (prints_times) printf("%.2f us per message\n", (MPI_Wtime() - start) / 6 * 1e6);
    }
  }
  free(ball);
  MPI_Finalize();
  return 0;
}
