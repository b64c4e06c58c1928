#include "windows/window.hpp"

#include "process/error.hpp"
#include "windows/window_site.hpp"
#include "windows/window_tables.hpp"

namespace ep {

bool is_window(EP_Win win) noexcept {
  return window_arena().contains(win) && win->alive.load() == window_alive;
}

EndpointWindow& window_of(EP_Win win) {
  if (is_window(win)) return *win;
  if (win == EP_WIN_NULL) fail(EP_ERR_WIN, "the window is EP_WIN_NULL.");
  fail(EP_ERR_WIN, "the window handle is not valid (freed, or not made by this library).");
}

int raw_window_of(const EndpointWindow& window, const Target& target) {
  return target.raw == Target::by_client ? window.client_number : target.raw;
}

}  // namespace ep
