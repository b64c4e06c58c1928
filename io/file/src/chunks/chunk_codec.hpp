/// @file
/// Chunks as HDF5's filters store them: shuffle, deflate and plug-ins, encoded and decoded without
/// HDF5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "file/compressors.hpp"

namespace epios::io {

struct ZstdMemory;

/// Returns the largest size of a chunk of `bytes` bytes that encode_zarr() has encoded.
std::size_t zarr_bytes_at_most(Compression::Method method, std::size_t bytes);
/// True for the methods of Blosc, which shuffles itself.
inline bool is_blosc(Compression::Method method) {
  return method == Compression::Method::blosc_lz4 || method == Compression::Method::blosc_zstd;
}
/// Returns the library of a method of Zarr that this library is built without, or "".
std::string missing_library(Compression::Method method);

/// One codec per thread; it keeps its working memory.
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
    std::uint32_t skipped_filters = 0;  ///< HDF5's filter mask: bit n for filter n of the pipeline
  };
  /// Replaces the values in `chunk` by their stored form, at its front. A chunk that does not get
  /// smaller is stored without the compressing filter. The result depends on the arguments only,
  /// except for level 1, where it may also depend on the kind of processor (the values read back do
  /// not).
  Encoded encode(const Encoding& encoding, std::int64_t value_bytes, std::span<std::byte> chunk);

  /// Replaces the values in the first `bytes` of `room` by the stream of one of Zarr's codecs,
  /// after its shuffle. `room` has zarr_bytes_at_most() bytes.
  Encoded encode_zarr(const Encoding& encoding, std::int64_t value_bytes, std::size_t bytes,
                      std::span<std::byte> room);

  /// The filters that a chunk has passed, in this order.
  struct Filters {
    bool shuffle = true;
    bool deflate = true;
  };
  /// Decodes a chunk from the output of its filters. Returns false if `stored` is invalid.
  bool decode(const Filters& filters, std::int64_t value_bytes, std::span<const std::byte> stored,
              std::span<std::byte> chunk);

 private:
  Encoded encode_by(const PluginFilter& plugin, std::int64_t value_bytes,
                    std::span<std::byte> chunk);
  std::size_t deflate(int level, std::span<const std::byte> from, std::span<std::byte> to,
                      bool is_gzip = false);

  std::size_t compress_zarr(const Encoding& encoding, std::int64_t value_bytes,
                            std::span<const std::byte> from, std::span<std::byte> to);

  struct Deflaters;
  std::unique_ptr<Deflaters> deflaters_;
  std::unique_ptr<ZstdMemory> zstd_;
  std::vector<std::byte> shuffled_;
};

/// Reverses shuffle_bytes(): `from` is shuffled, `to` gets the values.
void unshuffle_bytes(std::int64_t value_bytes, std::span<const std::byte> from,
                     std::span<std::byte> to);

/// Applies HDF5's shuffle: first bytes of all values, second bytes of all values ... `to` is as
/// long as `from`; both hold whole values.
void shuffle_bytes(std::int64_t value_bytes, std::span<const std::byte> from,
                   std::span<std::byte> to);

}  // namespace epios::io
