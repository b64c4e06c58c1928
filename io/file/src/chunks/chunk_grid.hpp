/// @file
/// Places of the points of a record variable in a file: chunks, and the runs of bytes in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "grid/box.hpp"

namespace epios::io {

/// The chunks of one record variable. A chunk holds `records_per_chunk` records of one tile of the
/// index space. The chunks with the same records form a row and are numbered in C order.
class ChunkGrid {
 public:
  /// `chunk` has the rank of `shape` and does not exceed it in any dimension.
  ChunkGrid(Extents shape, Extents chunk, std::int64_t records_per_chunk, std::int64_t value_bytes);

  const Extents& shape() const { return shape_; }
  const Extents& chunk() const { return chunk_; }
  std::int64_t records_per_chunk() const { return records_per_chunk_; }
  std::int64_t value_bytes() const { return value_bytes_; }
  std::int64_t points() const { return volume(shape_); }
  /// Returns the number of chunks of one row.
  std::int64_t chunks_per_row() const { return volume(counts_); }
  /// Returns the number of chunks in each dimension.
  const Extents& counts() const { return counts_; }
  std::int64_t chunk_bytes() const;
  /// Returns the number of rows that `records` records need.
  std::int64_t rows(std::int64_t records) const;

  /// Receives bytes to be written at `offset` inside chunk number `chunk` (over all rows).
  using Sink =
      std::function<void(std::int64_t chunk, std::int64_t offset, std::span<const std::byte>)>;
  /// Cuts the part `box` of record `record`, held by `data` in C order, into runs: one run per
  /// chunk if its part is contiguous in `data` or is the whole chunk, otherwise rows.
  void cut(std::int64_t record, const Box& box, std::span<const std::byte> data,
           const Sink& sink) const;

  /// The chunks that a part of a record touches.
  struct Touched {
    std::int64_t count = 0;
    bool are_whole = true;  ///< the part has all points of each of them
  };
  Touched tiles(const Box& box) const;
  /// Cuts a part that has all points of a record of each chunk that it touches. For each chunk,
  /// whose number over all rows is `chunk`, it copies the values to the result of `room(chunk)` (as
  /// long as one record of a chunk; 0 where there is no point), then calls `done(chunk)`.
  void copy_tiles(std::int64_t record, const Box& box, std::span<const std::byte> data,
                  const std::function<std::span<std::byte>(std::int64_t)>& room,
                  const std::function<void(std::int64_t)>& done) const;

 private:
  struct Tile {
    std::int64_t chunk = 0;
    Box full;    // as stored; may exceed the shape
    Box inside;  // the part of it that has points
  };
  Tile tile(const Extents& position) const;
  /// Returns the positions of the chunks that a part touches.
  Box tiles_of(const Box& box) const;
  /// Copies the values of a chunk, which `box` contains completely, to their stored places.
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
