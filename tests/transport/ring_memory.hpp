/// @file
/// Heap memory with a formatted ring in it.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

#include "ring.hpp"

namespace epios::io::test {

class RingMemory {
 public:
  RingMemory(std::size_t capacity_bytes, int depth)
      : layout_(RingLayout::of(capacity_bytes, depth)),
        bytes_(new (std::align_val_t{ring_alignment}) std::byte[layout_.memory_bytes()]) {
    format_ring(bytes_.get(), layout_);
  }
  std::byte* data() const { return bytes_.get(); }
  const RingLayout& layout() const { return layout_; }

 private:
  struct Deleter {
    void operator()(std::byte* bytes) const {
      ::operator delete[](bytes, std::align_val_t{ring_alignment});
    }
  };
  RingLayout layout_;
  std::unique_ptr<std::byte[], Deleter> bytes_;
};

}  // namespace epios::io::test
