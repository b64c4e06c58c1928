#include "progress/work_board.hpp"

#include <thread>

#include "progress/progress.hpp"

namespace ep {

WorkBoard::Place* WorkBoard::hang_out(SharedWork& work) noexcept {
  for (Place& place : places_) {
    if (place.is_taken.load(std::memory_order_relaxed)) continue;
    if (place.is_taken.exchange(true, std::memory_order_acquire)) continue;
    place.work.store(&work, std::memory_order_seq_cst);
    return &place;
  }
  return nullptr;
}

void WorkBoard::take_down(Place& place) noexcept {
  place.work.store(nullptr, std::memory_order_seq_cst);
  // A visitor has found that the last item is taken, or is finishing one, so this wait is short.
  while (place.visitors.load(std::memory_order_seq_cst) > 0) std::this_thread::yield();
  place.is_taken.store(false, std::memory_order_release);
}

bool WorkBoard::help_once() noexcept {
  for (Place& place : places_) {
    if (place.work.load(std::memory_order_relaxed) == nullptr) continue;
    // The visit is announced before the work is read, so that the work stays until the visit ends.
    place.visitors.fetch_add(1, std::memory_order_seq_cst);
    SharedWork* const work = place.work.load(std::memory_order_seq_cst);
    const bool has_helped = work != nullptr && work->help_once();
    place.visitors.fetch_sub(1, std::memory_order_release);
    if (has_helped) return true;
  }
  return false;
}

namespace {

// Null where there are none.
Helpers* helpers() noexcept { return progress().helpers.load(std::memory_order_acquire); }

}  // namespace

void use_helpers(Helpers& helpers) {
  progress().helpers.store(&helpers, std::memory_order_release);
}

bool help_is_available() noexcept {
  const Helpers* const all = helpers();
  return all != nullptr && all->are_available();
}

void wake_helpers() noexcept {
  if (Helpers* const all = helpers(); all != nullptr) all->wake();
}

WorkOffer::WorkOffer(SharedWork& work) noexcept {
  if (Helpers* const all = helpers(); all != nullptr) place_ = all->offer(work);
}

}  // namespace ep
