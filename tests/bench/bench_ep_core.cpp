// Latency and bandwidth of messages between two endpoints, and what an idle waiter costs, each
// against a limit taken in the same run: raw MPI where it is the peer, memcpy where memory is.
//
//   mpiexec -n 1 bench_ep_core     two threads of one process
//   mpiexec -n 2 bench_ep_core     two processes
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ep/ep.hpp>
#include <thread>
#include <vector>

namespace {

constexpr int long_bytes = 16 * 1024 * 1024;

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Best of five: the machine is shared.
template <class Run>
double best_s(int repeats, Run&& run) {
  double best = 1e9;
  for (int attempt = 0; attempt < 5; ++attempt) {
    const double begin = now_s();
    for (int i = 0; i < repeats; ++i) run();
    best = std::min(best, (now_s() - begin) / repeats);
  }
  return best;
}

double ping_pong_s(const ep::Comm& comm, std::vector<char>& data, int bytes, int repeats) {
  const int other = 1 - comm.rank();
  return best_s(repeats,
                [&] {
                  for (const bool sends : {comm.rank() == 0, comm.rank() != 0}) {
                    if (sends) {
                      ep::check(EP_Send(data.data(), bytes, MPI_BYTE, other, 0, comm.get()));
                    } else {
                      ep::check(EP_Recv(data.data(), bytes, MPI_BYTE, other, 0, comm.get(),
                                        EP_STATUS_IGNORE));
                    }
                  }
                }) /
         2;
}

void check_mpi(int code) {
  if (code != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, code);
}

double raw_ping_pong_s(int rank, std::vector<char>& data, int bytes, int repeats) {
  return best_s(
             repeats,
             [&] {
               for (const bool sends : {rank == 0, rank != 0}) {
                 if (sends) {
                   check_mpi(MPI_Send(data.data(), bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD));
                 } else {
                   check_mpi(MPI_Recv(data.data(), bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD,
                                      MPI_STATUS_IGNORE));
                 }
               }
             }) /
         2;
}

double memcpy_s(const std::vector<char>& from) {
  std::vector<char> to(from.size());
  return best_s(5, [&] { std::memcpy(to.data(), from.data(), from.size()); });
}

double barrier_s(const ep::Comm& comm) {
  return best_s(2000, [&] { ep::check(EP_Barrier(comm.get())); });
}

double thread_cpu_s() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

// Endpoint 1 waits for endpoint 0, which sleeps for three seconds.
double idle_share(const ep::Comm& comm) {
  ep::check(EP_Barrier(comm.get()));
  const double begin_s = now_s();
  const double begin_cpu_s = thread_cpu_s();
  double share = 0;
  if (comm.rank() == 0) {
    std::this_thread::sleep_for(std::chrono::seconds(3));
    ep::check(EP_Send(nullptr, 0, MPI_BYTE, 1, 1, comm.get()));
  } else {
    ep::check(EP_Recv(nullptr, 0, MPI_BYTE, 0, 1, comm.get(), EP_STATUS_IGNORE));
    share = (thread_cpu_s() - begin_cpu_s) / (now_s() - begin_s);
  }
  ep::check(EP_Bcast(&share, 1, MPI_DOUBLE, 1, comm.get()));
  return share;
}

void measure(const ep::Comm& comm, int processes) {
  std::vector<char> data(long_bytes, 1);
  const double small_s = ping_pong_s(comm, data, 8, 2000);
  const double long_s = ping_pong_s(comm, data, long_bytes, 5);
  const double all_s = barrier_s(comm);
  const double idle = idle_share(comm);
  const double copy_s = memcpy_s(data);
  double raw_small_s = 0;
  double raw_long_s = 0;
  if (processes > 1) {
    raw_small_s = raw_ping_pong_s(comm.rank(), data, 8, 2000);
    raw_long_s = raw_ping_pong_s(comm.rank(), data, long_bytes, 5);
  }
  if (comm.rank() != 0) return;
  std::printf("%-34s %10.2f us", "8 bytes, one way", 1e6 * small_s);
  if (raw_small_s > 0)
    std::printf("   raw MPI %8.2f us   ratio %6.2f", 1e6 * raw_small_s, small_s / raw_small_s);
  std::printf("\n%-34s %10.2f GB/s  memcpy  %8.2f GB/s ratio %6.2f", "16 MiB, one way",
              1e-9 * long_bytes / long_s, 1e-9 * long_bytes / copy_s, long_s / copy_s);
  if (raw_long_s > 0) std::printf("   of raw MPI %6.2f", long_s / raw_long_s);
  std::printf("\n%-34s %10.2f us\n%-34s %10.2f %% of a core (limit 5)\n", "barrier", 1e6 * all_s,
              "idle waiter", 100 * idle);
}

}  // namespace

int main() {
  const ep::Environment environment;
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  if (world.size() > 2) {
    std::fprintf(stderr, "bench_ep_core runs on 1 or 2 processes.\n");
    return 2;
  }
  const std::vector<ep::Comm> mine = world.create_endpoints(world.size() == 1 ? 2 : 1);
  std::vector<std::thread> threads;
  for (const ep::Comm& comm : mine) {
    threads.emplace_back([&comm, &world] { measure(comm, world.size()); });
  }
  for (std::thread& thread : threads) thread.join();
  return 0;
}
