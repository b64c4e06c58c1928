#include "event/process_place.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace epios::io {
namespace {

std::string target_of(const char* link) {
  std::error_code unknown;
  return std::filesystem::read_symlink(link, unknown).string();
}

}  // namespace

ProcessPlace own_place() {
  std::array<char, 256> name{};
  ProcessPlace out;
  out.pid = getpid();
  out.node = gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "?";
  if (const char* pretended = std::getenv("EPIOS_TEST_NODE")) out.node = pretended;
  out.numbers = target_of("/proc/self/ns/pid");
  out.program = target_of("/proc/self/exe");
  return out;
}

bool is_process_gone(std::int64_t pid) {
  if (kill(static_cast<pid_t>(pid), 0) != 0) return errno == ESRCH;
  std::ifstream stat(fmt::format("/proc/{}/stat", pid));
  std::string line;
  if (!std::getline(stat, line)) return false;
  const std::size_t end = line.rfind(')');  // names may have spaces
  return end != std::string::npos && end + 2 < line.size() &&
         (line[end + 2] == 'Z' || line[end + 2] == 'X');
}

}  // namespace epios::io
