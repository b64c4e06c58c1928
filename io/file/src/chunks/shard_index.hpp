/// @file
/// Shards of Zarr version 3 (codec sharding_indexed): many chunks in one file, and where they are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "grid/box.hpp"
#include "grid/index.hpp"

namespace epios::io {

/// CRC-32C (RFC 3720) of some bytes.
std::uint32_t crc32c(std::span<const std::byte> bytes);
/// The four bytes that the codec crc32c puts behind others.
using Checksum = std::array<std::byte, 4>;
Checksum checksum_of(std::span<const std::byte> bytes);
/// Returns the bytes before a checksum; nothing if it is not theirs.
std::optional<std::span<const std::byte>> without_checksum(std::span<const std::byte> bytes);

/// Where a chunk is in its file. One that is not there has nothing but fill values.
struct ShardEntry {
  static constexpr std::uint64_t absent = ~std::uint64_t{0};
  std::uint64_t offset = absent;
  std::uint64_t bytes = absent;
  bool is_there() const { return offset != absent || bytes != absent; }
};
/// One entry for each chunk of a shard, in C order, also for those beyond the edge of the array.
using ShardIndex = std::vector<ShardEntry>;

struct ShardLayout {
  Extents chunks;  ///< number along each dimension
  bool is_index_first = false;
  bool has_checksum = true;

  std::uint64_t index_bytes() const;
  /// Returns the place in the index of the chunk at a position, counted over the whole array.
  template <class Position>
  std::size_t entry(const Position& position) const {
    std::int64_t out = 0;
    for (std::size_t d = 0; d < chunks.size(); ++d) {
      out = out * chunks[d] + position[d] % chunks[d];
    }
    return as_index(out);
  }
};

/// Returns an index as it stands in a file, with its checksum.
std::vector<std::byte> encoded_index(const ShardIndex& index);
/// Reads the index of an open file. Returns errno, or EBADMSG for one that no writer has made.
int read_shard_index(int descriptor, const ShardLayout& layout, ShardIndex& index);
/// Reads exactly these bytes of an open file; returns errno, or EIO if it has fewer.
int read_exactly(int descriptor, std::span<std::byte> bytes, std::uint64_t offset);

}  // namespace epios::io
