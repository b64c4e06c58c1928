/// @file
/// Times of windows, one "name seconds" a line; run_windows.sh makes the ratios.
///
///     bench_windows move        1 process: between two endpoints of it
///     bench_windows near_move   2 processes of a node, memory of EP_Win_allocate
///     bench_windows fetch       1 process, 8 endpoints on one counter, operations per second
///     bench_windows raw_move    2 processes, the MPI library alone
///     bench_windows raw_fetch   8 processes, the same
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ep/ep.hpp>
#include <exception>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int mib = 1024 * 1024;
constexpr int fetching_endpoints = 8;

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void check_mpi(int code) {
  if (code != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, code);
}

/// Seconds per call: the median of batches of about `batch_s`.
template <class Call>
double time_of(Call&& call, double batch_s = 0.02) {
  int calls = 1;
  for (double took_s = 0; took_s < batch_s; calls *= 2) {
    const double begin_s = now_s();
    for (int i = 0; i < calls; ++i) call();
    took_s = now_s() - begin_s;
  }
  std::vector<double> batches;
  for (int batch = 0; batch < 9; ++batch) {
    const double begin_s = now_s();
    for (int i = 0; i < calls; ++i) call();
    batches.push_back((now_s() - begin_s) / calls);
  }
  std::nth_element(batches.begin(), batches.begin() + 4, batches.end());
  return batches[4];
}

void print(const std::string& name, double value) { std::printf("%s %.4g\n", name.c_str(), value); }

/// Rank 0 moves to rank 1, which sleeps.
void move(EP_Win win, const ep::Comm& comm, const std::string& where) {
  std::vector<char> own(mib, 2);
  ep::check(EP_Win_lock_all(0, win));
  ep::check(EP_Barrier(comm.get()));
  if (comm.rank() == 0) {
    for (const int bytes : {8, mib}) {
      const std::string size = bytes == 8 ? "8" : "1m";
      print(where + "_put_" + size, time_of([&] {
              ep::check(EP_Put(own.data(), bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, win));
              ep::check(EP_Win_flush(1, win));
            }));
      print(where + "_get_" + size, time_of([&] {
              ep::check(EP_Get(own.data(), bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, win));
              ep::check(EP_Win_flush(1, win));
            }));
    }
  }
  ep::check(EP_Barrier(comm.get()));
  ep::check(EP_Win_unlock_all(win));
  ep::check(EP_Win_free(&win));
}

void move_inside(const ep::Comm& comm) {
  std::vector<char> memory(mib, 1);
  EP_Win win = EP_WIN_NULL;
  ep::check(EP_Win_create(memory.data(), mib, 1, MPI_INFO_NULL, comm.get(), &win));
  move(win, comm, "inside");
}

void move_near(const ep::Comm& comm) {
  char* memory = nullptr;
  EP_Win win = EP_WIN_NULL;
  ep::check(EP_Win_allocate(mib, 1, MPI_INFO_NULL, comm.get(), static_cast<void*>(&memory), &win));
  std::memset(memory, 1, mib);
  move(win, comm, "near");
}

void fetch_inside(const ep::Comm& comm) {
  long counter = 0;
  EP_Win win = EP_WIN_NULL;
  ep::check(EP_Win_create(&counter, sizeof counter, 8, MPI_INFO_NULL, comm.get(), &win));
  ep::check(EP_Win_lock_all(0, win));
  constexpr int times = 200'000;
  std::vector<double> rates;
  for (int batch = 0; batch < 5; ++batch) {
    ep::check(EP_Barrier(comm.get()));
    const double begin_s = now_s();
    for (int i = 0; i < times; ++i) {
      const long one = 1;
      long before = 0;
      ep::check(EP_Fetch_and_op(&one, &before, MPI_LONG, 0, 0, MPI_SUM, win));
      ep::check(EP_Win_flush(0, win));
    }
    ep::check(EP_Barrier(comm.get()));
    rates.push_back(static_cast<double>(times) * comm.size() / (now_s() - begin_s));
  }
  std::sort(rates.begin(), rates.end());
  if (comm.rank() == 0) print("inside_fetch_rate", rates[rates.size() / 2]);
  ep::check(EP_Win_unlock_all(win));
  ep::check(EP_Win_free(&win));
}

