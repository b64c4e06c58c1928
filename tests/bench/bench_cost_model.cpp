/// @file
/// Collectives by each of their algorithms, and by the one that the cost model chooses: predicted
/// and measured microseconds, and chosen ÷ best.
///
///     mpiexec -n 2 bench_cost_model --endpoints 4      EP_COSTS=file of ep_calibrate counts
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ep/ep.hpp>
#include <exception>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "arguments.hpp"
#include "schedules/algorithm_choice.hpp"
#include "schedules/cost_fit.hpp"

namespace {

using ep::Algorithm;
using ep::Collective;

struct Options {
  int endpoints = 2;
  int repeats = 9;
  std::string only;
};

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// A communicator that does one collective by one algorithm, or as the model chooses.
ep::Comm wishing(const ep::Comm& comm, Collective collective, const std::string& algorithm) {
  ep::Comm out = comm.dup();
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "ep_reduction", "fast");
  if (!algorithm.empty()) {
    const std::string wish = std::string(name_of(collective)) + "=" + algorithm;
    MPI_Info_set(info, "ep_algorithm", wish.c_str());
  }
  ep::check(EP_Comm_set_info(out.get(), info));
  MPI_Info_free(&info);
  return out;
}

/// Memory for the largest collective, and all of them by name.
class Calls {
 public:
  Calls(int processes, int endpoints, std::int64_t most)
      : ranks_(processes * endpoints),
        endpoints_(endpoints),
        from_(static_cast<std::size_t>(most) / sizeof(double) + 1024, 1.),
        to_(from_) {}

  /// Bytes as the model counts them.
  void run(Collective collective, std::int64_t bytes, const ep::Comm& on) {
    EP_Comm comm = on.get();
    const int all = static_cast<int>(bytes);
    const int share = std::max(1, all / ranks_);
    const int pair = std::max(1, all / ranks_ / endpoints_);
    const int doubles = std::max(1, all / static_cast<int>(sizeof(double)));
    const int block = std::max(1, doubles / ranks_);
    double* const from = from_.data();
    double* const to = to_.data();
    switch (collective) {
      case Collective::barrier:
        return ep::check(EP_Barrier(comm));
      case Collective::bcast:
        return ep::check(EP_Bcast(from, all, MPI_BYTE, 0, comm));
      case Collective::gather:
        return ep::check(EP_Gather(from, share, MPI_BYTE, to, share, MPI_BYTE, 0, comm));
      case Collective::scatter:
        return ep::check(EP_Scatter(from, share, MPI_BYTE, to, share, MPI_BYTE, 0, comm));
      case Collective::allgather:
        return ep::check(EP_Allgather(from, share, MPI_BYTE, to, share, MPI_BYTE, comm));
      case Collective::alltoall:
        return ep::check(EP_Alltoall(from, pair, MPI_BYTE, to, pair, MPI_BYTE, comm));
      case Collective::reduce:
        return ep::check(EP_Reduce(from, to, doubles, MPI_DOUBLE, MPI_SUM, 0, comm));
      case Collective::allreduce:
        return ep::check(EP_Allreduce(from, to, doubles, MPI_DOUBLE, MPI_SUM, comm));
      case Collective::reduce_scatter:
        return ep::check(EP_Reduce_scatter_block(from, to, block, MPI_DOUBLE, MPI_SUM, comm));
      case Collective::scan:
        return ep::check(EP_Scan(from, to, doubles, MPI_DOUBLE, MPI_SUM, comm));
    }
  }

 private:
  int ranks_;
  int endpoints_;
  std::vector<double> from_;
  std::vector<double> to_;
};

/// Seconds per call of a batch; the same number at all.
double batch_s(const ep::Comm& comm, int calls, const std::function<void()>& call) {
  ep::check(EP_Barrier(comm.get()));
  const double begin_s = now_s();
  for (int i = 0; i < calls; ++i) call();
  const double mine_s = (now_s() - begin_s) / calls;
  double longest_s = 0;
  ep::check(EP_Allreduce(&mine_s, &longest_s, 1, MPI_DOUBLE, MPI_MAX, comm.get()));
  return longest_s;
}

class Bench {
 public:
  Bench(const ep::Comm& comm, const Options& options, ep::CostParameters costs)
      : comm_(comm),
        options_(options),
        shape_{comm.size() / options.endpoints, options.endpoints, 1},
        costs_(costs),
        calls_(shape_.processes, shape_.endpoints, largest) {}

