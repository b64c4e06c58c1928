#include "windows/window_site.hpp"

#include <algorithm>
#include <iterator>

#include "process/error.hpp"
#include "windows/window_tables.hpp"

namespace ep {

// Regions may lie side by side: what spans them is attached, too.
bool Exposure::has_attached(std::uintptr_t address, std::int64_t bytes) {
  const std::lock_guard lock(mutex);
  auto left = static_cast<std::uintptr_t>(bytes);
  auto next = attached.upper_bound(address);
  if (left == 0) return true;
  if (next == attached.begin()) return false;
  for (auto region = std::prev(next); region != attached.end(); ++region) {
    const std::uintptr_t inside = address - region->first;
    const auto size = static_cast<std::uintptr_t>(region->second);
    if (region->first > address || inside >= size) return false;
    const std::uintptr_t here = std::min(left, size - inside);
    address += here;
    left -= here;
    if (left == 0) return true;
  }
  return false;
}

void Exposure::attach(std::uintptr_t address, std::int64_t bytes) {
  const std::lock_guard lock(mutex);
  if (bytes == 0) {
    attached_empty.insert(address);
    return;
  }
  const auto next = attached.lower_bound(address);
  const auto size = static_cast<std::uintptr_t>(bytes);
  bool overlaps = next != attached.end() && next->first - address < size;
  if (next != attached.begin()) {
    const auto& [begin, before] = *std::prev(next);
    overlaps = overlaps || address - begin < static_cast<std::uintptr_t>(before);
  }
  if (overlaps) {
    fail(EP_ERR_RMA_ATTACH, "EP_Win_attach of ", bytes,
         " bytes that overlap what is attached. Detach that first?");
  }
  attached[address] = bytes;
}

std::int64_t Exposure::detach(std::uintptr_t address) {
  const std::lock_guard lock(mutex);
  if (const auto found = attached.find(address); found != attached.end()) {
    const std::int64_t bytes = found->second;
    attached.erase(found);
    return bytes;
  }
  const auto empty = attached_empty.find(address);
  if (empty == attached_empty.end()) {
    fail(EP_ERR_RMA_ATTACH, "EP_Win_detach of an address where nothing is attached.");
  }
  attached_empty.erase(empty);
  return 0;
}

WindowSite::WindowSite(const Clique& clique, int slots)
    : clique_(clique),
      exposures_(std::make_unique<Exposure[]>(static_cast<std::size_t>(slots))),
      own_segments_(static_cast<std::size_t>(slots), nullptr) {}

std::shared_ptr<WindowSite> WindowSite::join(Clique& clique) {
  CliqueWindows& windows = windows_of(clique);
  const std::lock_guard lock(windows.mutex);
  std::shared_ptr<WindowSite> site = windows.site.lock();
  if (!site) {
    site = std::make_shared<WindowSite>(clique, clique.slot_count());
    windows.site = site;
    receive_by(clique, site);
  }
  return site;
}

int WindowSite::client_number(const Place& place, int side) const {
  if (side == server_side) return 0;
  // Slots of a process are numbered over both groups, the first one's before the second one's.
  return place.slot - (side == 1 ? clique_.local_group(0).count(place.process) : 0);
}

std::uint32_t WindowSite::await_answer(const Unanswered& operation) {
  const std::lock_guard lock(mutex_);
  do {
    ++last_number_;
  } while (last_number_ == 0 || unanswered_.count(last_number_) != 0);
  unanswered_[last_number_] = operation;
  return last_number_;
}

Unanswered WindowSite::take_unanswered(std::uint32_t number) {
  const std::lock_guard lock(mutex_);
  const auto found = unanswered_.find(number);
  if (found == unanswered_.end()) {
    fail(EP_ERR_INTERN, "an operation on a window was answered that nobody asked for.");
  }
  const Unanswered operation = found->second;
  unanswered_.erase(found);
  return operation;
}

}  // namespace ep
