#include "progress/shared_work.hpp"

#include <thread>

namespace ep {

void SharedWork::begin(std::size_t items, ItemWork work) noexcept {
  items_ = items;
  work_ = work;
  left_.store(items, std::memory_order_relaxed);
  next_.store(0, std::memory_order_relaxed);
  is_open_.store(true, std::memory_order_seq_cst);
}

void SharedWork::complete() noexcept {
  take_items();
  // A helper is within its last item, a few microseconds, unless it lost its core.
  while (left_.load(std::memory_order_acquire) > 0) std::this_thread::yield();
  is_open_.store(false, std::memory_order_relaxed);
}

bool SharedWork::take_item() noexcept {
  const std::size_t item = next_.fetch_add(1, std::memory_order_relaxed);
  if (item >= items_) return false;
  work_(item);
  left_.fetch_sub(1, std::memory_order_release);
  return true;
}

void SharedWork::take_items() noexcept {
  while (take_item()) {
  }
}

}  // namespace ep
