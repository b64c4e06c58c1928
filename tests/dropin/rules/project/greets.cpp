// The C++ part of the project.
#include <mpi.h>

#include <iostream>
#include <string>

static const std::string greetings = "greetings of rank ";  // made before main

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::cout << greetings + std::to_string(rank) + "\n" << std::flush;
  MPI_Finalize();
}
