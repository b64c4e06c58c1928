/// @file
/// Messages described once: a function `fields` beside each type lists its members in their order
/// on the wire, and FieldWriter, FieldReader and FieldMeasure walk it.
///
///     template <class Archive>
///     void fields(Archive& archive, Described<Remark> auto& remark) {
///       archive(remark.file, remark.what, remark.examples);
///     }
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "config/bytes.hpp"

namespace epios::config {

/// A `T`, const for archives that write and not for those that read.
template <class M, class T>
concept Described = std::is_same_v<std::remove_const_t<M>, T>;

/// True if a value of the type is its own bytes, alone and in arrays: numbers and enumerators.
template <class T>
inline constexpr bool is_plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// True if `fields` describes the type, found in the namespace of the type.
template <class Archive, class T>
concept HasFields = requires(Archive& archive, T& value) {
  fields(archive, value);
};

/// Appends what `fields` lists to a ByteWriter. Allocates nothing else.
class FieldWriter {
 public:
  static constexpr bool reads = false;
  explicit FieldWriter(ByteWriter& writer) : writer_(writer) {}

  /// Writes members: numbers, strings, described types, and vectors of all of these, which are
  /// preceded by their length.
  template <class... Members>
  void operator()(const Members&... members) {
    (put(members), ...);
  }
  /// Writes an enumerator, which a reader compares with the first and the last one.
  template <class Word>
  void one_of(const Word& value, Word /*first*/, Word /*last*/, std::string_view /*problem*/) {
    put(value);
  }
  /// Writes up to eight conditions in one byte, the first in the lowest bit.
  template <class... Flags>
  void bits(const Flags&... flags) {
    unsigned byte = 0;
    unsigned bit = 1;
    ((byte |= flags ? bit : 0U, bit <<= 1U), ...);
    put(static_cast<std::uint8_t>(byte));
  }
  /// Writes as many items as another member says: no length precedes them.
  template <class T>
  void items(const std::vector<T>& list, std::size_t /*count*/) {
    for (const T& item : list) put(item);
  }
  /// Writes what `pack` makes of the value; a reader calls `unpack` with it.
  template <class T, class Pack, class Unpack>
  void as(const T& value, Pack&& pack, Unpack&& /*unpack*/) {
    put(pack(value));
  }
  /// Writes the value by a pair of functions of its own, which take `least` bytes or more.
  template <class T, class Put, class Get>
  void by(const T& value, Put&& put_value, Get&& /*get_value*/, std::size_t /*least*/) {
    put_value(writer_, value);
  }
  /// Readers refuse the message unless the condition holds.
  void check(bool /*holds*/, std::string_view /*problem*/) {}

 private:
  template <class T>
  void put(const T& value) {
    if constexpr (is_plain<T>) {
      writer_.put(value);
    } else if constexpr (std::is_same_v<T, std::string>) {
      writer_.put(std::string_view(value));
    } else if constexpr (HasFields<FieldWriter, const T>) {
      fields(*this, value);
    } else if constexpr (is_plain<typename T::value_type>) {
      writer_.put(value);
    } else {
      writer_.put(static_cast<std::uint64_t>(value.size()));
      for (const auto& item : value) put(item);
    }
  }

  ByteWriter& writer_;
};

/// Adds up the bytes that the least value takes: that of which all strings and vectors are empty.
class FieldMeasure {
 public:
  static constexpr bool reads = false;

  template <class... Members>
  void operator()(const Members&... members) {
    (add(members), ...);
  }
  template <class Word>
  void one_of(const Word& value, Word /*first*/, Word /*last*/, std::string_view /*problem*/) {
    add(value);
  }
  template <class... Flags>
  void bits(const Flags&... /*flags*/) {
    ++bytes_;
  }
  template <class T>
  void items(const std::vector<T>& /*list*/, std::size_t /*count*/) {}
  template <class T, class Pack, class Unpack>
  void as(const T& /*value*/, Pack&& /*pack*/, Unpack&& /*unpack*/) {
    add(std::decay_t<std::invoke_result_t<Pack, const T&>>{});
  }
  template <class T, class Put, class Get>
  void by(const T& /*value*/, Put&& /*put_value*/, Get&& /*get_value*/, std::size_t least) {
    bytes_ += least;
  }
  void check(bool /*holds*/, std::string_view /*problem*/) {}

