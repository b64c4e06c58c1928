/// @file
/// Measures the costs of messages and of combining on this machine, for the choice of algorithms:
///
///     mpiexec -n 2 ep_calibrate --out costs.txt      then EP_COSTS=costs.txt for programs
///
/// Processes 0 and 1 are the link that is measured: one per node to measure a network.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ep/ep.hpp>
#include <exception>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "schedules/algorithm_choice.hpp"
#include "schedules/cost_fit.hpp"

namespace {

constexpr int smallest_bytes = 8;
constexpr int largest_bytes = 16 << 20;

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Times calls, and remembers how far repetitions disagreed at worst.
class Stopwatch {
 public:
  explicit Stopwatch(int batches) : batches_(static_cast<std::size_t>(batches)) {}

  /// Median seconds of a call. All of `comm` measure; the first decides how often.
  template <class Call>
  double time_of(const ep::Comm& comm, Call&& call) {
    std::vector<double> times;
    int calls = 1;
    while (times.size() < batches_) {
      ep::check(EP_Barrier(comm.get()));
      const double begin_s = now_s();
      for (int i = 0; i < calls; ++i) call();
      double mine_s = now_s() - begin_s;
      ep::check(EP_Bcast(&mine_s, 1, MPI_DOUBLE, 0, comm.get()));
      // A batch must be longer than what a clock and a barrier blur.
      if (mine_s < 200e-6 && calls < 1000) {
        calls *= 2;
        continue;
      }
      times.push_back(mine_s / calls);
    }
    worst_disagreement_ = std::max(worst_disagreement_, ep::disagreement(times));
    return ep::median(std::move(times));
  }
  double worst_disagreement() const { return worst_disagreement_; }

 private:
  std::size_t batches_;
  double worst_disagreement_ = 1;
};

/// Measures the time of a call for vectors of all sizes. One byte of a sample belongs to
/// `vector_bytes` bytes of a vector.
template <class Call>
ep::Measured measure_sizes(const ep::Comm& comm, Stopwatch& watch, int smallest,
                           double vector_bytes, Call&& call) {
  ep::Measured out{{}, vector_bytes};
  for (int bytes = smallest; bytes <= largest_bytes; bytes *= 4) {
    out.samples.push_back({static_cast<double>(bytes), watch.time_of(comm, [&] { call(bytes); })});
  }
  return out;
}

/// A round between two processes: what the schedules of collectives consist of.
ep::Measured measure_rounds(const ep::Comm& pair, Stopwatch& watch) {
  std::vector<char> data(2 * static_cast<std::size_t>(largest_bytes));
  // The operation works in place, so only the other side's data is copied.
  return measure_sizes(pair, watch, smallest_bytes, 2, [&](int bytes) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a constant
    ep::check(EP_Allgather(EP_IN_PLACE, 0, MPI_BYTE, data.data(), bytes, MPI_BYTE, pair.get()));
  });
}

/// A vector to the other and back: half of it is one way.
ep::Measured measure_one_way(const ep::Comm& pair, Stopwatch& watch) {
  std::vector<char> data(static_cast<std::size_t>(largest_bytes));
  const int other = 1 - pair.rank();
  ep::Measured out = measure_sizes(pair, watch, smallest_bytes, 1, [&](int bytes) {
    const auto send = [&] {
      ep::check(EP_Send(data.data(), bytes, MPI_BYTE, other, 0, pair.get()));
    };
    if (pair.rank() == 0) send();
    ep::check(EP_Recv(data.data(), bytes, MPI_BYTE, other, 0, pair.get(), EP_STATUS_IGNORE));
    if (pair.rank() == 1) send();
  });
  for (ep::Sample& sample : out.samples) sample.time_s /= 2;
  return out;
}

/// Measures the cost of each additional message that is sent at the same time.
double measure_overhead(const ep::Comm& pair, Stopwatch& watch) {
  constexpr int most = 16;
  constexpr std::size_t all = 2 * std::size_t{most};
  std::array<char, all> bytes{};
  std::array<EP_Request, all> requests{};
  std::vector<ep::Sample> samples;
  const int other = 1 - pair.rank();
  for (int messages = 1; messages <= most; messages *= 2) {
    const double time_s = watch.time_of(pair, [&] {
      for (int i = 0; i < messages; ++i) {
        const auto k = static_cast<std::size_t>(i);
        ep::check(EP_Irecv(&bytes[k], 1, MPI_BYTE, other, i, pair.get(), &requests[k]));
      }
      for (int i = 0; i < messages; ++i) {
        const std::size_t k = static_cast<std::size_t>(i) + static_cast<std::size_t>(messages);
        ep::check(EP_Isend(&bytes[most], 1, MPI_BYTE, other, i, pair.get(), &requests[k]));
      }
      ep::check(EP_Waitall(2 * messages, requests.data(), EP_STATUSES_IGNORE));
    });
    samples.push_back({static_cast<double>(messages), time_s});
  }
  return ep::fit_line(samples).beta_s_per_byte;
}

struct Inside {
  double barrier_s = 0;
  ep::Measured copies;
};

