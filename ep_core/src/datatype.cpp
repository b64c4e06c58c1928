#include "datatype.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include "error.hpp"

namespace ep {

namespace {

enum class Direction { pack, unpack };

// Blocks of a length that the compiler knows become single moves.
template <Direction direction, std::int64_t length>
std::byte* move_fixed(std::byte* typed, const BlockRun& run, std::byte* packed) {
  for (std::int64_t i = 0; i < run.repeat; ++i) {
    if constexpr (direction == Direction::pack) {
      std::memcpy(packed, typed, length);
    } else {
      std::memcpy(typed, packed, length);
    }
    typed += run.stride;
    packed += length;
  }
  return packed;
}

template <Direction direction>
std::byte* move_any(std::byte* typed, const BlockRun& run, std::byte* packed) {
  const auto length = static_cast<std::size_t>(run.length);
  for (std::int64_t i = 0; i < run.repeat; ++i) {
    if constexpr (direction == Direction::pack) {
      std::memcpy(packed, typed, length);
    } else {
      std::memcpy(typed, packed, length);
    }
    typed += run.stride;
    packed += length;
  }
  return packed;
}

// Moves one run of the element at `element`; returns where its packed bytes end.
template <Direction direction>
std::byte* move_run(std::byte* element, const BlockRun& run, std::byte* packed) {
  std::byte* const typed = element + run.offset;
  switch (run.length) {
    case 4:
      return move_fixed<direction, 4>(typed, run, packed);
    case 8:
      return move_fixed<direction, 8>(typed, run, packed);
    case 16:
      return move_fixed<direction, 16>(typed, run, packed);
    default:
      return move_any<direction>(typed, run, packed);
  }
}

/// Walks through the blocks of a view, in parts of any size.
class BlockCursor {
 public:
  explicit BlockCursor(const MappedView& view)
      : element_(view.data),
        extent_(view.map->extent),
        runs_(view.map->blocks.runs()),
        left_(view.bytes()) {
    if (std::byte* const block = view.block(); block != nullptr) {
      whole_ = {block - view.data, left_, 0, 1};
      runs_ = {&whole_, 1};
    }
  }
  BlockCursor(const BlockCursor&) = delete;
  BlockCursor(BlockCursor&&) = delete;
  BlockCursor& operator=(const BlockCursor&) = delete;
  BlockCursor& operator=(BlockCursor&&) = delete;
  ~BlockCursor() = default;

  std::int64_t left() const noexcept { return left_; }
  /// Precondition of both: left() > 0.
  std::byte* data() const noexcept {
    const BlockRun& run = runs_[run_];
    return element_ + run.offset + repeat_ * run.stride + inside_;
  }
  std::int64_t length() const noexcept { return runs_[run_].length - inside_; }

  /// By at most length().
  void advance(std::int64_t bytes) noexcept {
    left_ -= bytes;
    inside_ += bytes;
    if (inside_ < runs_[run_].length) return;
    inside_ = 0;
    if (++repeat_ < runs_[run_].repeat) return;
    repeat_ = 0;
    if (++run_ < runs_.size()) return;
    run_ = 0;
    element_ += extent_;
  }
  /// By whole elements, from the beginning of one.
  void skip_elements(std::int64_t count, std::int64_t size) noexcept {
    element_ += count * extent_;
    left_ -= count * size;
  }

