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

constexpr const char* live_name = "epios-live";

std::string beside_this_one(const char* name) {
  std::error_code unknown;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", unknown);
  return (own.parent_path() / name).string();
}

/// Replaces this process; returns if that fails.
int start(const std::string& program, char* const* arguments) {
  execv(program.c_str(), arguments);
  const bool lacks_http = errno == ENOENT && program.ends_with(live_name);
  fmt::print(stderr, "epios: '{}' cannot be started ({}). {}\n", program, std::strerror(errno),
             lacks_http ? "It is built where cpp-httplib is (Debian: libcpp-httplib-dev). Install "
                          "that, and build EPIOS again?"
                        : "Is EPIOS installed in whole?");
  return 2;
}

}  // namespace

bool is_data_command(std::string_view word) {
  return word == "live" || word == "replay" || word == "scale" || word == "advise" ||
         word == "ls" || word == "info" || word == "diff" || word == "recover" || word == "remap" ||
         word == "references" || word == "ragged";
}

std::string files_program() { return beside_this_one("epios-files"); }

int run_data_command(char* const* arguments) {
  const std::string_view word = arguments[1];
  return start(word == "live"                        ? beside_this_one(live_name)
               : word == "replay"                    ? beside_this_one("epios-replay")
               : word == "scale" || word == "advise" ? beside_this_one("epios-layouts")
                                                     : files_program(),
               arguments);
}

int run_live_program(const std::vector<std::string>& words) {
  const std::string program = beside_this_one(live_name);
  std::vector<char*> arguments{const_cast<char*>(program.c_str())};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  return start(program, arguments.data());
}

}  // namespace epios::config
