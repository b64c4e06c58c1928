#include "messages/counted_new.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

constinit std::atomic<std::int64_t> counted{0};  // NOLINT: operator new has nowhere else

void* allocate(std::size_t size, std::size_t alignment) {
  counted.fetch_add(1, std::memory_order_relaxed);
  const std::size_t rounded = (size + alignment) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, rounded);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
// Sanitizers have this one of their own, whose memory the operator below could not give back.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  counted.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace ep::test {

std::int64_t allocations() { return counted.load(); }

}  // namespace ep::test
