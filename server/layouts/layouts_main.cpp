// The commands of `epios` about layouts of jobs: it starts this program for them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "advise_command.hpp"
#include "arguments.hpp"
#include "config/error.hpp"
#include "imagined_job.hpp"
#include "machine.hpp"
#include "options.hpp"
#include "read_model.hpp"
#include "scale_table.hpp"

namespace {

using namespace epios::layouts;
using epios::Error;
using epios::ErrorCode;

struct ScaleOptions {
  ModelInput input;
  Machine machine;
  std::vector<int> clients, servers, gatherers;
  int columns = 0;
  int threads = 1;
  bool json = false;
  bool every_rank = false;
};

/// One number for all jobs, or one for each.
int number_of(const std::vector<int>& numbers, std::size_t job, std::size_t jobs,
              const char* option) {
  if (numbers.size() == 1) return numbers.front();
  if (numbers.size() == jobs) return numbers[job];
  throw Error(ErrorCode::argument,
              fmt::format("{} has {} numbers for {} jobs (of --clients). Give one for all, or one "
                          "for each?",
                          option, numbers.size(), jobs));
}

int scale(const ScaleOptions& options) {
  const ReadModel read = read_model(options.input);
  if (options.every_rank && (options.clients.size() > 1 || !options.json)) {
    throw Error(ErrorCode::argument,
                "--every-rank is of one job, as JSON (a list of all ranks is for programs). Give "
                "one number of --clients, and --json?");
  }
  std::vector<ScaledJob> jobs;
  for (std::size_t j = 0; j < options.clients.size(); ++j) {
    Layout layout;
    layout.clients = options.clients[j];
    layout.servers = number_of(options.servers, j, options.clients.size(), "--servers");
    layout.gatherers = number_of(options.gatherers, j, options.clients.size(), "--gatherers");
    layout.columns = options.columns;
    layout.threads = options.threads;
    ImaginedJob job(read.model, layout, read.limits);
    if (options.every_rank) {
      std::puts(ranks_json(job).dump(1).c_str());
      return 0;
    }
    jobs.push_back(scaled(job, options.machine, std::ssize(read.model.streams)));
  }
  std::fputs(options.json ? (json_of(jobs).dump(1) + "\n").c_str() : table_of(jobs).c_str(),
             stdout);
  return 0;
}

void add_scale(CLI::App& app, ScaleOptions& options) {
  CLI::App* command = app.add_subcommand(
      "scale", "Say what a job of any size would send and hold, and how that grows");
  add_input(*command, options.input);
  command->add_option("--clients", options.clients, "of each job, as in 100,1000,10000")
      ->required()
      ->delimiter(',')
      ->check(CLI::Range(1, 10'000'000));
  command->add_option("--servers", options.servers, "of each job, or one number for all")
      ->required()
      ->delimiter(',')
      ->check(CLI::Range(1, 100'000));
  options.gatherers = {0};
  command
      ->add_option("--gatherers", options.gatherers,
                   "of the servers, between clients and those that write (0)")
      ->delimiter(',')
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option("--columns", options.columns,
                   "clients side by side on a domain; otherwise about as many as rows")
      ->check(CLI::PositiveNumber);
  command->add_option("--threads", options.threads, "clients in a process (1)")
      ->check(CLI::PositiveNumber);
  add_machine(*command, options.machine);
  command
      ->add_option("--processors", options.machine.processors,
                   "that all ranks share; otherwise each has its own")
      ->check(CLI::PositiveNumber);
  command->add_flag("--json", options.json, "for programs");
  command->add_flag("--every-rank", options.every_rank, "the loads of each rank of one job");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Imagines layouts of jobs", "epios"};
  app.require_subcommand(1);
  ScaleOptions scale_options;
  add_scale(app, scale_options);
  AdviseOptions advise_options;
  const CLI::App* const advise_command = add_advise(app, advise_options);
  if (const auto exit_code = ep::read_arguments(app, argc, argv)) return *exit_code;
  try {
    if (!advise_command->parsed()) return scale(scale_options);
    advise_options.has_disk_rate = advise_command->count("--disk-rate") > 0;
    advise_options.has_compress_rate = advise_command->count("--compress-rate") > 0;
    return run_advise(advise_options);
  } catch (const epios::config::ConfigError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "epios: {}\n", error.what());
    return 2;
  }
}
