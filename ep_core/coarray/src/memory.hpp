/// @file
/// Memory of images, and how one image reaches that of another.
#pragma once

#include <ep/ep.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ep::caf {

/// Memory of an image as another one sees it.
struct Place {
  std::byte* direct = nullptr;  ///< address in this process; null if it is accessed by the window
  MPI_Aint address = 0;         ///< address in its image

  Place operator+(std::ptrdiff_t bytes) const noexcept {
    return {direct == nullptr ? nullptr : direct + bytes, address + bytes};
  }
};

/// How far apart the images of a job are.
enum class Distance {
  process,  ///< threads of one process
  node,     ///< processes that share memory
  apart,    ///< some memory is reached by messages only
};

/// The one window of an image, to which all memory is attached that some image cannot access
/// directly. It does not exist if all images are threads of one process. Only its own image calls.
class Reach {
 public:
  /// Makes the window. Collective over `comm`, which stays the caller's.
  Reach(EP_Comm comm, Distance distance);
  Reach(const Reach&) = delete;
  Reach(Reach&&) = delete;
  Reach& operator=(const Reach&) = delete;
  Reach& operator=(Reach&&) = delete;
  /// Frees the window. Collective.
  ~Reach();

  Distance distance() const noexcept { return distance_; }
  /// True if image `rank` is a thread of this process.
  bool is_sibling(int rank) const noexcept { return siblings_[static_cast<std::size_t>(rank)]; }
  /// Returns the attached memory of image `rank` at `address` there.
  Place at(int rank, std::uintptr_t address) const noexcept;

  /// Lets other images reach the memory. No bytes count as one.
  void attach(std::byte* memory, std::size_t bytes);
  void detach(const std::byte* memory);

  /// Begins to copy the memory of image `rank` at `from`, after earlier puts of this image there.
  void get(int rank, const Place& from, std::span<std::byte> to);
  /// Begins to copy to image `rank`.
  void put(int rank, const Place& to, std::span<const std::byte> from);
  /// Waits until gets from image `rank` are complete.
  void finish_gets(int rank);
  /// Waits until the sources of puts to image `rank` may be used again.
  void release_sources(int rank);
  /// Waits until all puts to image `rank` have arrived.
  void finish_puts(int rank);
  /// Waits until all puts have arrived.
  void finish_puts();

  /// True if the bytes at `first` and `last` of image `rank` are memory that it has attached, or
  /// can be reached directly.
  bool has(int rank, const Place& first, const Place& last);

  /// Atomically combines a number with `value` by MPI's `operation`. Returns the former number.
  /// MPI_NO_OP reads, MPI_REPLACE writes.
  std::int32_t update(int rank, const Place& place, std::int32_t value, MPI_Op operation);
  /// Atomically writes `value` if the number is `expected`. Returns the former number.
  std::int32_t exchange(int rank, const Place& place, std::int32_t expected, std::int32_t value);
  /// Lets other images access this one's memory, and have the core, for programs that poll.
  void let_others();

 private:
  EP_Comm comm_;
  Distance distance_;
  std::vector<bool> siblings_;
  EP_Win window_ = EP_WIN_NULL;
  std::vector<bool> has_puts_;
};

/// Gives back what posix_memalign gave.
struct FreeMemory {
  void operator()(std::byte* memory) const noexcept;
};
using Memory = std::unique_ptr<std::byte, FreeMemory>;
/// Returns memory that is zero and begins with a cache line, or null if there is none.
Memory try_allocate(std::size_t bytes);

/// Memory of coarrays that exist before the program begins. Constructors of the program request it
/// before communicators exist. It has pages of its own, which can later become shared pages.
class StaticMemory {
 public:
  /// A block of this memory.
  struct Piece {
    std::size_t block;
    std::size_t offset;
  };

  StaticMemory() = default;
  StaticMemory(const StaticMemory&) = delete;
  StaticMemory(StaticMemory&&) = delete;
  StaticMemory& operator=(const StaticMemory&) = delete;
  StaticMemory& operator=(StaticMemory&&) = delete;
  ~StaticMemory();

  /// Returns a zero block. Throws Failure.
  Piece take(std::size_t bytes);
  std::byte* at(const Piece& piece) const { return blocks_[piece.block].begin + piece.offset; }

  /// Shows the memory to all images. Collective, once.
  void publish(EP_Comm comm, Reach& reach);
  /// Returns where all images have a block.
  const std::vector<Place>& places(std::size_t block) const { return places_[block]; }
  /// Frees the window, if there is one. Collective.
  void withdraw();

 private:
  struct Block {
    std::byte* begin;
    std::size_t bytes;
    std::size_t used;
  };

  std::size_t bytes() const noexcept;
  void check_equal(EP_Comm comm) const;
  bool share(EP_Comm comm);
  void attach(EP_Comm comm, Reach& reach);

  std::vector<Block> blocks_;
  std::vector<std::vector<Place>> places_;
  EP_Win window_ = EP_WIN_NULL;
};

/// New shared memory, `bytes` for each image: this image's and that of all others.
struct SharedMemory {
  EP_Win window;
  std::byte* own;
  std::vector<Place> places;
};
SharedMemory allocate_shared(EP_Comm comm, std::size_t bytes);

}  // namespace ep::caf
