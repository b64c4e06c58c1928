// Starts MPI and ends it, and says with how many processes.
#include <cstdio>
#include <ep/ep.hpp>

int main() {
  const ep::Environment environment(MPI_THREAD_SINGLE);
  int size = 0;
  int rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) std::printf("%d processes have started\n", size);
  return 0;
}
