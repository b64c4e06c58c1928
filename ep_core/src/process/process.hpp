#pragma once

#include <atomic>
#include <cstdint>

#include "process/error_codes.hpp"
#include "process/extensions.hpp"

namespace ep {

/// The state of the library in one operating-system process. It holds the facts from MPI about the
/// process, and every room attaches its own state to it. It is never destroyed, since handles may
/// be used until exit.
class Process {
 public:
  constexpr Process() = default;
  Process(const Process&) = delete;
  Process(Process&&) = delete;
  Process& operator=(const Process&) = delete;
  Process& operator=(Process&&) = delete;
  ~Process() = default;

  /// Counts one more user of the library. MPI must be initialised.
  void enter();
  /// Undoes one enter(). Precondition: is_entered().
  void leave() noexcept { entries_.fetch_sub(1); }
  int entries() const noexcept { return entries_.load(); }
  bool is_entered() const noexcept { return entries() > 0; }
  bool is_left() const noexcept { return was_entered_.load() && !is_entered(); }

  int world_rank() const noexcept { return world_rank_.load(std::memory_order_relaxed); }
  /// Returns the level that MPI grants.
  int thread_level() const noexcept { return thread_level_.load(std::memory_order_relaxed); }
  /// Returns a number that is unique over all processes of the job.
  std::uint64_t next_uid() noexcept;

  /// Returns the state that a room attaches to the process, which is created at first use.
  template <class T>
  T& extension() {
    return extensions_.get<T>();
  }

 private:
  std::atomic<int> entries_{0};
  std::atomic<bool> was_entered_{false};
  std::atomic<int> world_rank_{0};
  std::atomic<int> thread_level_{0};  // MPI_THREAD_SINGLE
  std::atomic<std::uint32_t> next_uid_{0};
  Extensions extensions_;
};

Process& process() noexcept;

/// Returns the error classes and codes that programs have added.
ErrorCodes& error_codes();

bool mpi_is_finalized() noexcept;

}  // namespace ep