  void run() {
    for (std::size_t i = 0; i < ep::collective_count; ++i) {
      const auto collective = static_cast<Collective>(i);
      if (!options_.only.empty() && options_.only != name_of(collective)) continue;
      measure(collective);
    }
    if (comm_.rank() != 0 || ratios_.empty()) return;
    std::printf("chosen / best: median %.3f, worst %.3f over %zu cases\n", ep::median(ratios_),
                *std::max_element(ratios_.begin(), ratios_.end()), ratios_.size());
  }

 private:
  static constexpr std::int64_t largest = 16 << 20;

  void measure(Collective collective) {
    std::vector<ep::Comm> ways;
    ways.push_back(wishing(comm_, collective, ""));
    for (const Algorithm one : algorithms_of(collective)) {
      ways.push_back(wishing(comm_, collective, std::string(name_of(one))));
    }
    std::vector<double> of_collective;
    for (std::int64_t bytes = 8; bytes <= largest; bytes *= 8) {
      const std::vector<double> times = measure_by_turns(ways, collective, bytes);
      of_collective.push_back(times[0] / *std::min_element(times.begin(), times.end()));
      ratios_.push_back(of_collective.back());
      if (comm_.rank() == 0) print(collective, bytes, times, of_collective.back());
      if (collective == Collective::barrier) break;
    }
    if (comm_.rank() == 0) {
      std::printf("%s: chosen / best median %.3f, worst %.3f\n",
                  std::string(name_of(collective)).c_str(), ep::median(of_collective),
                  *std::max_element(of_collective.begin(), of_collective.end()));
    }
  }

  std::vector<double> measure_by_turns(const std::vector<ep::Comm>& ways, Collective collective,
                                       std::int64_t bytes) {
    const auto call = [&](const ep::Comm& on) {
      return [&, this] { calls_.run(collective, bytes, on); };
    };
    const double one_s = batch_s(comm_, 3, call(ways[0]));
    const int calls = static_cast<int>(std::clamp(1e-3 / one_s, 1., 1000.));
    std::vector<std::vector<double>> times(ways.size());
    std::vector<std::size_t> order(ways.size());
    std::iota(order.begin(), order.end(), 0);
    std::mt19937 random(1);  // alike in all ranks
    for (int repeat = 0; repeat < options_.repeats; ++repeat) {
      // None always after the same other one, which leaves the caches as it likes.
      std::shuffle(order.begin(), order.end(), random);
      for (const std::size_t k : order) {
        calls_.run(collective, bytes, ways[k]);
        times[k].push_back(batch_s(comm_, calls, call(ways[k])));
      }
    }
    std::vector<double> medians;
    for (auto& one : times) medians.push_back(ep::median(std::move(one)));
    return medians;
  }

  void print(Collective collective, std::int64_t bytes, const std::vector<double>& times,
             double ratio) const {
    std::printf("%-14s %9lld chosen %10.2f ratio %.3f |", std::string(name_of(collective)).c_str(),
                static_cast<long long>(bytes), 1e6 * times[0], ratio);
    std::size_t k = 1;
    for (const Algorithm one : algorithms_of(collective)) {
      std::printf(" %s %.2f (%.2f)", std::string(name_of(one)).c_str(), 1e6 * times[k++],
                  1e6 * predicted_s(costs_, collective, one, shape_, bytes));
    }
    std::printf("\n");
    std::fflush(stdout);
  }

  const ep::Comm& comm_;
  const Options& options_;
  ep::Shape shape_;
  ep::CostParameters costs_;
  Calls calls_;
  std::vector<double> ratios_;
};

void run(const Options& options) {
  const ep::Environment environment;
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  const std::vector<ep::Comm> mine = world.create_endpoints(options.endpoints);
  const ep::CostParameters costs = ep::model_of_environment().costs;
  if (world.rank() == 0) std::printf("microseconds: measured (predicted)\n");
  std::vector<std::thread> threads;
  for (const ep::Comm& comm : mine) {
    threads.emplace_back([&] {
      try {
        Bench(comm, options, costs).run();
      } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_cost_model: %s\n", error.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  ep::check(EP_Barrier(world.get()));
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Predicted and measured times of collectives.", "bench_cost_model"};
  app.add_option("--endpoints", options.endpoints, "of each process")->check(CLI::Range(1, 64));
  app.add_option("--repeats", options.repeats)->check(CLI::Range(1, 1000));
  app.add_option("--only", options.only, "one collective");
  if (const auto exit_code = ep::read_arguments(app, argc, argv)) return *exit_code;
  try {
    run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_cost_model: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return 0;
}
