#include "shared_copy.hpp"

#include <algorithm>
#include <cstring>
#include <thread>

namespace ep {

namespace {

constexpr std::size_t piece_bytes = std::size_t{32} * 1024;

constexpr std::size_t pieces_of(std::size_t bytes) {
  return (bytes + piece_bytes - 1) / piece_bytes;
}

}  // namespace

void SharedCopy::make(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
  to_ = to;
  from_ = from;
  bytes_ = bytes;
  left_.store(pieces_of(bytes), std::memory_order_relaxed);
  next_.store(0, std::memory_order_relaxed);
  is_open_.store(true, std::memory_order_release);
  copy_pieces();
  // The helper is within its last piece, a few microseconds, unless it lost its core.
  while (left_.load(std::memory_order_acquire) > 0) std::this_thread::yield();
  is_open_.store(false, std::memory_order_relaxed);
}

void SharedCopy::copy_pieces() noexcept {
  const std::size_t pieces = pieces_of(bytes_);
  while (true) {
    const std::size_t piece = next_.fetch_add(1, std::memory_order_relaxed);
    if (piece >= pieces) return;
    const std::size_t begin = piece * piece_bytes;
    std::memcpy(to_ + begin, from_ + begin, std::min(piece_bytes, bytes_ - begin));
    left_.fetch_sub(1, std::memory_order_release);
  }
}

}  // namespace ep
