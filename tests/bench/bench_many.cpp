/// @file
/// Far more endpoints than cores: a barrier of a thousand against what waking a thousand threads
/// once costs the system.
///
///     mpiexec -n 1 bench_many
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <ep/ep.hpp>
#include <exception>
#include <latch>
#include <memory>
#include <thread>
#include <vector>

namespace {

constexpr int endpoints = 1000;
constexpr int turns = 11;

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Each sleeps on a word of its own; all are woken, and the last of them ends the measurement.
double time_of_waking() {
  std::vector<double> times;
  std::atomic<int> round{0};
  std::atomic<int> awake{0};
  struct alignas(64) Word {
    std::atomic<int> value{0};
  };
  const auto words = std::make_unique<Word[]>(endpoints);
  std::vector<std::thread> threads;
  for (int i = 0; i < endpoints; ++i) {
    threads.emplace_back([&, i] {
      for (int turn = 0; turn <= turns; ++turn) {
        words[static_cast<std::size_t>(i)].value.wait(turn);
        if (awake.fetch_add(1) + 1 == endpoints) {
          round.store(turn + 1);
          round.notify_all();
        }
      }
    });
  }
  for (int turn = 0; turn <= turns; ++turn) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // all sleep
    awake.store(0);
    const double begin_s = now_s();
    for (int i = 0; i < endpoints; ++i) {
      words[static_cast<std::size_t>(i)].value.store(turn + 1);
      words[static_cast<std::size_t>(i)].value.notify_one();
    }
    round.wait(turn);
    times.push_back(now_s() - begin_s);
  }
  for (std::thread& thread : threads) thread.join();
  times.erase(times.begin());
  return median(times);
}

double time_of_barriers() {
  const ep::Comm self = ep::Comm::from_mpi(MPI_COMM_SELF);
  const std::vector<ep::Comm> all = self.create_endpoints(endpoints);
  std::vector<double> times;
  std::vector<std::thread> threads;
  for (const ep::Comm& comm : all) {
    threads.emplace_back([&] {
      constexpr int calls = 20;
      for (int turn = 0; turn <= turns; ++turn) {
        ep::check(EP_Barrier(comm.get()));
        const double begin_s = now_s();
        for (int i = 0; i < calls; ++i) ep::check(EP_Barrier(comm.get()));
        if (comm.rank() == 0 && turn > 0) times.push_back((now_s() - begin_s) / calls);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return median(times);
}

}  // namespace

int main() {
  try {
    const ep::Environment environment;
    const double waking_s = time_of_waking();
    const double barrier_s = time_of_barriers();
    std::printf(
        "| barrier of %d endpoints / waking as many threads | 1.5 | %.3g | %.3g ms, %.3g ms |\n",
        endpoints, barrier_s / waking_s, 1e3 * barrier_s, 1e3 * waking_s);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_many: %s\n", error.what());
    return 1;
  }
  return 0;
}