void run_endpoints(int count, void (*body)(const ep::Comm&)) {
  const ep::Environment environment;
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  const std::vector<ep::Comm> mine = world.create_endpoints(count);
  std::vector<std::thread> threads;
  threads.reserve(mine.size());
  for (const ep::Comm& comm : mine) threads.emplace_back([&] { body(comm); });
  for (std::thread& thread : threads) thread.join();
}

void raw_move() {
  int rank = 0;
  check_mpi(MPI_Init(nullptr, nullptr));
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  char* memory = nullptr;
  std::vector<char> own(mib, 2);
  MPI_Win win = MPI_WIN_NULL;
  check_mpi(
      MPI_Win_allocate(mib, 1, MPI_INFO_NULL, MPI_COMM_WORLD, static_cast<void*>(&memory), &win));
  std::memset(memory, 1, mib);
  check_mpi(MPI_Win_lock_all(0, win));
  check_mpi(MPI_Barrier(MPI_COMM_WORLD));
  if (rank == 0) {
    for (const int bytes : {8, mib}) {
      const std::string size = bytes == 8 ? "8" : "1m";
      print("raw_put_" + size, time_of([&] {
              check_mpi(MPI_Put(own.data(), bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, win));
              check_mpi(MPI_Win_flush(1, win));
            }));
      print("raw_get_" + size, time_of([&] {
              check_mpi(MPI_Get(own.data(), bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, win));
              check_mpi(MPI_Win_flush(1, win));
            }));
    }
  }
  check_mpi(MPI_Barrier(MPI_COMM_WORLD));
  check_mpi(MPI_Win_unlock_all(win));
  check_mpi(MPI_Win_free(&win));
  check_mpi(MPI_Finalize());
}

void raw_fetch() {
  int rank = 0;
  int size = 0;
  check_mpi(MPI_Init(nullptr, nullptr));
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &size));
  long* counter = nullptr;
  MPI_Win win = MPI_WIN_NULL;
  check_mpi(MPI_Win_allocate(sizeof(long), 8, MPI_INFO_NULL, MPI_COMM_WORLD,
                             static_cast<void*>(&counter), &win));
  *counter = 0;
  check_mpi(MPI_Win_lock_all(0, win));
  check_mpi(MPI_Barrier(MPI_COMM_WORLD));
  constexpr int times = 100;
  const double begin_s = now_s();
  for (int i = 0; i < times; ++i) {
    const long one = 1;
    long before = 0;
    check_mpi(MPI_Fetch_and_op(&one, &before, MPI_LONG, 0, 0, MPI_SUM, win));
    check_mpi(MPI_Win_flush(0, win));
  }
  check_mpi(MPI_Barrier(MPI_COMM_WORLD));
  const double took_s = now_s() - begin_s;
  if (rank == 0) print("raw_fetch_rate", static_cast<double>(times) * size / took_s);
  check_mpi(MPI_Win_unlock_all(win));
  check_mpi(MPI_Win_free(&win));
  check_mpi(MPI_Finalize());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc == 2 ? argv[1] : "";
  try {
    if (what == "move") {
      run_endpoints(2, move_inside);
    } else if (what == "near_move") {
      run_endpoints(1, move_near);
    } else if (what == "fetch") {
      run_endpoints(fetching_endpoints, fetch_inside);
    } else if (what == "raw_move") {
      raw_move();
    } else if (what == "raw_fetch") {
      raw_fetch();
    } else {
      std::fprintf(stderr, "usage: bench_windows move|fetch|raw_move|raw_fetch\n");
      return 1;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_windows: %s.\n", error.what());
    return 2;
  }
  return 0;
}
