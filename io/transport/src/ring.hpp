/// @file
/// A ring of contiguous parts in memory that somebody else allocated: one producer, one consumer,
/// in one process or in two. All state that both see is in that memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "transport/ring_footprint.hpp"

namespace epios::io {

/// Sizes of a ring.
struct RingLayout {
  std::size_t capacity_bytes = 0;  ///< largest part
  std::size_t data_bytes = 0;      ///< headers and payloads

  /// `depth` parts of any size up to `capacity_bytes` fit at once wherever the ring stands: padding
  /// at the wrap is always smaller than one largest part. Throws ep::Error when the product
  /// overflows.
  static RingLayout of(std::size_t capacity_bytes, int depth);
  /// Bytes of memory, control block included; a multiple of `ring_alignment`.
  std::size_t memory_bytes() const;
  bool operator==(const RingLayout&) const = default;
};

/// First bytes of a ring's memory. Positions count bytes since the ring was made and never go back;
/// each has a cache line of its own, since another core writes it.
struct RingControl {
  static constexpr std::uint64_t expected_magic = 0x314752534f495045;  // "EPIOSRG1"

  std::uint64_t magic = expected_magic;
  std::uint64_t capacity_bytes = 0;
  std::uint64_t data_bytes = 0;
  std::atomic<std::uint32_t> has_sender = 0;  ///< a channel has one sender in its life
  /// For a sender that reaches this memory through a window only: the address of its copy of
  /// `released` (0 if there is no such sender), and whether it has ended.
  std::atomic<std::uint64_t> mirror = 0;
  std::atomic<std::uint64_t> is_left = 0;
  std::uint64_t nonce = 0;  ///< proves to a client that it mapped what its server meant
  /// An empty ring starts over at its first byte: position `restart_from` continues at
  /// `restart_to`. Written only while the ring is empty, read only while it is not. Before
  /// `written`, so that one accumulate in the order of memory writes all three.
  alignas(ring_alignment) std::uint64_t restart_from = UINT64_MAX;
  std::uint64_t restart_to = 0;
  std::atomic<std::uint64_t> written = 0;                           ///< end of the last whole part
  alignas(ring_alignment) std::atomic<std::uint64_t> released = 0;  ///< end of the last freed part
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "rings are shared by processes");
static_assert(std::atomic<std::uint32_t>::is_always_lock_free, "rings are shared by processes");

/// Makes an empty ring in `memory`, which is aligned and has `layout.memory_bytes()`.
void format_ring(std::byte* memory, const RingLayout& layout, std::uint64_t nonce = 0);
/// True if `memory` holds a ring of this layout that was made with this nonce.
bool is_ring(const std::byte* memory, const RingLayout& layout, std::uint64_t nonce);
/// True if the ring has or had a sender.
bool is_claimed(const std::byte* memory);
/// Claims the sending end of a ring made by someone else. Throws ep::Error when `memory` holds no
/// ring of this layout or already has a sender.
void claim_ring(std::byte* memory, const RingLayout& layout);

/// Producing end; the only one of its ring.
class RingWriter {
 public:
  explicit RingWriter(std::byte* memory);

  /// Room for a part of 1 ... capacity bytes; empty while there is none. Throws ep::Error for other
  /// sizes and when a part is already reserved.
  std::span<std::byte> try_reserve(std::size_t bytes);
  /// Publishes the reserved part.
  void commit();
  /// Publishes the reserved part with its final size, which has the same footprint.
  void commit_as(std::size_t bytes);
  /// Forgets the reserved part: the ring is as it was before.
  void cancel() { reserved_ = {}; }
  bool has_reservation() const { return !reserved_.empty(); }
  /// Returns header and payload of the reserved part, as they lie in memory.
  std::span<std::byte> reserved_image() const;
  /// Returns what the reservation has written elsewhere if the part begins at the first byte: the
  /// mark where it would not have fit, or (`starts_over`) `restart_from` and `restart_to`.
  std::span<std::byte> skip_mark() const { return skip_mark_; }
  bool starts_over() const { return starts_over_; }
  bool is_drained() const;
  std::size_t capacity() const { return control_->capacity_bytes; }
  /// Returns the largest share of the ring that has been taken: 0 ... 1.
  double fullest() const {
    return static_cast<double>(most_) / static_cast<double>(control_->data_bytes);
  }

 private:
  RingControl* control_;
  std::byte* data_;
  std::uint64_t written_ = 0;  // own copy of control_->written
  std::uint64_t floor_ = 0;    // nothing before it is live, even if `released` is smaller
  std::uint64_t end_ = 0;      // end of the reserved part
  std::uint64_t most_ = 0;     // largest number of bytes taken so far
  std::span<std::byte> reserved_;
  std::span<std::byte> skip_mark_;
  bool starts_over_ = false;
};

/// Consuming end; the only one of its ring.
class RingReader {
 public:
  explicit RingReader(std::byte* memory);

  /// Returns the oldest part, in place, or an empty span. Throws ep::Error if the ring is damaged.
  std::span<std::byte> front();
  /// Frees the front part. Throws ep::Error if there is none.
  void release();

 private:
  RingControl* control_;
  std::byte* data_;
  std::uint64_t position_ = 0;  // own copy of control_->released
  std::span<std::byte> front_;
};

/// Returns the size in the header in front of a part's payload.
std::uint64_t part_bytes_in(const std::byte* header);

}  // namespace epios::io