 private:
  std::byte* element_;
  std::int64_t extent_;
  BlockRun whole_{};
  std::span<const BlockRun> runs_;
  std::int64_t left_;
  std::size_t run_ = 0;
  std::int64_t repeat_ = 0;
  std::int64_t inside_ = 0;
};

// The first `bytes` bytes of a view that is not one block.
template <Direction direction>
void move_packed(const MappedView& view, std::byte* packed, std::int64_t bytes) {
  const TypeMap& map = *view.map;
  const std::int64_t whole = bytes / map.size;
  for (std::int64_t i = 0; i < whole; ++i) {
    std::byte* const element = view.data + i * map.extent;
    for (const BlockRun& run : map.blocks.runs())
      packed = move_run<direction>(element, run, packed);
  }
  std::int64_t rest = bytes - whole * map.size;
  if (rest == 0) return;
  BlockCursor cursor(view);
  cursor.skip_elements(whole, map.size);
  while (rest > 0) {
    const std::int64_t piece = std::min(rest, cursor.length());
    if constexpr (direction == Direction::pack) {
      std::memcpy(packed, cursor.data(), static_cast<std::size_t>(piece));
    } else {
      std::memcpy(cursor.data(), packed, static_cast<std::size_t>(piece));
    }
    cursor.advance(piece);
    packed += piece;
    rest -= piece;
  }
}

void copy_blocks(const MappedView& source, const MappedView& target, std::int64_t bytes) {
  BlockCursor from(source);
  BlockCursor to(target);
  while (bytes > 0) {
    const std::int64_t piece = std::min({bytes, from.length(), to.length()});
    std::memcpy(to.data(), from.data(), static_cast<std::size_t>(piece));
    from.advance(piece);
    to.advance(piece);
    bytes -= piece;
  }
}

}  // namespace

TypeFacts type_facts(MPI_Datatype type) {
  const std::shared_ptr<const TypeMap> map = map_of(type);
  const bool contiguous =
      map->size == map->extent && map->is_dense(2) && map->blocks.runs()[0].offset == 0;
  return {map->size, map->lower_bound, map->extent, contiguous, map->named};
}

MappedView mapped(const TypedView& view) {
  return {static_cast<std::byte*>(view.data), view.count, map_of(view.type)};
}

MappedView mapped_bytes(void* data, std::int64_t bytes) {
  return {static_cast<std::byte*>(data), bytes, map_of(MPI_BYTE)};
}

void pack_bytes(const MappedView& source, void* bytes) {
  const std::int64_t size = source.bytes();
  if (size == 0) return;
  if (const std::byte* const block = source.block(); block != nullptr) {
    std::memcpy(bytes, block, static_cast<std::size_t>(size));
  } else {
    move_packed<Direction::pack>(source, static_cast<std::byte*>(bytes), size);
  }
}

void unpack_bytes(const void* bytes, std::int64_t size, const MappedView& target) {
  const std::int64_t fitting = std::min(size, target.bytes());
  if (fitting == 0) return;
  if (std::byte* const block = target.block(); block != nullptr) {
    std::memcpy(block, bytes, static_cast<std::size_t>(fitting));
  } else {
    auto* const packed = static_cast<std::byte*>(const_cast<void*>(bytes));
    move_packed<Direction::unpack>(target, packed, fitting);
  }
}

std::int64_t copy_typed(const MappedView& source, const MappedView& target) {
  const std::int64_t bytes = source.bytes();
  const std::int64_t fitting = std::min(bytes, target.bytes());
  if (fitting == 0) return bytes;
  std::byte* const from = source.block();
  std::byte* const to = target.block();
  if (from != nullptr) {
    unpack_bytes(from, fitting, target);
  } else if (to != nullptr) {
    move_packed<Direction::pack>(source, to, fitting);
  } else {
    copy_blocks(source, target, fitting);
  }
  return bytes;
}

MPI_Datatype keep_type(MPI_Datatype type) {
  if (map_of(type)->named) return type;
  MPI_Datatype kept = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_dup(type, &kept), "MPI_Type_dup");
  return kept;
}

void drop_type(MPI_Datatype type) noexcept {
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = MPI_COMBINER_NAMED;
  if (MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS) return;
  if (combiner == MPI_COMBINER_NAMED) return;
  if (MPI_Type_free(&type) != MPI_SUCCESS) set_last_error("MPI_Type_free failed.");
}

void* element_address(void* base, std::int64_t index, MPI_Datatype type) {
  return static_cast<std::byte*>(base) + index * type_facts(type).extent;
}

}  // namespace ep
