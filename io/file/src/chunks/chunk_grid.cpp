// Cuts slabs into the chunks of a variable. For each chunk it finds which values of the slab belong
// there, as runs that are contiguous on both sides.
#include "chunks/chunk_grid.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace epios::io {

namespace {

std::size_t index(std::int64_t value) { return static_cast<std::size_t>(value); }

// Offset of a point in the array that holds `box`, in points.
std::int64_t offset_in(const Box& box, const Extents& point) {
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < box.rank(); ++d) {
    offset = offset * box.size[d] + (point[d] - box.begin[d]);
  }
  return offset;
}

// Next position in C order inside [begin, begin + size) over the first `dimensions` ones.
bool advance(Extents& position, const Extents& begin, const Extents& size, std::size_t dimensions) {
  for (std::size_t d = dimensions; d-- > 0;) {
    if (++position[d] < begin[d] + size[d]) return true;
    position[d] = begin[d];
  }
  return false;
}

// Calls `run(point, count)` for every run of `region` along the fastest dimension.
template <class Run>
void for_each_run(const Box& region, Run run) {
  Extents point = region.begin;
  const std::size_t outer = region.rank() == 0 ? 0 : region.rank() - 1;
  const std::int64_t count = region.rank() == 0 ? 1 : region.size.back();
  do {
    run(point, count);
  } while (advance(point, region.begin, region.size, outer));
}

}  // namespace

ChunkGrid::ChunkGrid(Extents shape, Extents chunk, std::int64_t records_per_chunk,
                     std::int64_t value_bytes)
    : shape_(std::move(shape)),
      chunk_(std::move(chunk)),
      records_per_chunk_(records_per_chunk),
      value_bytes_(value_bytes) {
  counts_.resize(shape_.size());
  for (std::size_t d = 0; d < shape_.size(); ++d) {
    counts_[d] = (shape_[d] + chunk_[d] - 1) / chunk_[d];
  }
}

std::int64_t ChunkGrid::chunk_bytes() const {
  return volume(chunk_) * records_per_chunk_ * value_bytes_;
}

std::int64_t ChunkGrid::rows(std::int64_t records) const {
  return (records + records_per_chunk_ - 1) / records_per_chunk_;
}

ChunkGrid::Tile ChunkGrid::tile(const Extents& position) const {
  Tile out;
  out.full = {Extents(shape_.size()), chunk_};
  out.inside = out.full;
  for (std::size_t d = 0; d < shape_.size(); ++d) {
    out.chunk = out.chunk * counts_[d] + position[d];
    out.full.begin[d] = out.inside.begin[d] = position[d] * chunk_[d];
    out.inside.size[d] = std::min(chunk_[d], shape_[d] - out.full.begin[d]);
  }
  return out;
}

void ChunkGrid::cut(std::int64_t record, const Box& box, std::span<const std::byte> data,
                    const Sink& sink) const {
  if (box.is_empty()) return;
  const Box tiles = tiles_of(box);
  Extents position = tiles.begin;
  do {
    cut_tile(tile(position), record, box, data, sink);
  } while (advance(position, tiles.begin, tiles.size, tiles.rank()));
}

Box ChunkGrid::tiles_of(const Box& box) const {
  Box tiles = {Extents(shape_.size()), Extents(shape_.size())};
  for (std::size_t d = 0; d < shape_.size(); ++d) {
    tiles.begin[d] = box.begin[d] / chunk_[d];
    tiles.size[d] = (box.begin[d] + box.size[d] - 1) / chunk_[d] - tiles.begin[d] + 1;
  }
  return tiles;
}

ChunkGrid::Touched ChunkGrid::tiles(const Box& box) const {
  Touched out;
  if (box.is_empty()) return out;
  out.count = tiles_of(box).volume();
  for (std::size_t d = 0; d < shape_.size(); ++d) {
    const std::int64_t end = box.begin[d] + box.size[d];
    out.are_whole = out.are_whole && box.begin[d] % chunk_[d] == 0 &&
                    (end == shape_[d] || end % chunk_[d] == 0);
  }
  return out;
}

void ChunkGrid::copy_tiles(std::int64_t record, const Box& box, std::span<const std::byte> data,
                           const std::function<std::span<std::byte>(std::int64_t)>& room,
                           const std::function<void(std::int64_t)>& done) const {
  if (box.is_empty()) return;
  const Box tiles = tiles_of(box);
  Extents position = tiles.begin;
  do {
    const Tile next = tile(position);
    const std::int64_t chunk = record / records_per_chunk_ * chunks_per_row() + next.chunk;
    copy_tile(next, box, data, room(chunk));
    done(chunk);
  } while (advance(position, tiles.begin, tiles.size, tiles.rank()));
}

void ChunkGrid::copy_tile(const Tile& tile, const Box& box, std::span<const std::byte> data,
                          std::span<std::byte> out) const {
  const auto bytes = [this](std::int64_t points) { return index(points * value_bytes_); };
  const auto from = contiguous_offset(box, tile.inside);
  if (from && tile.inside == tile.full) {
    std::memcpy(out.data(), data.data() + bytes(*from), out.size());
    return;
  }
  if (tile.inside != tile.full) std::fill(out.begin(), out.end(), std::byte{0});
  for_each_run(tile.inside, [&](const Extents& point, std::int64_t count) {
    std::memcpy(out.data() + bytes(offset_in(tile.full, point)),
                data.data() + bytes(offset_in(box, point)), bytes(count));
  });
}

void ChunkGrid::cut_tile(const Tile& tile, std::int64_t record, const Box& box,
                         std::span<const std::byte> data, const Sink& sink) const {
  const Box region = *intersect(tile.inside, box);
  const std::int64_t chunk = record / records_per_chunk_ * chunks_per_row() + tile.chunk;
  const std::int64_t base = record % records_per_chunk_ * volume(chunk_) * value_bytes_;
  const auto bytes = [this](std::int64_t points) { return index(points * value_bytes_); };

  const auto from = contiguous_offset(box, region);
  const auto to = contiguous_offset(tile.full, region);
  if (from && to) {
    sink(chunk, base + *to * value_bytes_, data.subspan(bytes(*from), bytes(region.volume())));
    return;
  }
  if (region ==
      tile.inside) {  // all points of the chunk: one write of the whole tile, padding zero
    std::vector<std::byte> whole_tile(bytes(tile.full.volume()));
    copy_tile(tile, box, data, whole_tile);
    sink(chunk, base, whole_tile);
    return;
  }
  for_each_run(region, [&](const Extents& point, std::int64_t count) {
    sink(chunk, base + offset_in(tile.full, point) * value_bytes_,
         data.subspan(bytes(offset_in(box, point)), bytes(count)));
  });
}

}  // namespace epios::io
