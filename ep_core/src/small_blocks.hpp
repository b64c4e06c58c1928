#pragma once

#include <cstddef>
#include <memory>

namespace ep {

// Memory for messages that wait in this process: used again rather than given to the heap, up to a
// bound. Any thread. A block goes back to those of the thread that took it, so that a sender and a
// receiver share a lock with few others.

/// Uninitialised, aligned for anything. Throws std::bad_alloc.
void* take_block(std::size_t size);
void give_block(void* block) noexcept;

struct GiveBlock {
  void operator()(std::byte* block) const noexcept { give_block(block); }
};
using BlockOfBytes = std::unique_ptr<std::byte[], GiveBlock>;

inline BlockOfBytes take_bytes(std::size_t size) {
  return BlockOfBytes(static_cast<std::byte*>(take_block(size)));
}

}  // namespace ep