/// Two endpoints of this process: a barrier is a synchronisation, a broadcast a copy.
Inside measure_inside(Stopwatch& watch) {
  const ep::Comm self = ep::Comm::from_mpi(MPI_COMM_SELF);
  const std::vector<ep::Comm> both = self.create_endpoints(2);
  Inside found;
  const auto work = [&](const ep::Comm& comm, Stopwatch& own) {
    const double barrier_s = own.time_of(comm, [&] { ep::check(EP_Barrier(comm.get())); });
    std::vector<char> data(static_cast<std::size_t>(largest_bytes));
    ep::Measured copies = measure_sizes(comm, own, 64 << 10, 1, [&](int bytes) {
      ep::check(EP_Bcast(data.data(), bytes, MPI_BYTE, 0, comm.get()));
    });
    if (comm.rank() == 0) found = {barrier_s, std::move(copies)};
  };
  std::exception_ptr error;
  Stopwatch of_other = watch;
  std::thread other([&] {
    try {
      work(both[1], of_other);
    } catch (...) {
      error = std::current_exception();
    }
  });
  work(both[0], watch);
  other.join();
  if (error) std::rethrow_exception(error);
  return found;
}

/// Sums of doubles.
ep::Measured measure_combining(Stopwatch& watch) {
  const ep::Comm self = ep::Comm::from_mpi(MPI_COMM_SELF);
  const auto most = static_cast<std::size_t>(largest_bytes) / sizeof(double);
  std::vector<double> left(most, 1);
  std::vector<double> right(most, 1);
  return measure_sizes(self, watch, 1024, 1, [&](int bytes) {
    const int count = bytes / static_cast<int>(sizeof(double));
    ep::check(EP_Reduce_local(left.data(), right.data(), count, MPI_DOUBLE, MPI_SUM));
  });
}

ep::CostParameters measure(const ep::Comm& world, Stopwatch& watch) {
  ep::CostParameters costs;
  std::vector<ep::Measured> series;  // in the first process: copied, combined, exchanged, one way
  if (world.rank() == 0) {
    Inside inside = measure_inside(watch);
    costs.inside.alpha_s = inside.barrier_s;
    series = {std::move(inside.copies), measure_combining(watch)};
  }
  ep::check(EP_Barrier(world.get()));
  const ep::Comm pair = world.split(world.rank() < 2 ? 0 : 1, 0);
  if (world.size() > 1 && world.rank() < 2) {
    series.push_back(measure_rounds(pair, watch));
    series.push_back(measure_one_way(pair, watch));
    costs.overhead_s = measure_overhead(pair, watch);
  }
  ep::check(EP_Barrier(world.get()));
  if (world.rank() > 0) return costs;
  costs.cached_bytes = ep::find_bend(series);
  const auto fit = [&](const ep::Measured& one) {
    return ep::fit_bent_line(one.samples, costs.cached_bytes / one.vector_bytes);
  };
  const ep::BentLine copied = fit(series[0]);
  costs.inside.beta_s_per_byte = copied.below.beta_s_per_byte;
  costs.beyond.copied_s = copied.beyond_s_per_byte;
  const ep::BentLine combined = fit(series[1]);
  costs.gamma_s_per_byte = combined.below.beta_s_per_byte;
  costs.beyond.combined_s = combined.beyond_s_per_byte;
  if (series.size() == 2) return costs;
  const ep::BentLine exchanged = fit(series[2]);
  costs.between = exchanged.below;
  costs.beyond.exchanged_s = exchanged.beyond_s_per_byte;
  const ep::BentLine one_way = fit(series[3]);
  costs.one_way_s_per_byte = one_way.below.beta_s_per_byte;
  costs.beyond.one_way_s = one_way.beyond_s_per_byte;
  return costs;
}

struct Options {
  std::string out;
  int batches = 25;
  double most_disagreement = 3;
  bool force = false;
};

// True if the figures may be written: those of a busy machine would mislead every choice.
bool are_believable(double disagreement, const Options& options) {
  if (disagreement <= options.most_disagreement) return true;
  std::fprintf(stderr,
               "ep_calibrate: repetitions disagree (the middle one takes %.1f times as long as the "
               "fastest, %.1f are allowed). Is the machine busy? Try again, or take them as they "
               "are with --force.\n",
               disagreement, options.most_disagreement);
  return options.force;
}

int measure_and_write(const Options& options) {
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  Stopwatch watch(options.batches);
  const std::string text = write_costs(measure(world, watch));
  if (world.rank() > 0) return 0;
  std::fputs(text.c_str(), stdout);
  if (world.size() == 1) {
    std::fputs("# one process: links between processes have their defaults\n", stdout);
  }
  if (!are_believable(watch.worst_disagreement(), options)) return 1;
  if (options.out.empty()) return 0;
  std::ofstream file(options.out);
  file << text;
  if (file.close(); file) return 0;
  std::fprintf(stderr, "ep_calibrate: cannot write %s.\n", options.out.c_str());
  return 1;
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app{"Measures the costs of links and of combining. Start it on two processes.",
               "ep_calibrate"};
  app.add_option("--out", options.out, "file to write; EP_COSTS names it to programs");
  app.add_option("--batches", options.batches, "measurements of each time")
      ->check(CLI::Range(1, 10'000));
  app.add_option("--disagreement", options.most_disagreement,
                 "how many times as long as the fastest the middle one may take")
      ->capture_default_str();
  app.add_flag("--force", options.force, "write what a busy machine gives, too");
  if (const auto exit_code = ep::read_arguments(app, argc, argv)) return *exit_code;
  const ep::Environment environment;
  try {
    return measure_and_write(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ep_calibrate: %s\n", error.what());
    EP_Abort(EP_COMM_NULL, 1);  // others may wait for this process
    return 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ep_calibrate: %s\n", error.what());
    return 1;
  }
}
