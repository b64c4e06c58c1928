#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

#include "progress/waiting.hpp"

namespace ep {

/// Memory that the program attached for buffered sends.
class SendBuffer {
 public:
  SendBuffer(void* memory, std::size_t size) : memory_(memory), size_(size) {}

  void* memory() const noexcept { return memory_; }
  std::size_t size() const noexcept { return size_; }
  std::byte* at(std::size_t offset) const noexcept {
    return static_cast<std::byte*>(memory_) + offset;
  }

  /// Returns the offset of free memory of `bytes` bytes. Throws EP_ERR_BUFFER if there is none.
  std::size_t reserve(std::size_t bytes);
  void release(std::size_t offset) noexcept;
  /// True if nothing is reserved.
  bool is_idle();
  WaitPoint& point() noexcept { return point_; }

 private:
  void* memory_;
  std::size_t size_;
  std::mutex mutex_;
  std::map<std::size_t, std::size_t> reserved_;  // offset -> bytes
  WaitPoint point_;
};

/// The buffers that are attached now, by endpoint of the calling thread (attached_endpoint()).
/// Threads that are attached to no endpoint share one.
class AttachedBuffers {
 public:
  void attach(int endpoint, void* memory, std::size_t size);
  /// Throws EP_ERR_BUFFER when nothing is attached.
  std::shared_ptr<SendBuffer> get(int endpoint);
  /// Removes a buffer that no send uses any more: the caller has waited for is_idle().
  void detach(int endpoint);

 private:
  std::mutex mutex_;
  std::map<int, std::shared_ptr<SendBuffer>> buffers_;
};

}  // namespace ep
