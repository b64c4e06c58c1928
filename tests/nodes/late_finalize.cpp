// A program whose first process comes to its end later than the others, to which it has sent
// something: MPI_Finalize of MPICH before 4.2 does not end so between nodes that are connected by
// TCP.
//   late_finalize <bytes>
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "ep/ep.h"

int main(int argc, char** argv) {
  int provided = 0;
  EP_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<char> bytes(static_cast<std::size_t>(argc > 1 ? std::atoi(argv[1]) : 10), 'x');
  const int count = static_cast<int>(bytes.size());
  if (rank == 0) {
    for (int other = 1; other < size; ++other) {
      MPI_Send(bytes.data(), count, MPI_CHAR, other, 0, MPI_COMM_WORLD);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  } else {
    MPI_Recv(bytes.data(), count, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  EP_Finalize();
  if (rank == 0) std::puts("all have ended");
  return bytes.front() == 'x' ? EXIT_SUCCESS : EXIT_FAILURE;
}
