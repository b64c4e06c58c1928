#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include "commands/command_line.hpp"
#include "commands/data_command.hpp"
#include "config/error.hpp"
#include "printing/json_print.hpp"
#include "text/printable.hpp"

namespace {

using namespace epios::config;

/// Says why there is no answer; programs that asked for JSON get it in every case.
void report(const CommandLine& line, const std::exception& failure, std::string_view prefix,
            const std::string& text) {
  if (const std::string* file = line.json_file()) print_failure_json(*file, failure);
  fmt::print(stderr, "{}{}\n", prefix, text);
}

int run(const CommandLine& line) {
  try {
    const int exit_code = line.action()();
    // The rest of the buffer may not fit on the disk.
    if (std::fflush(stdout) != 0) {
      throw epios::Error(
          epios::ErrorCode::io,
          fmt::format("standard output cannot be written ({}).", std::strerror(errno)));
    }
    return exit_code;
  } catch (const ConfigError& error) {
    report(line, error, "", error.what());  // each finding is printable
    return 1;
  } catch (const std::exception& error) {
    report(line, error, "epios: ", shortened(error.what()));
    return 2;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && is_data_command(argv[1])) return run_data_command(argv);
  CommandLine line;
  const std::optional<int> exit_code = line.parse(argc, argv);
  return exit_code ? *exit_code : run(line);
}
