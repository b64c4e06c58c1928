#include "progress/shared_work.hpp"

#include <thread>

namespace ep {

void SharedWork::begin(std::size_t pieces, PieceWork work) noexcept {
  pieces_ = pieces;
  work_ = work;
  left_.store(pieces, std::memory_order_relaxed);
  next_.store(0, std::memory_order_relaxed);
  is_open_.store(true, std::memory_order_seq_cst);
}

void SharedWork::complete() noexcept {
  take_pieces();
  // A helper is within its last piece, a few microseconds, unless it lost its core.
  while (left_.load(std::memory_order_acquire) > 0) std::this_thread::yield();
  is_open_.store(false, std::memory_order_relaxed);
}

bool SharedWork::take_piece() noexcept {
  const std::size_t piece = next_.fetch_add(1, std::memory_order_relaxed);
  if (piece >= pieces_) return false;
  work_(piece);
  left_.fetch_sub(1, std::memory_order_release);
  return true;
}

void SharedWork::take_pieces() noexcept {
  while (take_piece()) {
  }
}

}  // namespace ep
