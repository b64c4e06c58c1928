/// @file
/// How the time of a collective grows with the number of endpoints: plays its messages on a machine
/// that is only thought of.
///
///     ep_estimate allreduce 65536 --costs costs.txt --endpoints-per-process 8
#include <CLI/CLI.hpp>
#include <cstdio>
#include <ep/ep.hpp>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "collectives/estimate.hpp"
#include "schedules/algorithm_choice.hpp"

namespace {

struct Options {
  std::string collective;
  std::int64_t bytes = 8;
  std::string costs;
  std::int64_t most = 1'000'000;
  ep::MachineModel machine;
};

Options read_options(int argc, char** argv) {
  Options out;
  CLI::App app{"Estimates the time of a collective for 10 to a million endpoints.", "ep_estimate"};
  app.add_option("collective", out.collective, "bcast, allreduce, ... or all")->required();
  app.add_option("bytes", out.bytes, "of the vector, or of all blocks together")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 30));
  app.add_option("--costs", out.costs, "file of ep_calibrate");
  app.add_option("--most", out.most, "endpoints of the last column")
      ->check(CLI::Range(10, 1'000'000));
  app.add_option("--endpoints-per-process", out.machine.endpoints_per_process)
      ->default_val(8)
      ->check(CLI::Range(1, 32768));
  app.add_option("--processes-per-node", out.machine.processes_per_node)
      ->default_val(4)
      ->check(CLI::Range(1, 1024));
  app.add_option("--network-alpha", out.machine.network.alpha_s,
                 "seconds per message between nodes");
  app.add_option("--network-beta", out.machine.network.beta_s_per_byte, "seconds per byte");
  if (const auto exit_code = ep::read_arguments(app, argc, argv)) std::exit(*exit_code);
  if (!out.costs.empty()) out.machine.costs = ep::read_costs(out.costs);
  return out;
}

void print_row(const Options& options, ep::Collective collective, ep::Algorithm algorithm) {
  std::printf("%-15s %-16s", std::string(name_of(collective)).c_str(),
              std::string(name_of(algorithm)).c_str());
  for (std::int64_t endpoints = 10; endpoints <= options.most; endpoints *= 10) {
    const std::int64_t each =
        std::min<std::int64_t>(options.machine.endpoints_per_process, endpoints);
    if (!ep::is_possible(collective, algorithm, static_cast<int>((endpoints + each - 1) / each))) {
      std::printf(" %12s", "-");
      continue;
    }
    const ep::Estimate estimate =
        ep::estimate(options.machine, collective, algorithm, endpoints, options.bytes);
    std::printf(" %11.1f%s", 1e6 * estimate.time_s, estimate.extrapolated ? "~" : " ");
    std::fflush(stdout);
  }
  std::printf("\n");
}

int run(const Options& options) {
  std::printf("%lld bytes, %d endpoints per process, %d processes per node; microseconds\n",
              static_cast<long long>(options.bytes), options.machine.endpoints_per_process,
              options.machine.processes_per_node);
  std::printf("~ extended from fewer processes, - not with so many\n%-32s", "endpoints");
  for (std::int64_t endpoints = 10; endpoints <= options.most; endpoints *= 10) {
    std::printf(" %11lld ", static_cast<long long>(endpoints));
  }
  std::printf("\n");
  bool found = false;
  for (std::size_t i = 0; i < ep::collective_count; ++i) {
    const auto collective = static_cast<ep::Collective>(i);
    if (options.collective != "all" && options.collective != name_of(collective)) continue;
    found = true;
    for (const ep::Algorithm algorithm : algorithms_of(collective))
      print_row(options, collective, algorithm);
  }
  if (found) return 0;
  std::fprintf(stderr, "ep_estimate: no collective '%s' (known: %s).\n", options.collective.c_str(),
               ep::known_overrides().c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(read_options(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ep_estimate: %s\n", error.what());
    return 1;
  }
}
