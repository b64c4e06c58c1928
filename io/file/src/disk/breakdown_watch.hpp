/// @file
/// Some damages to the structure of a file crash HDF5 1.10, and some make it loop for ever.
#pragma once

#include <cstddef>
#include <cstdint>

namespace epios::io {

/// While an object lives, a crash or an endless loop of this thread prints a line on standard error
/// that says what was being read, and ends the process and thus the job. Nothing can be trusted
/// afterwards, so nothing is thrown. Signals of other threads are passed on. The innermost of
/// nested objects counts. Costs a system call.
class BreakdownWatch {
 public:
  /// Exit status of the process.
  static constexpr int exit_status = 70;
  /// Views that must live as long as the watch.
  struct Subject {
    const char* path;
    const char* variable = nullptr;  ///< null for the structure of the file
    std::int64_t record = -1;        ///< -1 for no record
  };
  /// Watches the reading of so many values, with the limit of limit_s().
  explicit BreakdownWatch(const Subject& subject, std::size_t values = 0) noexcept
      : BreakdownWatch(subject, limit_s(bytes_of(subject.path), values)) {}
  /// `limit_s` is processor time of this thread.
  BreakdownWatch(const Subject& subject, double limit_s) noexcept;
  BreakdownWatch(const BreakdownWatch&) = delete;
  BreakdownWatch(BreakdownWatch&&) = delete;
  BreakdownWatch& operator=(const BreakdownWatch&) = delete;
  BreakdownWatch& operator=(BreakdownWatch&&) = delete;
  ~BreakdownWatch();

  /// Returns a limit far above the time that reading values of such a file takes.
  static double limit_s(std::int64_t file_bytes, std::size_t values) noexcept;

 private:
  static std::int64_t bytes_of(const char* path) noexcept;

  Subject subject_;
  const Subject* around_;
};

}  // namespace epios::io
