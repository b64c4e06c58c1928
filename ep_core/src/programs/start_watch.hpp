/// @file
/// A job that cannot start because one of its processes has ended before it started MPI.
#pragma once

#include <thread>

namespace ep {

/// Beside the initialisation of MPI, which waits for all processes of the job: the launcher takes
/// no notice of one that ends without MPI, as after a mistake in its arguments, and the others
/// would wait for ever. When a process of this node is gone, names it and ends the whole job; one
/// process of a node does. Where all of them are there, one says after EP_WATCHDOG_S that the job
/// does not start. Its thread looks at what the system says of processes, and makes no call of MPI.
/// Only where the launcher says how many it has started here (Hydra's MPI_LOCALNRANKS).
class StartWatch {
 public:
  StartWatch();
  StartWatch(const StartWatch&) = delete;
  StartWatch& operator=(const StartWatch&) = delete;
  StartWatch(StartWatch&&) = delete;
  StartWatch& operator=(StartWatch&&) = delete;
  /// MPI has started.
  ~StartWatch() = default;

 private:
  std::jthread thread_;
};

}  // namespace ep
