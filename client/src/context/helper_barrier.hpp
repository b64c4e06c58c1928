#pragma once

#include <atomic>
#include <cstdint>
#include <ep/work_sharing.hpp>
#include <mutex>
#include <string>

#include "config/error.hpp"
#include "event/watch.hpp"

namespace epios::client {

/// A barrier of threads of one process that have nothing to do until all of them have come: its
/// waiting threads pack slices of what clients of the process send. Rounds follow each other. Any
/// thread; allocates nothing while all is well.
class HelperBarrier {
 public:
  /// Of the client `owner`, which messages call `name` ("client 0 of 'ocean'").
  HelperBarrier(io::Watch& watch, const io::Actor& owner, const io::WaitLimits& limits,
                std::string name);

  /// Helps until `threads` threads have called this. Throws Error{argument} for a number below 1;
  /// in this and all threads that wait, and from then on, Error{argument} when it is not the number
  /// that the others of the round gave, Error{call_order} when the client ends before all have
  /// come.
  void wait(int threads);
  /// The client ends (`how`: "is closed"). On return nobody is in wait() any more.
  void end(const std::string& how);

 private:
  bool come(int threads, std::uint64_t& round);
  void refuse_later(ErrorCode code, std::string text);
  void wait_for_others(std::uint64_t round);

  io::Watch& watch_;
  io::Actor owner_;
  io::WaitLimits limits_;
  std::string name_;
  ep::HelperPool helpers_;
  std::mutex mutex_;
  int threads_ = 0;  // of the round under way
  int came_ = 0;
  std::atomic<std::uint64_t> round_{0};
  std::atomic<bool> is_over_{false};  // for good
  ErrorCode code_ = ErrorCode::success;
  std::string text_;  // why; written before is_over_
  std::atomic<int> inside_{0};
};

}  // namespace epios::client
