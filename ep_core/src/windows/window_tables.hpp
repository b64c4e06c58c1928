#pragma once

#include <mpi.h>

#include <memory>
#include <mutex>

#include "cliques/clique.hpp"
#include "handles/attributes.hpp"
#include "process/arena.hpp"
#include "process/extensions.hpp"
#include "process/process.hpp"
#include "windows/window.hpp"

namespace ep {

/// The windows of a process.
struct WindowTables final : Extension {
  static constexpr Room room = Room::windows;

  Arena<ep_win> windows;
  WindowKeyvals keyvals{first_window_keyval};
};

inline Arena<ep_win>& window_arena() { return process().extension<WindowTables>().windows; }
inline WindowKeyvals& window_keyvals() { return process().extension<WindowTables>().keyvals; }

/// The state of windows of a clique.
struct CliqueWindows final : Extension {
  static constexpr Room room = Room::windows;
  CliqueWindows() = default;
  CliqueWindows(const CliqueWindows&) = delete;
  CliqueWindows(CliqueWindows&&) = delete;
  CliqueWindows& operator=(const CliqueWindows&) = delete;
  CliqueWindows& operator=(CliqueWindows&&) = delete;
  ~CliqueWindows() override;

  /// Guards `site`, which belongs to the communicator of a window.
  std::mutex mutex;
  std::weak_ptr<WindowSite> site;
  /// A communicator over the processes, in their order, for the raw windows of windows created from
  /// this clique; MPI_COMM_NULL until it exists. Only collective calls write it.
  MPI_Comm comm = MPI_COMM_NULL;
};

inline CliqueWindows& windows_of(const Clique& clique) {
  return clique.extensions().get<CliqueWindows>();
}

}  // namespace ep
