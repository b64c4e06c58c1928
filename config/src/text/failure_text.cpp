#include "config/failure_text.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string_view>

namespace epios {
namespace {

constexpr std::int64_t kilobyte = 1024;

/// Returns the number of kB behind `name` in a file of /proc, or -1. Needs no memory of the heap.
std::int64_t kilobytes_of(const char* file, const char* name) {
  std::array<char, 4096> text{};
  const int descriptor = ::open(file, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return -1;
  const ssize_t length = ::read(descriptor, text.data(), text.size() - 1);
  static_cast<void>(::close(descriptor));
  const char* const found = length > 0 ? std::strstr(text.data(), name) : nullptr;
  return found == nullptr ? -1 : std::strtoll(found + std::strlen(name), nullptr, 10);
}

/// ", the node has 312 MB left", or nothing for a number that is not known.
std::string megabytes(std::string_view before, std::int64_t kilobytes, std::string_view after) {
  if (kilobytes < 0) return {};
  return fmt::format("{}{} MB{}", before, kilobytes / kilobyte, after);
}

std::string out_of_memory() {
  std::array<char, 256> node{};
  if (::gethostname(node.data(), node.size() - 1) != 0) node[0] = '?';
  rlimit limit{};
  const bool is_limited = ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  const std::int64_t most =
      is_limited ? static_cast<std::int64_t>(limit.rlim_cur) / kilobyte : std::int64_t{-1};
  return fmt::format(
      "out of memory (an allocation failed in process {} on node '{}'{}{}{}). Start fewer "
      "processes "
      "on the node, or use more nodes?",
      ::getpid(), node.data(),
      megabytes(", which has ", kilobytes_of("/proc/self/status", "VmRSS:"), ""),
      megabytes(" and a limit of ", most, " (ulimit -v)"),
      megabytes("; ", kilobytes_of("/proc/meminfo", "MemAvailable:"), " are left there"));
}

}  // namespace

std::string failure_text(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return out_of_memory();
  if (dynamic_cast<const std::length_error*>(&error) != nullptr) {
    return fmt::format("more memory is needed than there can be ({}). Is a size wrong?",
                       error.what());
  }
  return error.what();
}

ErrorCode failure_code(const std::exception& error) {
  const bool is_memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
                         dynamic_cast<const std::length_error*>(&error) != nullptr;
  return is_memory ? ErrorCode::resource : ErrorCode::internal;
}

}  // namespace epios
