#include "commands/data_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

namespace epios::config {

bool is_data_command(std::string_view word) {
  return word == "ls" || word == "diff" || word == "recover";
}

int run_data_command(char* const* arguments) {
  std::error_code unknown;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", unknown);
  const std::string program = (own.parent_path() / "epios-files").string();
  execv(program.c_str(), arguments);
  fmt::print(stderr, "epios: '{}' cannot be started ({}). Is EPIOS installed in whole?\n", program,
             std::strerror(errno));
  return 2;
}

}  // namespace epios::config
