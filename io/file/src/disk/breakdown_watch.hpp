/// @file
/// HDF5 1.10 dies of some damages to the structure of a file, and over some it goes round for ever.
#pragma once

#include <cstddef>
#include <cstdint>

namespace epios::io {

/// While one lives, such an end of what this thread does is a line on standard error that says what
/// was being read, and the end of the process, with which the job ends: nothing can be trusted
/// after it, and nothing is thrown. Signals of other threads go where they went before. Of several
/// inside each other the innermost counts. Costs a system call.
class BreakdownWatch {
 public:
  /// Status with which the process ends.
  static constexpr int exit_status = 70;
  /// Views that live as long as the watch.
  struct Subject {
    const char* path;
    const char* variable = nullptr;  ///< null: the file's structure
    std::int64_t record = -1;        ///< -1: no record
  };
  /// For so many values. Takes as long as limit_s() at most.
  explicit BreakdownWatch(const Subject& subject, std::size_t values = 0) noexcept
      : BreakdownWatch(subject, limit_s(bytes_of(subject.path), values)) {}
  /// `limit_s`: of this thread's processor time.
  BreakdownWatch(const Subject& subject, double limit_s) noexcept;
  BreakdownWatch(const BreakdownWatch&) = delete;
  BreakdownWatch(BreakdownWatch&&) = delete;
  BreakdownWatch& operator=(const BreakdownWatch&) = delete;
  BreakdownWatch& operator=(BreakdownWatch&&) = delete;
  ~BreakdownWatch();

  /// Far more than reading values of a file of so many bytes takes.
  static double limit_s(std::int64_t file_bytes, std::size_t values) noexcept;

 private:
  static std::int64_t bytes_of(const char* path) noexcept;

  Subject subject_;
  const Subject* around_;
};

}  // namespace epios::io
