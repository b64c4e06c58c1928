#include "chunks/shard_index.hpp"

#include <isa-l/crc.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <tuple>

namespace epios::io {

namespace {

void put_little(std::uint64_t value, std::span<std::byte> to) {
  for (std::byte& byte : to) {
    byte = static_cast<std::byte>(value & 0xffU);
    value >>= 8U;
  }
}

std::uint64_t little(std::span<const std::byte> from) {
  std::uint64_t value = 0;
  for (std::size_t b = from.size(); b-- > 0;) {
    value = value << 8U | std::to_integer<std::uint64_t>(from[b]);
  }
  return value;
}

constexpr std::size_t word = 8;

}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes) {
  constexpr std::size_t most = std::size_t{1} << 30;  // the library counts in an int
  std::uint32_t crc = ~std::uint32_t{0};
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(bytes.size(), most));
    // The library does not write to what it reads.
    auto* const data =
        const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(part.data()));
    crc = ::crc32_iscsi(data, static_cast<int>(part.size()), crc);
    bytes = bytes.subspan(part.size());
  }
  return ~crc;
}

Checksum checksum_of(std::span<const std::byte> bytes) {
  Checksum out{};
  put_little(crc32c(bytes), out);
  return out;
}

std::optional<std::span<const std::byte>> without_checksum(std::span<const std::byte> bytes) {
  constexpr std::size_t size = std::tuple_size_v<Checksum>;
  if (bytes.size() < size) return std::nullopt;
  const auto front = bytes.first(bytes.size() - size);
  if (little(bytes.last(size)) != crc32c(front)) return std::nullopt;
  return front;
}

std::uint64_t ShardLayout::index_bytes() const {
  return static_cast<std::uint64_t>(volume(chunks)) * 2 * word + (has_checksum ? 4 : 0);
}

std::vector<std::byte> encoded_index(const ShardIndex& index) {
  std::vector<std::byte> out(index.size() * 2 * word);
  for (std::size_t e = 0; e < index.size(); ++e) {
    const std::span<std::byte> to = std::span(out).subspan(e * 2 * word, 2 * word);
    put_little(index[e].offset, to.first(word));
    put_little(index[e].bytes, to.last(word));
  }
  const Checksum checksum = checksum_of(out);
  out.insert(out.end(), checksum.begin(), checksum.end());
  return out;
}

int read_exactly(int descriptor, std::span<std::byte> bytes, std::uint64_t offset) {
  while (!bytes.empty()) {
    const ssize_t got = ::pread(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) return EIO;  // it has become shorter
    bytes = bytes.subspan(as_index(got));
    offset += static_cast<std::uint64_t>(got);
  }
  return 0;
}

int read_shard_index(int descriptor, const ShardLayout& layout, ShardIndex& index) {
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0) return errno;
  const auto file = static_cast<std::uint64_t>(status.st_size);
  const std::uint64_t bytes = layout.index_bytes();
  if (file < bytes) return EBADMSG;
  std::vector<std::byte> stored(bytes);
  if (const int error = read_exactly(descriptor, stored, layout.is_index_first ? 0 : file - bytes);
      error != 0) {
    return error;
  }
  std::span<const std::byte> words = stored;
  if (layout.has_checksum) {
    const auto checked = without_checksum(stored);
    if (!checked) return EBADMSG;
    words = *checked;
  }
  index.assign(words.size() / (2 * word), {});
  for (std::size_t e = 0; e < index.size(); ++e) {
    ShardEntry& entry = index[e];
    entry.offset = little(words.subspan(e * 2 * word, word));
    entry.bytes = little(words.subspan(e * 2 * word + word, word));
    if (entry.is_there() && (entry.offset > file || entry.bytes > file - entry.offset)) {
      return EBADMSG;
    }
  }
  return 0;
}

}  // namespace epios::io
