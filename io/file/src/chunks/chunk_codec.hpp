/// @file
/// Chunks as HDF5's filters store them: shuffle and deflate, made and read without HDF5, and those
/// that are plug-ins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "file/compressors.hpp"

namespace epios::io {

/// One per thread: keeps the memory that it works in.
class ChunkCodec {
 public:
  ChunkCodec();
  ChunkCodec(const ChunkCodec&) = delete;
  ChunkCodec(ChunkCodec&&) = delete;
  ChunkCodec& operator=(const ChunkCodec&) = delete;
  ChunkCodec& operator=(ChunkCodec&&) = delete;
  ~ChunkCodec();

  struct Encoded {
    std::size_t bytes = 0;
    std::uint32_t skipped_filters = 0;  ///< HDF5's filter mask: bit n, filter n of the pipeline
  };
  /// Replaces the values in `chunk` by what is stored of them, at its front. A chunk that does not
  /// get smaller is stored without the filter that compresses. The result depends on the arguments
  /// alone, but for level 1, where it may also depend on the kind of processor (what is read back
  /// does not).
  Encoded encode(const Encoding& encoding, std::int64_t value_bytes, std::span<std::byte> chunk);

  /// Filters that a chunk has gone through, in this order.
  struct Filters {
    bool shuffle = true;
    bool deflate = true;
  };
  /// The values of a chunk of which `stored` is what the filters made; false: they did not.
  bool decode(const Filters& filters, std::int64_t value_bytes, std::span<const std::byte> stored,
              std::span<std::byte> chunk);

 private:
  Encoded encode_by(const PluginFilter& plugin, std::int64_t value_bytes,
                    std::span<std::byte> chunk);
  std::size_t deflate(int level, std::span<const std::byte> from, std::span<std::byte> to);

  struct Deflaters;
  std::unique_ptr<Deflaters> deflaters_;
  std::vector<std::byte> shuffled_;
};

/// The other way round: `from` is shuffled, `to` the values.
void unshuffle_bytes(std::int64_t value_bytes, std::span<const std::byte> from,
                     std::span<std::byte> to);

/// HDF5's shuffle: first bytes of all values, second bytes of all values ...; `to` is as long as
/// `from`, whole values.
void shuffle_bytes(std::int64_t value_bytes, std::span<const std::byte> from,
                   std::span<std::byte> to);

}  // namespace epios::io
