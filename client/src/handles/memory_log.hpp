#pragma once

#include <chrono>
#include <cstdio>
#include <memory>
#include <string_view>

namespace epios::client {

/// Memory of this process in RAM, in MB (10^6 bytes). Throws Error{resource} when the system does
/// not say.
double resident_memory_mb();

/// What the memory was where the model asked: a table `xios_memory_<rank>.csv` with a line per
/// call, begun at the first one. By one thread at a time.
class MemoryLog {
 public:
  explicit MemoryLog(int rank) : rank_(rank) {}

  /// Throws Error{io} when the table cannot be written.
  void add(std::string_view place);
  /// What was added is in the file.
  void flush();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void check(bool done) const;

  int rank_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace epios::client
