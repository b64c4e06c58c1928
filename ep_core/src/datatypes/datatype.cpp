// Packs, unpacks and copies elements of any datatype with our own loops, since MPI_Pack takes MPI's
// global lock. In order: moves of one run of blocks, a cursor for ranges of a message, sharing of
// large moves with helper threads, copies between two views, and handles that outlive the caller's.
#include "datatypes/datatype.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <type_traits>

#include "process/error.hpp"
#include "progress/work_board.hpp"

namespace ep {

namespace {

// Smallest amount that a team shares: less is finished before a helper arrives.
constexpr std::int64_t least_shared_bytes = std::int64_t{256} * 1024;
constexpr std::int64_t shared_item_bytes = std::int64_t{128} * 1024;
// Every work item searches for its first run among the runs of an element.
constexpr std::size_t many_runs = 1024;
constexpr std::int64_t items_of_many_runs = 4;

enum class Direction { pack, unpack };

// Blocks of a length that the compiler knows, an integral_constant, become single moves.
template <Direction direction, class Length>
std::byte* move_blocks(std::byte* typed, const BlockRun& run, std::byte* packed, Length length) {
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

template <std::size_t length>
using Fixed = std::integral_constant<std::size_t, length>;

// Moves one run of the element at `element`; returns where its packed bytes end.
template <Direction direction>
std::byte* move_run(std::byte* element, const BlockRun& run, std::byte* packed) {
  std::byte* const typed = element + run.offset;
  switch (run.length) {
    case 4:
      return move_blocks<direction>(typed, run, packed, Fixed<4>{});
    case 8:
      return move_blocks<direction>(typed, run, packed, Fixed<8>{});
    case 16:
      return move_blocks<direction>(typed, run, packed, Fixed<16>{});
    default:
      return move_blocks<direction>(typed, run, packed, static_cast<std::size_t>(run.length));
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

  /// Advances by at most length().
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
  /// Moves to `bytes` from the beginning of the view, by at most left(); `size` is the size of an
  /// element.
  void seek(std::int64_t bytes, std::int64_t size) noexcept {
    left_ -= bytes;
    if (runs_.data() != &whole_) {
      element_ += bytes / size * extent_;
      bytes %= size;
    }
    while (bytes > 0 && bytes >= runs_[run_].length * runs_[run_].repeat) {
      bytes -= runs_[run_].length * runs_[run_].repeat;
      ++run_;
    }
    if (bytes == 0) return;
    repeat_ = bytes / runs_[run_].length;
    inside_ = bytes % runs_[run_].length;
  }
  /// The blocks from here that one run has and that `bytes` bytes hold, relative to element():
  /// none from inside a block.
  BlockRun whole_blocks(std::int64_t bytes) const noexcept {
    const BlockRun& run = runs_[run_];
    const std::int64_t fitting = std::min(run.repeat - repeat_, bytes / run.length);
    return {run.offset + repeat_ * run.stride, run.length, run.stride, inside_ == 0 ? fitting : 0};
  }
  std::byte* element() const noexcept { return element_; }
  /// Skips the blocks that whole_blocks() has counted.
  void skip_blocks(const BlockRun& blocks) noexcept {
    repeat_ += blocks.repeat - 1;
    left_ -= (blocks.repeat - 1) * blocks.length;
    advance(blocks.length);
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

// The next `bytes` bytes at the cursor.
template <Direction direction>
std::byte* move_at(BlockCursor& cursor, std::byte* packed, std::int64_t bytes) {
  while (bytes > 0) {
    const BlockRun blocks = cursor.whole_blocks(bytes);
    std::int64_t piece = blocks.repeat * blocks.length;
    if (blocks.repeat > 0) {
      packed = move_run<direction>(cursor.element(), blocks, packed);
      cursor.skip_blocks(blocks);
    } else {
      piece = std::min(bytes, cursor.length());
      if constexpr (direction == Direction::pack) {
        std::memcpy(packed, cursor.data(), static_cast<std::size_t>(piece));
      } else {
        std::memcpy(cursor.data(), packed, static_cast<std::size_t>(piece));
      }
      cursor.advance(piece);
      packed += piece;
    }
    bytes -= piece;
  }
  return packed;
}

// Bytes [begin, end) of a message, which lie at `packed`.
struct PackedRange {
  std::int64_t begin;
  std::int64_t end;
  std::byte* packed;
};

template <Direction direction>
void move_range(const MappedView& view, PackedRange range) {
  const TypeMap& map = *view.map;
  const auto move_part = [&](std::int64_t bytes) {
    BlockCursor cursor(view);
    cursor.seek(range.begin, map.size);
    range.packed = move_at<direction>(cursor, range.packed, bytes);
    range.begin += bytes;
  };
  if (const std::int64_t inside = range.begin % map.size; inside != 0) {
    move_part(std::min(map.size - inside, range.end - range.begin));
  }
  for (; range.end - range.begin >= map.size; range.begin += map.size) {
    std::byte* const element = view.data + range.begin / map.size * map.extent;
    for (const BlockRun& run : map.blocks.runs())
      range.packed = move_run<direction>(element, run, range.packed);
  }
  if (range.begin < range.end) move_part(range.end - range.begin);
}

// Calls `move(begin, end)` for all of [0, bytes), with helper threads if it is much.
template <class Move>
void move_shared(std::int64_t bytes, std::size_t runs, Move&& move) {
  if (bytes < least_shared_bytes || !help_is_available()) {
    move(std::int64_t{0}, bytes);
    return;
  }
  std::int64_t items = (bytes + shared_item_bytes - 1) / shared_item_bytes;
  if (runs > many_runs) items = std::min(items, items_of_many_runs);
  share_items(static_cast<std::size_t>(items), [&](std::size_t item) {
    // Quotients first: products of bytes and items may be too large.
    const auto i = static_cast<std::int64_t>(item);
    const std::int64_t each = bytes / items;
    move(i * each, i + 1 == items ? bytes : (i + 1) * each);
  });
}

// The first `bytes` bytes of a view that is not one block.
template <Direction direction>
void move_packed(const MappedView& view, std::byte* packed, std::int64_t bytes) {
  move_shared(bytes, view.map->blocks.runs().size(), [&](std::int64_t begin, std::int64_t end) {
    move_range<direction>(view, {begin, end, packed + begin});
  });
}

void copy_block(void* to, const void* from, std::int64_t bytes) {
  move_shared(bytes, 1, [=](std::int64_t begin, std::int64_t end) {
    std::memcpy(static_cast<std::byte*>(to) + begin, static_cast<const std::byte*>(from) + begin,
                static_cast<std::size_t>(end - begin));
  });
}

void copy_range(const MappedView& source, const MappedView& target, std::int64_t begin,
                std::int64_t end) {
  BlockCursor from(source);
  BlockCursor to(target);
  from.seek(begin, source.map->size);
  to.seek(begin, target.map->size);
  std::int64_t bytes = end - begin;
  while (bytes > 0) {
    const std::int64_t piece = std::min({bytes, from.length(), to.length()});
    std::memcpy(to.data(), from.data(), static_cast<std::size_t>(piece));
    from.advance(piece);
    to.advance(piece);
    bytes -= piece;
  }
}

void copy_blocks(const MappedView& source, const MappedView& target, std::int64_t bytes) {
  const std::size_t runs =
      std::max(source.map->blocks.runs().size(), target.map->blocks.runs().size());
  move_shared(bytes, runs, [&](std::int64_t begin, std::int64_t end) {
    copy_range(source, target, begin, end);
  });
}

}  // namespace

TypeFacts type_facts(MPI_Datatype type) {
  const std::shared_ptr<const TypeMap> map = map_of(type);
  const bool contiguous =
      map->size == map->extent && map->is_dense(2) && map->blocks.runs()[0].offset == 0;
  return {map->size, map->extent, contiguous, map->named};
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
    copy_block(bytes, block, size);
  } else {
    move_packed<Direction::pack>(source, static_cast<std::byte*>(bytes), size);
  }
}

void unpack_bytes(const void* bytes, std::int64_t size, const MappedView& target) {
  const std::int64_t fitting = std::min(size, target.bytes());
  if (fitting == 0) return;
  if (std::byte* const block = target.block(); block != nullptr) {
    copy_block(block, bytes, fitting);
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

void copy_part(const MappedView& source, const MappedView& target, std::int64_t begin,
               std::int64_t end) {
  if (begin < end) copy_range(source, target, begin, end);
}

void unpack_part(const void* bytes, const MappedView& target, std::int64_t begin,
                 std::int64_t end) {
  if (begin == end) return;
  auto* const packed = static_cast<std::byte*>(const_cast<void*>(bytes));
  if (std::byte* const block = target.block(); block != nullptr) {
    std::memcpy(block + begin, packed, static_cast<std::size_t>(end - begin));
  } else {
    move_range<Direction::unpack>(target, {begin, end, packed});
  }
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
  const bool is_kept_as_it_is =
      combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_INTEGER ||
      combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX;
  if (is_kept_as_it_is) return;
  if (MPI_Type_free(&type) != MPI_SUCCESS) set_last_error("MPI_Type_free failed.");
}

void* element_address(void* base, std::int64_t index, MPI_Datatype type) {
  return static_cast<std::byte*>(base) + index * type_facts(type).extent;
}

}  // namespace ep
