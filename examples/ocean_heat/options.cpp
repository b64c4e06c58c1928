#include "options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

namespace ocean {

std::optional<Options> parse_options(int argc, char** argv, int& exit_code) {
  Options options;
  int years = 0;
  CLI::App app("Temperature of the ocean's surface over a year, written by EPIOS");
  app.add_option("--threads", options.threads, "client endpoints (OpenMP threads) per process")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  auto* days = app.add_option("--days", options.days, "length of the run in days")
                   ->check(CLI::Range(1, 36500))
                   ->capture_default_str();
  app.add_option("--years", years, "length of the run in years of 365 days")
      ->check(CLI::Range(1, 100))
      ->excludes(days);
  app.add_option("--timestep", options.timestep_hours, "time step in hours, a divisor of 24")
      ->check(CLI::IsMember({1, 2, 3, 4, 6, 8, 12, 24}))
      ->capture_default_str();
  app.add_option("--input", options.input, "folder of the input files")->capture_default_str();
  app.add_option("--iodef", options.iodef, "XML: what is written")
      ->check(CLI::ExistingFile)
      ->capture_default_str();
  app.add_option("--output", options.output, "folder of the output files")->capture_default_str();
  app.add_option("--dump", options.dump, "also write every step raw to this file, for checks");
  app.add_option("--stop", options.stop,
                 "end after this day and leave the state in the output folder, for --restart")
      ->check(CLI::Range(1, 36500));
  app.add_option("--restart", options.restart,
                 "go on from this day, at whose end a run with --stop left its state")
      ->check(CLI::Range(1, 36500));
  app.add_flag("--bar", options.bar, "progress as on a terminal also where the launcher hides it");
  app.add_flag("--quiet", options.quiet, "no progress and no table");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& answer) {
    exit_code = app.exit(answer);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "ocean_heat: {} (--help says how it is used).\n", error.what());
    exit_code = 2;
    return std::nullopt;
  }
  if (years > 0) options.days = 365 * years;
  if (options.restart >= options.days || (options.stop > 0 && options.stop <= options.restart) ||
      options.stop > options.days) {
    fmt::print(stderr,
               "ocean_heat: the run of {} days has no day between --restart {} and --stop {} "
               "(--help says how it is used).\n",
               options.days, options.restart, options.stop);
    exit_code = 2;
    return std::nullopt;
  }
  return options;
}

}  // namespace ocean
