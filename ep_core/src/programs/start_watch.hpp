/// @file
/// Detects a job that cannot start because one of its processes has ended before it started MPI.
#pragma once

#include <thread>

namespace ep {

/// Watches the processes of this node while MPI is being initialised, which waits for all processes
/// of the job. The launcher takes no notice of a process that ends without MPI, as after a mistake
/// in its arguments, and the others would wait for ever. When a process of this node is gone, one
/// process of the node names it and ends the whole job. If all of them are there, one says after
/// EP_WATCHDOG_S that the job does not start. The thread reads /proc and makes no call of MPI. It
/// runs only where the launcher says how many processes it has started here (Hydra's
/// MPI_LOCALNRANKS).
class StartWatch {
 public:
  /// Starts the thread.
  StartWatch();
  StartWatch(const StartWatch&) = delete;
  StartWatch& operator=(const StartWatch&) = delete;
  StartWatch(StartWatch&&) = delete;
  StartWatch& operator=(StartWatch&&) = delete;
  /// Stops the thread: MPI has started.
  ~StartWatch() = default;

 private:
  std::jthread thread_;
};

}  // namespace ep
