// Encodes and decodes chunks with the same bytes as HDF5's filters, without HDF5, so that several
// threads can work: shuffle, then deflate or a plug-in.
#include "chunks/chunk_codec.hpp"

#include <isa-l/igzip_lib.h>
#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

#include "chunks/plugin_filter.hpp"
#include "chunks/zstd_memory.hpp"
#include "config/index.hpp"

namespace epios::io {

namespace {

// Filters are numbered in their order: shuffle, deflate.
constexpr std::uint32_t deflate_bit = 1U << 1U;

// Numbers instead of bytes, and no branch: compilers make vector instructions of it.
template <class Value, std::size_t Size = sizeof(Value)>
void shuffle_values(std::span<const std::byte> from, std::span<std::byte> to) {
  const std::size_t count = from.size() / Size;
  // A block that fits into the first-level cache of a processor.
  constexpr std::size_t block = 2048;
  std::array<Value, block> values{};
  for (std::size_t begin = 0; begin < count; begin += block) {
    const std::size_t length = std::min(block, count - begin);
    std::memcpy(values.data(), from.data() + begin * Size, length * Size);
    for (std::size_t b = 0; b < Size; ++b) {
      std::byte* out = to.data() + b * count + begin;
      for (std::size_t i = 0; i < length; ++i)
        out[i] = static_cast<std::byte>(values[i] >> (8 * b));
    }
  }
}

template <class Value, std::size_t Size = sizeof(Value)>
void unshuffle_values(std::span<const std::byte> from, std::span<std::byte> to) {
  const std::size_t count = from.size() / Size;
  constexpr std::size_t block = 2048;
  std::array<Value, block> values{};
  for (std::size_t begin = 0; begin < count; begin += block) {
    const std::size_t length = std::min(block, count - begin);
    std::fill_n(values.begin(), length, Value{0});
    for (std::size_t b = 0; b < Size; ++b) {
      const std::byte* in = from.data() + b * count + begin;
      for (std::size_t i = 0; i < length; ++i) {
        values[i] = static_cast<Value>(values[i] | static_cast<Value>(in[i]) << (8 * b));
      }
    }
    std::memcpy(to.data() + begin * Size, values.data(), length * Size);
  }
}

}  // namespace

struct ChunkCodec::Deflaters {
  struct Free {
    void operator()(libdeflate_compressor* compressor) const {
      libdeflate_free_compressor(compressor);
    }
  };
  /// By level, made when it is first asked for.
  std::array<std::unique_ptr<libdeflate_compressor, Free>, 10> exact;
  struct FreeInflater {
    void operator()(libdeflate_decompressor* decompressor) const {
      libdeflate_free_decompressor(decompressor);
    }
  };
  std::unique_ptr<libdeflate_decompressor, FreeInflater> inflater;
  /// Memory of the fast one.
  std::vector<std::uint8_t> fast;
};

ChunkCodec::ChunkCodec() : deflaters_(std::make_unique<Deflaters>()) {}
ChunkCodec::~ChunkCodec() = default;

void shuffle_bytes(std::int64_t value_bytes, std::span<const std::byte> from,
                   std::span<std::byte> to) {
  switch (value_bytes) {
    case 2:
      return shuffle_values<std::uint16_t>(from, to);
    case 4:
      return shuffle_values<std::uint32_t>(from, to);
    case 8:
      return shuffle_values<std::uint64_t>(from, to);
    default:
      std::copy(from.begin(), from.end(), to.begin());
  }
}

void unshuffle_bytes(std::int64_t value_bytes, std::span<const std::byte> from,
                     std::span<std::byte> to) {
  switch (value_bytes) {
    case 2:
      return unshuffle_values<std::uint16_t>(from, to);
    case 4:
      return unshuffle_values<std::uint32_t>(from, to);
    case 8:
      return unshuffle_values<std::uint64_t>(from, to);
    default:
      std::copy(from.begin(), from.end(), to.begin());
  }
}

bool ChunkCodec::decode(const Filters& filters, std::int64_t value_bytes,
                        std::span<const std::byte> stored, std::span<std::byte> chunk) {
  std::span<const std::byte> values = stored;
  if (filters.deflate) {
    if (!deflaters_->inflater) deflaters_->inflater.reset(libdeflate_alloc_decompressor());
    if (!deflaters_->inflater) return false;
    if (filters.shuffle && shuffled_.size() < chunk.size()) shuffled_.resize(chunk.size());
    const std::span<std::byte> to =
        filters.shuffle ? std::span(shuffled_).first(chunk.size()) : chunk;
    std::size_t bytes = 0;
    if (libdeflate_zlib_decompress(deflaters_->inflater.get(), stored.data(), stored.size(),
                                   to.data(), to.size(), &bytes) != LIBDEFLATE_SUCCESS) {
      return false;
    }
    values = to.first(bytes);
  }
  if (values.size() != chunk.size()) return false;
  if (filters.shuffle) {
    unshuffle_bytes(value_bytes, values, chunk);
  } else if (values.data() != chunk.data()) {
    std::copy(values.begin(), values.end(), chunk.begin());
  }
  return true;
}

ChunkCodec::Encoded ChunkCodec::encode(const Encoding& encoding, std::int64_t value_bytes,
                                       std::span<std::byte> chunk) {
  if (encoding.plugin != nullptr) return encode_by(*encoding.plugin, value_bytes, chunk);
  if (shuffled_.size() < chunk.size()) shuffled_.resize(chunk.size());
  const std::span<std::byte> shuffled = std::span(shuffled_).first(chunk.size());
  shuffle_bytes(value_bytes, chunk, shuffled);
  const std::size_t bytes = deflate(encoding.level, shuffled, chunk);
  if (bytes > 0) return {bytes, 0};
  std::copy(shuffled.begin(), shuffled.end(), chunk.begin());
  return {chunk.size(), deflate_bit};
}

/// If a plug-in has the pipeline to itself, its filter is the first one, otherwise the one after
/// shuffle.
ChunkCodec::Encoded ChunkCodec::encode_by(const PluginFilter& plugin, std::int64_t value_bytes,
                                          std::span<std::byte> chunk) {
  if (!plugin.shuffles()) {
    const std::size_t bytes = plugin.encode(chunk, chunk);
    if (bytes > 0) return {bytes, 0};
    return {chunk.size(), 1};
  }
  if (shuffled_.size() < chunk.size()) shuffled_.resize(chunk.size());
  const std::span<std::byte> shuffled = std::span(shuffled_).first(chunk.size());
  shuffle_bytes(value_bytes, chunk, shuffled);
  const std::size_t bytes = plugin.encode(shuffled, chunk);
  if (bytes > 0) return {bytes, 0};
  std::copy(shuffled.begin(), shuffled.end(), chunk.begin());
  return {chunk.size(), 2};
}

/// Bytes of the stream (RFC 1950, or RFC 1952); 0 when there is no room for it.
std::size_t ChunkCodec::deflate(int level, std::span<const std::byte> from, std::span<std::byte> to,
                                bool is_gzip) {
  // Measured (docs/performance.md): at level 1 ISA-L is many times as fast as any other, and has
  // nothing to offer to those who ask for more than that.
  if (level <= 1) {
    deflaters_->fast.resize(ISAL_DEF_LVL1_DEFAULT);
    isal_zstream stream{};
    isal_deflate_stateless_init(&stream);
    stream.level = 1;
    stream.level_buf = deflaters_->fast.data();
    stream.level_buf_size = static_cast<std::uint32_t>(deflaters_->fast.size());
    stream.gzip_flag = is_gzip ? IGZIP_GZIP : IGZIP_ZLIB;
    stream.end_of_stream = 1;
    // The library does not write to what it reads.
    stream.next_in = const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(from.data()));
    stream.avail_in = static_cast<std::uint32_t>(from.size());
    stream.next_out = reinterpret_cast<std::uint8_t*>(to.data());
    stream.avail_out = static_cast<std::uint32_t>(to.size());
    if (isal_deflate_stateless(&stream) != COMP_OK || stream.avail_in != 0) return 0;
    return stream.total_out;
  }
  auto& compressor = nth(deflaters_->exact, std::min(level, 9));
  if (!compressor) compressor.reset(libdeflate_alloc_compressor(std::min(level, 9)));
  if (!compressor) throw std::bad_alloc();
  const auto call = is_gzip ? libdeflate_gzip_compress : libdeflate_zlib_compress;
  return call(compressor.get(), from.data(), from.size(), to.data(), to.size());
}

}  // namespace epios::io
