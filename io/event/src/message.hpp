#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/byte_fields.hpp"
#include "config/bytes.hpp"
#include "event/wire.hpp"
#include "grid/pattern.hpp"

namespace epios::io {

/// How errors name a message.
inline constexpr std::string_view message_in_words = "received a message that";
/// Throws Error{protocol}.
[[noreturn]] void refuse_message(const std::string& why);
/// A writer behind magic, version and kind.
config::ByteWriter begin_message(MessageKind kind);
/// A reader behind the front of a message of `kind`. Throws Error{protocol} for any other.
config::ByteReader open_message(std::span<const std::byte> bytes, MessageKind kind);
/// Throws Error{protocol} unless everything was read.
void close_message(const config::ByteReader& reader);

/// Ascending positions, as gaps and counts.
void put_runs(config::ByteWriter& writer, const std::vector<PlaceRun>& runs);
std::vector<PlaceRun> get_runs(config::ByteReader& reader);
template <class Archive>
void fields(Archive& archive, config::Described<std::vector<PlaceRun>> auto& runs) {
  archive.by(runs, put_runs, get_runs, sizeof(std::uint64_t));
}

/// Returns the bytes of a message that `fields` describes.
template <class Message>
std::vector<std::byte> encode_message(MessageKind kind, const Message& message) {
  config::ByteWriter writer = begin_message(kind);
  config::FieldWriter archive(writer);
  fields(archive, message);
  return writer.take();
}

/// Returns the message. Throws Error{protocol} for bytes that encode_message() did not make.
template <class Message>
Message decode_message(MessageKind kind, std::span<const std::byte> bytes) {
  config::ByteReader reader = open_message(bytes, kind);
  config::FieldReader archive(reader, message_in_words);
  Message message;
  fields(archive, message);
  close_message(reader);
  return message;
}

}  // namespace epios::io
