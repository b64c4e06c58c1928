#include "datatypes/scratch.hpp"

#include <algorithm>
#include <cstdlib>

namespace ep {

namespace {

constexpr std::int64_t alignment = 64;
constexpr std::int64_t smallest_chunk = 4096;
constexpr std::int64_t kept_bytes = std::int64_t{1024} * 1024;

}  // namespace

std::byte* Scratch::take(std::int64_t bytes) {
  const std::int64_t wanted =
      (std::max<std::int64_t>(bytes, 1) + alignment - 1) / alignment * alignment;
  while (chunk_ < chunks_.size() && used_ + wanted > chunks_[chunk_].size) {
    ++chunk_;
    used_ = 0;
  }
  if (chunk_ == chunks_.size()) {
    // Adds one line to the requested size, to align its beginning.
    const std::int64_t size = std::max(wanted, smallest_chunk);
    chunks_.push_back(
        {std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(size + alignment)),
         size});
  }
  void* memory = chunks_[chunk_].memory.get();
  auto space = static_cast<std::size_t>(chunks_[chunk_].size + alignment);
  auto* const aligned = static_cast<std::byte*>(
      std::align(alignment, static_cast<std::size_t>(chunks_[chunk_].size), memory, space));
  std::byte* const out = aligned + used_;
  used_ += wanted;
  return out;
}

void* Scratch::take_elements(std::int64_t count, MPI_Datatype type) {
  const Span span = span_of(count, type);
  return take(span.size) - span.begin;
}

void Scratch::reset() noexcept {
  std::int64_t total = 0;
  for (const Chunk& chunk : chunks_) total += chunk.size;
  if (total > kept_bytes) chunks_.clear();
  chunk_ = 0;
  used_ = 0;
}

Span span_of(std::int64_t count, MPI_Datatype type) { return map_of(type)->span(count); }

}  // namespace ep
