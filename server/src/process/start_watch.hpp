/// @file
/// A job that cannot start because one of its programs has ended before it started MPI.
#pragma once

#include <thread>

namespace epios::server {

/// Beside the initialisation of MPI, which waits for all programs of the job: the launcher takes no
/// notice of one that ends without MPI, as after a mistake in its arguments, and the others would
/// wait for ever. When a process of this node is gone, says so and ends the whole job. Only where
/// the launcher says how many it has started here (Hydra's MPI_LOCALNRANKS).
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

}  // namespace epios::server
