#include "chunks/zarr_decoder.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <new>

#include "chunks/chunk_codec.hpp"
#include "chunks/shard_index.hpp"
#if EPIOS_HAS_ZSTD
#include <zstd.h>
#endif
#if EPIOS_HAS_BLOSC
#include <blosc.h>
#endif

namespace epios::io {

struct ZarrDecoder::Memory {
  struct Free {
    void operator()(libdeflate_decompressor* its) const { libdeflate_free_decompressor(its); }
#if EPIOS_HAS_ZSTD
    // It returns an error for no context at all only.
    void operator()(ZSTD_DCtx* context) const { static_cast<void>(ZSTD_freeDCtx(context)); }
#endif
  };
  std::unique_ptr<libdeflate_decompressor, Free> inflater;
#if EPIOS_HAS_ZSTD
  std::unique_ptr<ZSTD_DCtx, Free> zstd;
#endif
};

std::string missing_library([[maybe_unused]] ZarrPipeline::Compressor compressor) {
#if !EPIOS_HAS_ZSTD
  if (compressor == ZarrPipeline::Compressor::zstd) return "libzstd";
#endif
#if !EPIOS_HAS_BLOSC
  if (compressor == ZarrPipeline::Compressor::blosc) return "libblosc";
#endif
  return {};
}

ZarrDecoder::ZarrDecoder() : memory_(std::make_unique<Memory>()) {}
ZarrDecoder::~ZarrDecoder() = default;

bool ZarrDecoder::decompress(ZarrPipeline::Compressor compressor, std::span<const std::byte> stored,
                             std::span<std::byte> to) {
  using Compressor = ZarrPipeline::Compressor;
  switch (compressor) {
    case Compressor::none:
      if (stored.size() != to.size()) return false;
      std::copy(stored.begin(), stored.end(), to.begin());
      return true;
    case Compressor::zlib:
    case Compressor::gzip: {
      auto& inflater = memory_->inflater;
      if (!inflater) inflater.reset(libdeflate_alloc_decompressor());
      if (!inflater) throw std::bad_alloc();
      const auto call =
          compressor == Compressor::zlib ? libdeflate_zlib_decompress : libdeflate_gzip_decompress;
      // Without room for a count, anything but exactly so many bytes is an error.
      return call(inflater.get(), stored.data(), stored.size(), to.data(), to.size(), nullptr) ==
             LIBDEFLATE_SUCCESS;
    }
    case Compressor::zstd: {
#if EPIOS_HAS_ZSTD
      if (!memory_->zstd) memory_->zstd.reset(ZSTD_createDCtx());
      if (!memory_->zstd) throw std::bad_alloc();
      return ZSTD_decompressDCtx(memory_->zstd.get(), to.data(), to.size(), stored.data(),
                                 stored.size()) == to.size();
#else
      return false;
#endif
    }
    case Compressor::blosc: {
#if EPIOS_HAS_BLOSC
      std::size_t bytes = 0;
      // It believes the lengths in the header of what it decompresses.
      return blosc_cbuffer_validate(stored.data(), stored.size(), &bytes) == 0 &&
             bytes == to.size() &&
             blosc_decompress_ctx(stored.data(), to.data(), to.size(), 1) ==
                 static_cast<int>(to.size());
#else
      return false;
#endif
    }
  }
  return false;
}

bool ZarrDecoder::decode(const ZarrPipeline& pipeline, std::span<const std::byte> stored,
                         std::span<std::byte> chunk) {
  if (pipeline.has_checksum) {
    const auto checked = without_checksum(stored);
    if (!checked) return false;
    stored = *checked;
  }
  if (pipeline.shuffle <= 1) return decompress(pipeline.compressor, stored, chunk);
  if (shuffled_.size() < chunk.size()) shuffled_.resize(chunk.size());
  const std::span<std::byte> shuffled = std::span(shuffled_).first(chunk.size());
  if (!decompress(pipeline.compressor, stored, shuffled)) return false;
  unshuffle_bytes(pipeline.shuffle, shuffled, chunk);
  return true;
}

}  // namespace epios::io
