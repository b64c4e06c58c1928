#include "event/event.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

#include "config/error.hpp"

namespace epios::io {

static_assert(std::is_trivially_copyable_v<EventHeader>);
static_assert(std::endian::native == std::endian::little, "headers travel as little-endian bytes");
static_assert(sizeof(EventHeader) == 64, "docs/wire_format.md lists the offsets of all members");

namespace {

constexpr const char* advice = "Are all programs of this job linked with the same EPIOS?";

constexpr std::int64_t most_samples = std::numeric_limits<std::uint32_t>::max();

[[noreturn]] void damaged(const std::string& why) {
  throw Error(ErrorCode::protocol,
              fmt::format("received a part that is not an event's ({}). {}", why, advice));
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
  return hash ^ (hash >> 32U);
}

}  // namespace

std::uint32_t event_hash(const EventHeader& header) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  hash = mix(hash, static_cast<std::uint64_t>(header.kind));
  hash = mix(hash, static_cast<std::uint64_t>(header.stream));
  hash = mix(hash, static_cast<std::uint64_t>(header.record));
  hash = mix(hash, header.samples);
  hash = mix(hash, static_cast<std::uint64_t>(header.step));
  hash = mix(hash, static_cast<std::uint64_t>(header.event));
  return static_cast<std::uint32_t>(hash ^ (hash >> 32U));
}

void write_header(std::span<std::byte> part, const EventHeader& header) {
  if (part.size() != part_bytes(header.payload_bytes)) {
    throw Error(ErrorCode::internal,
                fmt::format("a part of {} bytes was reserved for an event (expected {}). Please "
                            "report this with the configuration",
                            part.size(), part_bytes(header.payload_bytes)));
  }
  std::memcpy(part.data(), &header, sizeof header);
}

EventHeader read_header(std::span<const std::byte> part) {
  if (part.size() < EventHeader::payload_offset) {
    damaged(fmt::format("{} bytes are less than a header", part.size()));
  }
  EventHeader header;
  std::memcpy(&header, part.data(), sizeof header);
  if (header.magic != EventHeader::magic_value) {
    damaged(fmt::format("it begins with {:#010x}", header.magic));
  }
  if (header.version != EventHeader::current_version) {
    damaged(fmt::format("its version is {}, understood is {}", header.version,
                        EventHeader::current_version));
  }
  if (header.kind < EventKind::record || header.kind > EventKind::left_out) {
    damaged(fmt::format("its kind is {}", static_cast<int>(header.kind)));
  }
  if (header.payload_bytes != part.size() - EventHeader::payload_offset) {
    damaged(fmt::format("it says {} bytes of payload and has {}", header.payload_bytes,
                        part.size() - EventHeader::payload_offset));
  }
  if (header.event < 0 || header.sequence < 0 || header.sequence > header.event) {
    damaged(fmt::format("it is number {} of event {}", header.sequence, header.event));
  }
  if (header.hash != event_hash(header)) damaged("its hash does not fit its members");
  return header;
}

Timeline::Timeline(std::uint32_t context, int servers)
    : context_(context), next_sequence_(static_cast<std::size_t>(servers), 0) {
  stamp_.sequence.resize(next_sequence_.size());
}

const Timeline::Stamp& Timeline::stamp(EventKind kind, int stream, std::int64_t record,
                                       std::int64_t step, std::span<const std::uint8_t> concerns,
                                       std::int64_t samples) {
  if (concerns.size() != next_sequence_.size()) {
    throw Error(ErrorCode::internal,
                fmt::format("an event says for {} servers whether it concerns them (expected {}). "
                            "Please report this with the configuration",
                            concerns.size(), next_sequence_.size()));
  }
  EventHeader& header = stamp_.header;
  header.kind = kind;
  header.context = context_;
  header.stream = stream;
  header.record = record;
  // More than fit are as good as equal.
  header.samples = static_cast<std::uint32_t>(std::min(samples, most_samples));
  header.step = step;
  header.event = next_event_++;
  header.hash = event_hash(header);
  for (std::size_t server = 0; server < concerns.size(); ++server) {
    stamp_.sequence[server] = concerns[server] != 0 ? next_sequence_[server]++ : -1;
  }
  return stamp_;
}

}  // namespace epios::io
