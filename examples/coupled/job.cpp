#include "job.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <ep/ep.hpp>

namespace coupled {

std::optional<Options> parse_options(int argc, char** argv, const char* program, int& exit_code) {
  Options options;
  CLI::App app("One of two models that exchange fields through EPIOS");
  app.add_option("--threads", options.threads, "client endpoints (OpenMP threads) per process")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  app.add_option("--days", options.days, "length of the run in days")
      ->check(CLI::Range(1, 3650))
      ->capture_default_str();
  app.add_option("--input", options.input, "folder of the input files")->capture_default_str();
  app.add_option("--iodef", options.iodef, "XML: what is written and exchanged")
      ->check(CLI::ExistingFile)
      ->capture_default_str();
  app.add_option("--output", options.output, "folder of the output files")->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& answer) {
    exit_code = app.exit(answer);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "{}: {} (--help says how it is used).\n", program, error.what());
    exit_code = 2;
    return std::nullopt;
  }
  return options;
}

void end_job(int exit_code) {
  std::fflush(nullptr);
  // A process takes the others with it only once it has joined them.
  int joined = 0;
  if (EP_Initialized(&joined) == EP_SUCCESS && joined == 0) {
    int level = 0;
    EP_Init_library(MPI_THREAD_SINGLE, &level);  // the exit follows anyhow
  }
  std::_Exit(exit_code);
}

void fail(const char* program, const std::exception& error) {
  std::fprintf(stderr, "%s: %s\n", program, error.what());
  end_job(EXIT_FAILURE);
}

}  // namespace coupled
