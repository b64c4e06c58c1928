#include "layouts.hpp"

#include <gtest/gtest.h>

#include <exception>
#include <thread>

namespace ep::test {

int processes() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

void run_endpoints(int total, const std::function<void(const Comm&)>& body) {
  run_endpoints(
      [total](int process, int all) { return total / all + (process < total % all ? 1 : 0); },
      body);
}

void run_endpoints(const std::function<int(int, int)>& count,
                   const std::function<void(const Comm&)>& body) {
  const Comm world = Comm::from_mpi(MPI_COMM_WORLD);
  const std::vector<Comm> mine = world.create_endpoints(count(world.rank(), world.size()));
  std::vector<std::thread> threads;
  for (const Comm& comm : mine) {
    threads.emplace_back([&body, &comm] {
      try {
        body(comm);
      } catch (const std::exception& error) {
        ADD_FAILURE() << "rank " << comm.rank() << ": " << error.what();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  check(EP_Barrier(world.get()));
}

}  // namespace ep::test
