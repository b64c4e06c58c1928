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

namespace {

std::string beside_this_one(const char* name) {
  std::error_code unknown;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", unknown);
  return (own.parent_path() / name).string();
}

}  // namespace

bool is_data_command(std::string_view word) {
  return word == "live" || word == "replay" || word == "scale" || word == "ls" || word == "info" ||
         word == "diff" || word == "recover" || word == "remap" || word == "references";
}

std::string files_program() { return beside_this_one("epios-files"); }

int run_data_command(char* const* arguments) {
  const std::string_view word = arguments[1];
  const std::string program = word == "live"     ? beside_this_one("epios-live")
                              : word == "replay" ? beside_this_one("epios-replay")
                              : word == "scale"  ? beside_this_one("epios-layouts")
                                                 : files_program();
  execv(program.c_str(), arguments);
  fmt::print(stderr, "epios: '{}' cannot be started ({}). Is EPIOS installed in whole?\n", program,
             std::strerror(errno));
  return 2;
}

}  // namespace epios::config
