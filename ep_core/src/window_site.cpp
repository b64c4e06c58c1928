#include "window_site.hpp"

#include <iterator>

#include "error.hpp"

namespace ep {

bool Exposure::has_attached(std::uintptr_t address, std::int64_t bytes) {
  const std::lock_guard lock(mutex);
  auto next = attached.upper_bound(address);
  if (next == attached.begin()) return false;
  const auto& [begin, size] = *std::prev(next);
  return address - begin + static_cast<std::uintptr_t>(bytes) <= static_cast<std::uintptr_t>(size);
}

void Exposure::attach(std::uintptr_t address, std::int64_t bytes) {
  const std::lock_guard lock(mutex);
  const auto next = attached.lower_bound(address);
  const auto size = static_cast<std::uintptr_t>(bytes);
  bool overlaps =
      next != attached.end() && (next->first < address + size || next->first == address);
  if (next != attached.begin()) {
    const auto& [begin, before] = *std::prev(next);
    overlaps = overlaps || begin + static_cast<std::uintptr_t>(before) > address;
  }
  if (overlaps) {
    fail(EP_ERR_RMA_ATTACH, "EP_Win_attach of ", bytes,
         " bytes that overlap what is attached. Detach that first?");
  }
  attached[address] = bytes;
}

void Exposure::detach(std::uintptr_t address) {
  const std::lock_guard lock(mutex);
  if (attached.erase(address) == 0) {
    fail(EP_ERR_RMA_ATTACH, "EP_Win_detach of an address where nothing is attached.");
  }
}

WindowSite::WindowSite(const Clique& clique, int slots)
    : clique_(clique),
      exposures_(std::make_unique<Exposure[]>(static_cast<std::size_t>(slots))),
      own_parts_(static_cast<std::size_t>(slots), nullptr) {}

std::shared_ptr<WindowSite> WindowSite::join(Clique& clique) {
  const std::lock_guard lock(clique.window_mutex);
  std::shared_ptr<WindowSite> site = clique.window_site.lock();
  if (!site) {
    site = std::make_shared<WindowSite>(clique, clique.slot_count());
    clique.window_site = site;
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
