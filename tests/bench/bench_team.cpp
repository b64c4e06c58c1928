// Packing a strided vector of 64 MiB on one endpoint, alone and with a team of two; beside it what
// two threads gain in the same run when each copies half of such a block with memcpy, which is the
// most that a machine gives. Prints "name value" lines and the ratio to its limit.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ep/ep.hpp>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr int repeats = 9;
constexpr double target = 0.85;
constexpr std::size_t bytes = std::size_t{64} << 20U;
constexpr int blocks = static_cast<int>(bytes / sizeof(double));

double seconds_of(const std::function<void()>& work) {
  const Clock::time_point begin = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// The same work in two ways by turns, so that both meet the same machine: medians.
struct Pair {
  double alone_s;
  double together_s;
  double ratio() const { return together_s / alone_s; }
};

Pair measure(const std::function<double()>& alone, const std::function<double()>& together) {
  std::vector<double> first;
  std::vector<double> second;
  static_cast<void>(alone());
  static_cast<void>(together());
  for (int i = 0; i < repeats; ++i) {
    first.push_back(alone());
    second.push_back(together());
  }
  const auto median = [](std::vector<double>& all) {
    std::sort(all.begin(), all.end());
    return all[all.size() / 2];
  };
  return {median(first), median(second)};
}

/// A second thread that calls `help` each time it is asked to.
class Second {
 public:
  explicit Second(std::function<void()> help)
      : thread_([this, help = std::move(help)] {
          for (int done = 0;; ++done) {
            while (asked_.load() == done) std::this_thread::yield();
            if (asked_.load() < 0) return;
            help();
            finished_.store(done + 1);
          }
        }) {}
  Second(const Second&) = delete;
  Second(Second&&) = delete;
  Second& operator=(const Second&) = delete;
  Second& operator=(Second&&) = delete;
  ~Second() {
    asked_.store(-1);
    thread_.join();
  }
  void ask() { asked_.fetch_add(1); }
  void await() const {
    while (finished_.load() < asked_.load()) std::this_thread::yield();
  }

 private:
  std::atomic<int> asked_{0};
  std::atomic<int> finished_{0};
  std::thread thread_;
};

Pair measure_pack(const ep::Comm& comm) {
  std::vector<double> memory(2 * static_cast<std::size_t>(blocks), 1.0);
  std::vector<double> packed(blocks);
  MPI_Datatype strided = MPI_DATATYPE_NULL;
  ep::check(MPI_Type_vector(blocks, 1, 2, MPI_DOUBLE, &strided));
  ep::check(MPI_Type_commit(&strided));
  const auto pack = [&] {
    int position = 0;
    ep::check(EP_Pack(memory.data(), 1, strided, packed.data(), static_cast<int>(bytes), &position,
                      comm.get()));
  };
  MPI_Info info = MPI_INFO_NULL;
  ep::check(MPI_Info_create(&info));
  ep::check(MPI_Info_set(info, "synchronous", "true"));
  EP_Team team = EP_TEAM_NULL;
  ep::check(EP_Team_create(2, info, &team));
  ep::check(MPI_Info_free(&info));
  Pair out{};
  {
    Second helper([&] {
      ep::check(EP_Team_join(team));
      ep::check(EP_Team_leave(team));
    });
    out = measure([&] { return seconds_of(pack); },
                  [&] {
                    helper.ask();
                    ep::check(EP_Team_join(team));
                    const double taken_s = seconds_of(pack);
                    ep::check(EP_Team_leave(team));
                    helper.await();
                    return taken_s;
                  });
  }
  ep::check(EP_Team_free(team));
  ep::check(MPI_Type_free(&strided));
  return out;
}

Pair measure_memcpy() {
  const std::vector<char> from(bytes, 1);
  std::vector<char> to(bytes);
  constexpr std::size_t half = bytes / 2;
  Second helper([&] { std::memcpy(to.data() + half, from.data() + half, half); });
  return measure([&] { return seconds_of([&] { std::memcpy(to.data(), from.data(), bytes); }); },
                 [&] {
                   return seconds_of([&] {
                     helper.ask();
                     std::memcpy(to.data(), from.data(), half);
                     helper.await();
                   });
                 });
}

void run() {
  const ep::Environment environment;
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  const Pair pack = measure_pack(world);
  const Pair memcpy = measure_memcpy();
  const double limit = std::max(target, memcpy.ratio());
  std::printf("pack_alone_s %.4g\npack_team_s %.4g\npack_ratio %.3f\n", pack.alone_s,
              pack.together_s, pack.ratio());
  std::printf("memcpy_one_thread_s %.4g\nmemcpy_two_threads_s %.4g\nmemcpy_ratio %.3f\n",
              memcpy.alone_s, memcpy.together_s, memcpy.ratio());
  std::printf("packing with a team of 2 / without: %.3f (limit %.3f: %s)\n", pack.ratio(), limit,
              pack.ratio() <= limit ? "met" : "missed");
}

}  // namespace

int main() {
  try {
    run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_team: %s.\n", error.what());
    return 2;
  }
  return 0;
}
