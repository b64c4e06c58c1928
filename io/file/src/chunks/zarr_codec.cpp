// Encodes chunks as codecs of Zarr (of numcodecs and of version 3) store them: an optional shuffle,
// then a zlib or gzip stream, a zstd frame or a Blosc buffer. ChunkCodec, as far as it does so.
#include <libdeflate.h>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

#include "chunks/chunk_codec.hpp"
#include "chunks/zstd_memory.hpp"
#if EPIOS_HAS_BLOSC
#include <blosc.h>
#endif

namespace epios::io {

namespace {

using Method = Compression::Method;
using Shuffle = Compression::Shuffle;

#if EPIOS_HAS_ZSTD
/// Measured (docs/performance.md): shuffled numbers have short matches near by, which a table that
/// fits into the first-level cache finds as well; level 1 is then a fifth faster and 1 % larger.
void set_up(ZSTD_CCtx& context, const Encoding& encoding) {
  const bool is_fast = encoding.level == 1 && encoding.shuffle == Shuffle::byte;
  constexpr int its_own = 0;
  // Within their limits none of these fails.
  for (const auto& [parameter, value] : {std::pair(ZSTD_c_compressionLevel, encoding.level),
                                         std::pair(ZSTD_c_hashLog, is_fast ? 12 : its_own),
                                         std::pair(ZSTD_c_minMatch, is_fast ? 6 : its_own),
                                         std::pair(ZSTD_c_targetLength, is_fast ? 2 : its_own)}) {
    static_cast<void>(ZSTD_CCtx_setParameter(&context, parameter, value));
  }
}
#endif

#if EPIOS_HAS_BLOSC
int blosc_shuffle(Shuffle shuffle) {
  switch (shuffle) {
    case Shuffle::none:
      return BLOSC_NOSHUFFLE;
    case Shuffle::bit:
      return BLOSC_BITSHUFFLE;
    case Shuffle::byte:
      break;
  }
  return BLOSC_SHUFFLE;
}

std::size_t blosc(const Encoding& encoding, std::int64_t value_bytes,
                  std::span<const std::byte> from, std::span<std::byte> to) {
  // With a context of its own for each call: other threads compress at the same time.
  const int bytes = blosc_compress_ctx(
      encoding.level, blosc_shuffle(encoding.shuffle), static_cast<std::size_t>(value_bytes),
      from.size(), from.data(), to.data(), to.size(),
      encoding.method == Method::blosc_lz4 ? BLOSC_LZ4_COMPNAME : BLOSC_ZSTD_COMPNAME, 0, 1);
  return bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}
#endif

}  // namespace

std::string missing_library([[maybe_unused]] Method method) {
#if !EPIOS_HAS_ZSTD
  if (method == Method::zstd) return "libzstd";
#endif
#if !EPIOS_HAS_BLOSC
  if (is_blosc(method)) return "libblosc";
#endif
  return {};
}

std::size_t zarr_bytes_at_most(Method method, std::size_t bytes) {
#if EPIOS_HAS_ZSTD
  if (method == Method::zstd) return ZSTD_compressBound(bytes);
#endif
#if EPIOS_HAS_BLOSC
  if (is_blosc(method)) return bytes + BLOSC_MAX_OVERHEAD;
#endif
  return method == Method::deflate ? libdeflate_gzip_compress_bound(nullptr, bytes) : bytes;
}

ChunkCodec::Encoded ChunkCodec::encode_zarr(const Encoding& encoding, std::int64_t value_bytes,
                                            std::size_t bytes, std::span<std::byte> room) {
  if (shuffled_.size() < bytes) shuffled_.resize(bytes);
  const std::span<std::byte> from = std::span(shuffled_).first(bytes);
  if (encoding.shuffle == Shuffle::byte && !is_blosc(encoding.method)) {
    shuffle_bytes(value_bytes, room.first(bytes), from);
  } else {
    std::copy_n(room.begin(), bytes, from.begin());
  }
  const std::size_t stored = compress_zarr(encoding, value_bytes, from, room);
  if (stored == 0) throw std::runtime_error("a chunk cannot be compressed");
  return {stored, 0};
}

/// Returns 0 if the library fails.
std::size_t ChunkCodec::compress_zarr(const Encoding& encoding, std::int64_t value_bytes,
                                      std::span<const std::byte> from, std::span<std::byte> to) {
  static_cast<void>(value_bytes);
  switch (encoding.method) {
#if EPIOS_HAS_ZSTD
    case Method::zstd: {
      if (!zstd_) zstd_ = std::make_unique<ZstdMemory>();
      if (!zstd_->context) throw std::bad_alloc();
      set_up(*zstd_->context, encoding);
      // At once: readers before numcodecs 0.16.2 need a frame that says its size.
      const std::size_t bytes =
          ZSTD_compress2(zstd_->context.get(), to.data(), to.size(), from.data(), from.size());
      return ZSTD_isError(bytes) != 0 ? 0 : bytes;
    }
#endif
#if EPIOS_HAS_BLOSC
    case Method::blosc_lz4:
    case Method::blosc_zstd:
      return blosc(encoding, value_bytes, from, to);
#endif
    case Method::deflate: {
      const std::size_t bytes = deflate(encoding.level, from, to, encoding.is_gzip);
      // ISA-L may need more room than there is for what cannot be made smaller.
      return bytes > 0 ? bytes : deflate(2, from, to, encoding.is_gzip);
    }
    default:
      return 0;
  }
}

}  // namespace epios::io
