/// @file
/// Chunks of stores of Zarr, decoded: what the codecs of numcodecs and of version 3 have made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace epios::io {

/// The codecs of an array, as far as they are known here.
struct ZarrPipeline {
  enum class Compressor : std::uint8_t { none, zlib, gzip, zstd, blosc };
  Compressor compressor = Compressor::none;
  /// Bytes of the elements of the shuffle filter before the compressor; 0 without one.
  std::int64_t shuffle = 0;
  bool has_checksum = false;  ///< behind everything, of version 3: CRC-32C

  bool is_plain() const { return compressor == Compressor::none && shuffle == 0; }
};

/// Returns the library that decodes a compressor and that this library is built without, or "".
std::string missing_library(ZarrPipeline::Compressor compressor);

/// One decoder per thread; it keeps its working memory.
class ZarrDecoder {
 public:
  ZarrDecoder();
  ZarrDecoder(const ZarrDecoder&) = delete;
  ZarrDecoder(ZarrDecoder&&) = delete;
  ZarrDecoder& operator=(const ZarrDecoder&) = delete;
  ZarrDecoder& operator=(ZarrDecoder&&) = delete;
  ~ZarrDecoder();

  /// Decodes `stored` into `chunk`, which is as long as a chunk. Returns false if `stored` is not
  /// what the codecs make of so many bytes.
  bool decode(const ZarrPipeline& pipeline, std::span<const std::byte> stored,
              std::span<std::byte> chunk);

 private:
  bool decompress(ZarrPipeline::Compressor compressor, std::span<const std::byte> stored,
                  std::span<std::byte> to);

  struct Memory;
  std::unique_ptr<Memory> memory_;
  std::vector<std::byte> shuffled_;
};

}  // namespace epios::io
