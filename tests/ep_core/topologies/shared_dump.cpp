// The pattern that shared memory is wanted for (MPI-3 hybrid working group): one endpoint of each
// node dumps data into memory that all of the node share, all synchronise, all read. Endpoints may
// be threads of one process or of several. Prints what all read together.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ep/ep.hpp>
#include <exception>
#include <numeric>
#include <thread>
#include <vector>

namespace {

constexpr int count = 100'000;

// What the first endpoint of a node has and everybody needs: a table of squares.
void dump(double* table) {
  for (int i = 0; i < count; ++i) table[i] = static_cast<double>(i) * i;
}

double read_all(const double* table) { return std::accumulate(table, table + count, 0.0); }

// Whether memory can be shared by all of `comm`.
bool can_share(EP_Comm comm) {
  int* value = nullptr;
  int found = 0;
  ep::check(EP_Comm_get_attr(comm, EP_COMM_SHARES_MEMORY, &value, &found));
  return found != 0 && *value != 0;
}

double share_and_read(EP_Comm near) {
  int rank = -1;
  ep::check(EP_Comm_rank(near, &rank));
  EP_Win window = EP_WIN_NULL;
  double* mine = nullptr;
  const MPI_Aint bytes = rank == 0 ? count * static_cast<MPI_Aint>(sizeof(double)) : 0;
  ep::check(EP_Win_allocate_shared(bytes, sizeof(double), MPI_INFO_NULL, near, &mine, &window));
  double* table = nullptr;
  MPI_Aint size = 0;
  int unit = 0;
  ep::check(EP_Win_shared_query(window, 0, &size, &unit, &table));
  ep::check(EP_Win_lock_all(0, window));
  if (rank == 0) dump(table);
  ep::check(EP_Win_sync(window));
  ep::check(EP_Barrier(near));
  ep::check(EP_Win_sync(window));
  const double sum = read_all(table);
  ep::check(EP_Win_unlock_all(window));
  ep::check(EP_Win_free(&window));
  return sum;
}

void run(const ep::Comm& comm) {
  std::array<EP_Comm, EP_SHMEM_LEVELS> levels{};
  ep::check(EP_Shmem_comm_create(comm.get(), MPI_INFO_NULL, levels.data()));
  const EP_Comm near = levels[EP_SHMEM_NODE];
  if (!can_share(near)) throw ep::Error(EP_ERR_COMM, "a node without shared memory");
  const double mine = share_and_read(near);
  double least = 0;
  double most = 0;
  ep::check(EP_Allreduce(&mine, &least, 1, MPI_DOUBLE, MPI_MIN, comm.get()));
  ep::check(EP_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, comm.get()));
  if (comm.rank() == 0) {
    std::printf("%d endpoints read between %.0f and %.0f\n", comm.size(), least, most);
  }
  for (EP_Comm& level : levels) ep::check(EP_Comm_free(&level));
}

}  // namespace

int main() {
  try {
    const ep::Environment environment;
    const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
    const std::vector<ep::Comm> mine = world.create_endpoints(3);
    std::vector<std::thread> threads;
    for (const ep::Comm& comm : mine) {
      threads.emplace_back([&comm] {
        try {
          run(comm);
        } catch (const std::exception& error) {
          std::fprintf(stderr, "shared_dump: %s\n", error.what());
          EP_Abort(comm.get(), EXIT_FAILURE);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "shared_dump: %s\n", error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
