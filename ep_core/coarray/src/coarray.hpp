/// @file
/// The objects behind tokens of the compiler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "abi.hpp"
#include "memory.hpp"

namespace ep::caf {

/// A coarray: memory of the same size on every image. Coarrays are numbered in the order of their
/// creation, which is the same on all images.
class Coarray {
 public:
  /// Uses memory that exists before the program begins; other images cannot reach it yet.
  Coarray(std::int64_t number, std::size_t bytes, const StaticMemory& memory,
          StaticMemory::Piece piece)
      : number_(number), bytes_(bytes), own_(memory.at(piece)), static_(&memory), piece_(piece) {}
  /// Uses memory that all images share.
  Coarray(std::int64_t number, std::size_t bytes, SharedMemory memory)
      : number_(number),
        bytes_(bytes),
        own_(memory.own),
        window_(memory.window),
        places_(std::move(memory.places)) {}
  /// Uses its own memory, at `places` of all images.
  Coarray(std::int64_t number, std::size_t bytes, Memory memory, std::vector<Place> places)
      : number_(number),
        bytes_(bytes),
        own_(memory.get()),
        memory_(std::move(memory)),
        places_(std::move(places)) {}

  std::int64_t number() const noexcept { return number_; }
  std::size_t bytes() const noexcept { return bytes_; }
  /// Returns this image's memory.
  std::byte* own() const noexcept { return own_; }
  /// Returns the memory of image `rank`.
  Place at(int rank) const {
    const auto i = static_cast<std::size_t>(rank);
    if (static_ == nullptr) return places_[i];
    return static_->places(piece_.block)[i] + static_cast<std::ptrdiff_t>(piece_.offset);
  }
  /// Returns the program's descriptor of an allocatable array, which knows its bounds; null for
  /// others.
  const Descriptor* descriptor() const noexcept { return descriptor_; }
  void set_descriptor(const Descriptor* descriptor) noexcept { descriptor_ = descriptor; }
  /// Returns the window of memory that all images share.
  EP_Win& window() noexcept { return window_; }

 private:
  std::int64_t number_;
  std::size_t bytes_;
  std::byte* own_;
  const StaticMemory* static_ = nullptr;
  StaticMemory::Piece piece_{0, 0};
  EP_Win window_ = EP_WIN_NULL;
  Memory memory_;
  std::vector<Place> places_;
  const Descriptor* descriptor_ = nullptr;
};

/// An allocatable or pointer component of a coarray, on this image alone.
struct Component {
  std::byte* memory = nullptr;
  Memory own;                    ///< empty: the memory is the program's
  const void* former = nullptr;  ///< address of the memory that was freed last
};

}  // namespace ep::caf
