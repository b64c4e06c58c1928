#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

#include "datatypes/datatype.hpp"

namespace ep {

/// The memory of one collective operation. It is taken piece by piece and released all at once, and
/// kept for the next operation unless it is large. One thread at a time.
class Scratch {
 public:
  /// Returns uninitialised memory, aligned for every type.
  std::byte* take(std::int64_t bytes);
  /// Returns value-initialised elements, which are never destroyed.
  template <class T>
  std::span<T> take_array(std::int64_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    // NOLINTNEXTLINE(bugprone-sizeof-expression): arrays of pointers are meant
    auto* const first = reinterpret_cast<T*>(take(count * static_cast<std::int64_t>(sizeof(T))));
    for (std::int64_t i = 0; i < count; ++i) new (first + i) T{};
    return {first, static_cast<std::size_t>(count)};
  }
  template <class T>
  T& take_one() {
    return take_array<T>(1)[0];
  }
  /// Returns memory for `count` elements of a type that may have gaps: the address that MPI takes
  /// for a buffer.
  void* take_elements(std::int64_t count, MPI_Datatype type);

  void reset() noexcept;

 private:
  struct Chunk {
    std::unique_ptr<std::byte[]> memory;
    std::int64_t size;
  };
  std::vector<Chunk> chunks_;
  std::size_t chunk_ = 0;  // index of the chunk in use; earlier chunks are full
  std::int64_t used_ = 0;  // used bytes of this chunk
};

/// Returns the span of bytes that `count` elements occupy.
Span span_of(std::int64_t count, MPI_Datatype type);

}  // namespace ep
