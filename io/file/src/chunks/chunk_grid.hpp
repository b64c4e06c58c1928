/// @file
/// Where the points of a record variable are in a file: chunks, and the runs of bytes in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "grid/box.hpp"

namespace epios::io {

/// Chunks of one record variable. A chunk holds `records_per_chunk` records of one tile of the
/// index space; the chunks that hold the same records form a row and are numbered in C order.
class ChunkGrid {
 public:
  /// `chunk` may exceed `shape` nowhere and has the same rank.
  ChunkGrid(Extents shape, Extents chunk, std::int64_t records_per_chunk, std::int64_t value_bytes);

  const Extents& shape() const { return shape_; }
  const Extents& chunk() const { return chunk_; }
  std::int64_t records_per_chunk() const { return records_per_chunk_; }
  std::int64_t value_bytes() const { return value_bytes_; }
  std::int64_t points() const { return volume(shape_); }
  /// Chunks of one row.
  std::int64_t chunks_per_row() const { return volume(counts_); }
  /// Chunks in each dimension.
  const Extents& counts() const { return counts_; }
  std::int64_t chunk_bytes() const;
  /// Rows that `records` records need.
  std::int64_t rows(std::int64_t records) const;

  /// Receives bytes to be written at `offset` inside chunk number `chunk` (over all rows).
  using Sink =
      std::function<void(std::int64_t chunk, std::int64_t offset, std::span<const std::byte>)>;
  /// Cuts the part `box` of record `record`, held by `data` in C order, into runs. One run per
  /// chunk when the part of the chunk is contiguous in `data` or the part is all of the chunk; else
  /// rows.
  void cut(std::int64_t record, const Box& box, std::span<const std::byte> data,
           const Sink& sink) const;

  /// Chunks that a part of a record touches.
  struct Touched {
    std::int64_t count = 0;
    bool are_whole = true;  ///< the part holds all points of each
  };
  Touched tiles(const Box& box) const;
  /// Cuts a part made of whole chunks of a variable with one record in each: for each chunk copies
  /// its values to what `room()` returns (as long as a chunk; what no point has is 0), then calls
  /// `done(chunk number over all rows)`.
  void copy_tiles(std::int64_t record, const Box& box, std::span<const std::byte> data,
                  const std::function<std::span<std::byte>()>& room,
                  const std::function<void(std::int64_t)>& done) const;

 private:
  struct Tile {
    std::int64_t chunk = 0;
    Box full;    // as stored, may reach past the shape
    Box inside;  // the part of it that has points
  };
  Tile tile(const Extents& position) const;
  /// Positions of the chunks that a part touches.
  Box tiles_of(const Box& box) const;
  /// Values of a chunk, of which `box` has all, where they are stored.
  void copy_tile(const Tile& tile, const Box& box, std::span<const std::byte> data,
                 std::span<std::byte> out) const;
  void cut_tile(const Tile& tile, std::int64_t record, const Box& box,
                std::span<const std::byte> data, const Sink& sink) const;

  Extents shape_;
  Extents chunk_;
  Extents counts_;
  std::int64_t records_per_chunk_;
  std::int64_t value_bytes_;
};

}  // namespace epios::io
