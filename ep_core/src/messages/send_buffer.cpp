#include "messages/send_buffer.hpp"

#include <ep/ep.h>

#include "process/error.hpp"
#include "progress/progress.hpp"

namespace ep {

std::size_t SendBuffer::reserve(std::size_t bytes) {
  // The overhead that programs reckon with keeps messages apart from each other.
  const std::size_t wanted = bytes + EP_BSEND_OVERHEAD;
  const std::lock_guard lock(mutex_);
  std::size_t offset = 0;
  for (const auto& [start, length] : reserved_) {
    if (start - offset >= wanted) break;
    offset = start + length;
  }
  if (size_ - offset < wanted) {
    fail(EP_ERR_BUFFER, "the attached buffer of ", size_, " bytes has no room for a message of ",
         bytes, " bytes (and ", EP_BSEND_OVERHEAD, " of overhead). Attach a larger one?");
  }
  reserved_[offset] = wanted;
  return offset;
}

void SendBuffer::release(std::size_t offset) noexcept {
  {
    const std::lock_guard lock(mutex_);
    reserved_.erase(offset);
  }
  registry().notify(point_);
}

bool SendBuffer::is_idle() {
  const std::lock_guard lock(mutex_);
  return reserved_.empty();
}

void AttachedBuffers::attach(int endpoint, void* memory, std::size_t size) {
  const std::lock_guard lock(mutex_);
  if (buffers_.contains(endpoint)) {
    fail(EP_ERR_BUFFER, "a buffer is attached already (one per endpoint). Detach it first?");
  }
  buffers_[endpoint] = std::make_shared<SendBuffer>(memory, size);
}

std::shared_ptr<SendBuffer> AttachedBuffers::get(int endpoint) {
  const std::lock_guard lock(mutex_);
  const auto found = buffers_.find(endpoint);
  if (found == buffers_.end()) {
    fail(EP_ERR_BUFFER, "no buffer is attached. Call EP_Buffer_attach first?");
  }
  return found->second;
}

void AttachedBuffers::detach(int endpoint) {
  const std::lock_guard lock(mutex_);
  buffers_.erase(endpoint);
}

}  // namespace ep