  template <class T>
  void add(const T& value) {
    if constexpr (is_plain<T>) {
      bytes_ += sizeof(T);
    } else if constexpr (HasFields<FieldMeasure, const T>) {
      fields(*this, value);
    } else {
      bytes_ += sizeof(std::uint64_t);
    }
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

/// Returns the least bytes that a `T` takes, so that a damaged length is refused before anything is
/// allocated for it.
template <class T>
std::size_t least_bytes() {
  FieldMeasure measure;
  measure.add(T{});
  return measure.bytes();
}

/// Throws Error{protocol}: `what`, like "a command among servers", cannot be understood.
[[noreturn]] void refuse_bytes(std::string_view what, std::string_view problem);

/// Reads what FieldWriter wrote. Every length is compared with the bytes that are there, and what
/// `fields` checks is refused by refuse_bytes().
class FieldReader {
 public:
  static constexpr bool reads = true;
  /// `what` is the message in the words of an error; it outlives the reader.
  FieldReader(ByteReader& reader, std::string_view what) : reader_(reader), what_(what) {}

  template <class... Members>
  void operator()(Members&... members) {
    (get(members), ...);
  }
  template <class Word>
  void one_of(Word& value, Word first, Word last, std::string_view problem) {
    using Number = std::underlying_type_t<Word>;
    const auto number = reader_.get<Number>();
    if (number < static_cast<Number>(first) || number > static_cast<Number>(last)) {
      refuse_bytes(what_, std::string(problem) + ' ' + std::to_string(number));
    }
    value = static_cast<Word>(number);
  }
  template <class... Flags>
  void bits(Flags&... flags) {
    const unsigned byte = reader_.get<std::uint8_t>();
    unsigned bit = 1;
    ((flags = (byte & bit) != 0, bit <<= 1U), ...);
  }
  template <class T>
  void items(std::vector<T>& list, std::size_t count) {
    list.resize(count);
    for (T& item : list) get(item);
  }
  template <class T, class Pack, class Unpack>
  void as(T& value, Pack&& /*pack*/, Unpack&& unpack) {
    std::decay_t<std::invoke_result_t<Pack, const T&>> packed{};
    get(packed);
    value = unpack(std::move(packed));
  }
  template <class T, class Put, class Get>
  void by(T& value, Put&& /*put_value*/, Get&& get_value, std::size_t /*least*/) {
    value = get_value(reader_);
  }
  void check(bool holds, std::string_view problem) {
    if (!holds) refuse_bytes(what_, problem);
  }

 private:
  template <class T>
  void get(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      const auto byte = reader_.get<std::uint8_t>();
      if (byte > 1) refuse_bytes(what_, "a flag has the value " + std::to_string(byte));
      value = byte != 0;
    } else if constexpr (is_plain<T>) {
      value = reader_.get<T>();
    } else if constexpr (std::is_same_v<T, std::string>) {
      value = reader_.get_string();
    } else if constexpr (HasFields<FieldReader, T>) {
      fields(*this, value);
    } else if constexpr (is_plain<typename T::value_type>) {
      value = reader_.get_vector<typename T::value_type>();
    } else {
      items(value, reader_.get_length(least_bytes<typename T::value_type>()));
    }
  }

  ByteReader& reader_;
  std::string_view what_;
};

/// The number that a kind of message begins with, so that no other one is read in its place.
struct Magic {
  std::uint32_t number;
};

template <class Archive>
void fields(Archive& archive, Described<Magic> auto& magic) {
  std::uint32_t number = magic.number;
  archive(number);
  archive.check(number == magic.number, "it begins otherwise");
}

/// Returns the bytes of a message: of its parts, one behind the other.
template <class... Parts>
std::vector<std::byte> encode_fields(const Parts&... parts) {
  ByteWriter writer;
  FieldWriter archive(writer);
  archive(parts...);
  return writer.take();
}

/// Reads the parts of a message that encode_fields() made, and refuses bytes behind them.
template <class... Parts>
void decode_fields(std::span<const std::byte> bytes, std::string_view what, Parts&... parts) {
  ByteReader reader(bytes);
  FieldReader archive(reader, what);
  archive(parts...);
  archive.check(reader.at_end(), "it is too long");
}

}  // namespace epios::config
