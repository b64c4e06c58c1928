#include "windows/window.hpp"

#include <algorithm>

#include "process/error.hpp"
#include "windows/window_site.hpp"
#include "windows/window_tables.hpp"

namespace ep {

Access& Accesses::of(int rank) {
  const std::lock_guard lock(mutex_);
  auto& place = accesses_[rank];
  if (!place) place = std::make_unique<Access>();
  return *place;
}

Access* Accesses::find(int rank) const {
  const std::lock_guard lock(mutex_);
  const auto found = accesses_.find(rank);
  return found != accesses_.end() ? found->second.get() : nullptr;
}

std::pair<int, Access*> Accesses::after(int rank) const {
  const std::lock_guard lock(mutex_);
  const auto next = accesses_.upper_bound(rank);
  if (next == accesses_.end()) return {rank, nullptr};
  return {next->first, next->second.get()};
}

void Accesses::decide(std::atomic<Epoch>& epoch) const {
  const std::lock_guard lock(mutex_);
  const bool is_locked = std::any_of(accesses_.begin(), accesses_.end(), [](const auto& entry) {
    return entry.second->lock != Access::Lock::none;
  });
  epoch = is_locked ? Epoch::lock : Epoch::none;
}

void Accesses::clear() noexcept {
  const std::lock_guard lock(mutex_);
  accesses_.clear();
}

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
