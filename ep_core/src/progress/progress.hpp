#pragma once

#include <mpi.h>

#include "process/extensions.hpp"
#include "process/process.hpp"
#include "progress/doorbell.hpp"
#include "progress/engine.hpp"
#include "progress/waiting.hpp"
#include "progress/work_board.hpp"

namespace ep {

/// How a process waits and drives its communication.
struct Progress final : Extension {
  static constexpr Room room = Room::progress;
  /// Sets the watchdog as EP_WATCHDOG_S says.
  Progress();

  Doorbell doorbell;
  Engine engine;
  WaitRegistry registry;
  std::atomic<Helpers*> helpers{nullptr};
};

inline Progress& progress() { return process().extension<Progress>(); }
inline Doorbell& doorbell() { return progress().doorbell; }
inline Engine& engine() { return progress().engine; }
inline WaitRegistry& registry() { return progress().registry; }

/// Waits for a raw non-blocking operation by testing it. Registers the wait.
void wait_for_mpi(MPI_Request& raw, const char* reason);

}  // namespace ep
