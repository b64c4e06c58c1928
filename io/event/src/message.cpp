#include "message.hpp"

#include <fmt/format.h>

namespace epios::io {

using config::ByteReader;
using config::ByteWriter;

namespace {

constexpr std::uint32_t message_magic = 0x4D504945;  // "EIPM" as bytes

/// Reads magic and version; the kind remains to be compared.
MessageKind read_kind(ByteReader& reader) {
  const auto magic = reader.get<std::uint32_t>();
  if (magic != message_magic) refuse_message(fmt::format("it begins with {:#010x}", magic));
  const auto version = reader.get<std::uint32_t>();
  if (version != wire_version) {
    refuse_message(fmt::format("its version is {}, understood is {}", version, wire_version));
  }
  const auto kind = reader.get<std::uint8_t>();
  if (kind < static_cast<std::uint8_t>(MessageKind::opening_part) ||
      kind > static_cast<std::uint8_t>(MessageKind::in_pieces)) {
    refuse_message(fmt::format("its kind is {}", kind));
  }
  return static_cast<MessageKind>(kind);
}

/// Seven bits a byte, the lowest first: most numbers are small.
void put_number(ByteWriter& writer, std::int64_t number) {
  auto rest = static_cast<std::uint64_t>(number);
  for (; rest >= 0x80; rest >>= 7U) writer.put(static_cast<std::uint8_t>(rest | 0x80U));
  writer.put(static_cast<std::uint8_t>(rest));
}

std::int64_t get_number(ByteReader& reader) {
  std::uint64_t out = 0;
  for (unsigned shift = 0; shift < 63; shift += 7) {
    const auto byte = reader.get<std::uint8_t>();
    out |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if (byte < 0x80) return static_cast<std::int64_t>(out);
  }
  refuse_message("a number has no end");
}

}  // namespace

void refuse_message(const std::string& why) { config::refuse_bytes(message_in_words, why); }

ByteWriter begin_message(MessageKind kind) {
  ByteWriter writer;
  writer.put(message_magic);
  writer.put(wire_version);
  writer.put(kind);
  return writer;
}

ByteReader open_message(std::span<const std::byte> bytes, MessageKind kind) {
  ByteReader reader(bytes);
  const MessageKind found = read_kind(reader);
  if (found != kind) {
    refuse_message(fmt::format("its kind is {}, expected was {}", static_cast<int>(found),
                               static_cast<int>(kind)));
  }
  return reader;
}

void close_message(const ByteReader& reader) {
  if (!reader.at_end()) refuse_message("it is longer than its content");
}

MessageKind message_kind(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  return read_kind(reader);
}

void put_runs(ByteWriter& writer, const std::vector<PlaceRun>& runs) {
  writer.put(static_cast<std::uint64_t>(runs.size()));
  std::int64_t end = 0;
  for (const PlaceRun& run : runs) {
    put_number(writer, run.place - end);
    put_number(writer, run.count);
    end = run.place + run.count;
  }
}

std::vector<PlaceRun> get_runs(ByteReader& reader) {
  constexpr std::size_t min_run_bytes = 2;
  constexpr std::int64_t most = std::int64_t{1} << 61U;
  std::vector<PlaceRun> runs(reader.get_length(min_run_bytes));
  std::int64_t end = 0;
  for (PlaceRun& run : runs) {
    const std::int64_t gap = get_number(reader);
    run.count = get_number(reader);
    if (gap > most - end || run.count > most - end - gap || run.count == 0) {
      refuse_message("positions are not in order");
    }
    run.place = end + gap;
    end = run.place + run.count;
  }
  return runs;
}

}  // namespace epios::io
