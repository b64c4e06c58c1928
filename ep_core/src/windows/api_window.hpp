#pragma once

#include <ep/ep.h>

#include "handles/api_arguments.hpp"
#include "handles/start_handles.hpp"
#include "process/error.hpp"
#include "progress/progress.hpp"
#include "windows/epoch.hpp"
#include "windows/window.hpp"
#include "windows/window_site.hpp"

namespace ep {

// How the C functions of windows run their bodies and check their arguments.

/// Calls the error handler of the window if the handle is valid. Returns the code for the program.
int raise_at(EP_Win win, int code) noexcept;

/// Runs `body(window)`, the body of a function that acts for the endpoint of a window.
template <class Body>
int call_on_window(EP_Win win, Body&& body) noexcept {
  const int code = guarded([&] {
    EndpointWindow& window = window_of(win);
    const CallScope call(window.comm);
    engine().look_now_and_then();
    body(window);
  });
  return code != EP_SUCCESS ? raise_at(win, code) : code;
}

/// Throws EP_ERR_RANK if `rank` is not a target of the window.
inline void check_target(const EndpointWindow& window, int rank) {
  const auto size = static_cast<int>(window.targets->size());
  if (rank < 0 || rank >= size) {
    fail(EP_ERR_RANK, "target rank ", rank, " (the window has ", size, " ranks to access).");
  }
}

}  // namespace ep
