// Manipulators of std::cout: each rank sets precision, base and fill of its own and prints with
// them after the others have set theirs. Streams are not tied to stdio. MPI: Init, Comm_rank,
// Barrier, Finalize.
#include <mpi.h>

#include <iomanip>
#include <iostream>

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::cout << std::fixed << std::setprecision(rank + 2) << std::setfill(rank % 2 ? '*' : '.');
  if (rank % 2 != 0) std::cout << std::hex;
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 200; ++i) {
    std::cout << "rank " << rank << ": " << 3.14159265 << ' ' << std::setw(6) << 255 + i << '\n';
  }
  MPI_Finalize();
}
