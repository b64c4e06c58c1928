/// @file
/// The byte codec of everything that travels: explicitly little-endian, bounds-checked.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "config/error.hpp"

namespace epios::config {

static_assert(std::endian::native == std::endian::little,
              "big-endian hosts need byte swapping here");

/// Appends values to a byte vector. Strings and arrays are preceded by their 64-bit length.
class ByteWriter {
 public:
  ByteWriter() = default;
  /// Replaces what `room` holds: nothing is allocated while its capacity suffices.
  explicit ByteWriter(std::vector<std::byte> room) : bytes_(std::move(room)) { bytes_.clear(); }

  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void put(T value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof(T));
  }
  void put(std::string_view text) { put(std::as_bytes(std::span(text.data(), text.size()))); }
  template <class T>
  requires(std::is_trivially_copyable_v<T>) void put(std::span<const T> values) {
    put(static_cast<std::uint64_t>(values.size()));
    const auto bytes = std::as_bytes(values);
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  template <class T>
  requires(std::is_trivially_copyable_v<T>) void put(const std::vector<T>& values) {
    put(std::span<const T>(values));
  }
  std::vector<std::byte> take() { return std::move(bytes_); }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// Reads what ByteWriter wrote. Every read is checked: throws Error{protocol} instead of reading
/// past the end or allocating more than the bytes that are there.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  /// A bool is read as std::uint8_t, since a damaged byte is none.
  template <class T>
  requires((std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) || std::is_enum_v<T>) T get() {
    T value;
    std::memcpy(&value, advance(sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::string get_string() {
    const auto bytes = advance(get_length(1));
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  template <class T>
  std::vector<T> get_vector() {
    const std::size_t count = get_length(sizeof(T));
    std::vector<T> values(count);
    const auto bytes = advance(count * sizeof(T));
    if (count > 0) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  /// Reads the number of items that follow, each of at least `min_bytes_each` bytes.
  std::size_t get_length(std::size_t min_bytes_each) {
    const auto count = get<std::uint64_t>();
    if (min_bytes_each > 0 && count > bytes_.size() / min_bytes_each) fail();
    return static_cast<std::size_t>(count);
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  [[noreturn]] static void fail() {
    throw Error(ErrorCode::protocol,
                "message is shorter than it says (damaged, or made by another version of EPIOS). "
                "Are all programs of this job linked with the same EPIOS?");
  }
  std::span<const std::byte> advance(std::size_t count) {
    if (count > bytes_.size()) fail();
    const auto out = bytes_.first(count);
    bytes_ = bytes_.subspan(count);
    return out;
  }

  std::span<const std::byte> bytes_;
};

}  // namespace epios::config
