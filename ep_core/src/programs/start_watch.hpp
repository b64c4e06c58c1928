/// @file
/// Detects a job that cannot start because one of its processes has ended before it started MPI.
#pragma once

#include <thread>

namespace ep {

/// Watches the processes of this node while MPI_Init waits for all processes of the job. The
/// launcher ignores a process that ends before it calls MPI, for instance because of wrong
/// arguments, and the others would wait for ever. When a process of this node is gone, one process
/// of the node reports it and ends the whole job. If all are present, one of them reports after
/// EP_WATCHDOG_S that the job does not start. The thread reads /proc and does not call MPI. It runs
/// only if the launcher tells how many processes it has started here (Hydra's MPI_LOCALNRANKS).
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
