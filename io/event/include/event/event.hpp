/// @file
/// Events: collective remote calls of a context's clients, their headers, and the timeline that
/// numbers them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace epios::io {

/// Rank of the leader among the clients, and of the leader among the servers.
inline constexpr int leader = 0;

enum class EventKind : std::uint16_t {
  record =
      1,  ///< one record of one stream; the payload is the values of client box ∩ slab, in C order
  finalize = 2,  ///< the end of the context; from every client, no payload
  sync = 3,      ///< a sync point of one file, for all its writers; from every client, no payload
  part_end =
      4,     ///< parts of a split file are complete, for its writers; from every client, no payload
  read = 5,  ///< a request for a record of a field, for the servers that read it; from client 0 and
             ///< the clients that have points of their slabs, no payload. The answers have the
             ///< header of the request, and the values
  left_out =
      6,  ///< records that no field of a file has, for its writers; from every client, no payload
};

/// Header of every part. Trivially copyable. It stands at the start of a channel part; the payload
/// follows at payload_offset.
struct EventHeader {
  std::uint32_t magic = magic_value;
  std::uint16_t version = current_version;
  EventKind kind = EventKind::record;
  std::uint32_t context = 0;  ///< number of the context, from the leader of the servers
  std::int32_t stream = -1;   ///< index into Model::streams; for sync, part_end and left_out into
                              ///< Model::files; for read into Model::read_fields; -1 for none
  /// Number of the record, from 0; -1 for none. For a sync it counts the records before it, for a
  /// part_end it is the first part that is not complete, for a left_out the first record after
  /// those left out.
  std::int64_t record = -1;
  std::int64_t step = 0;      ///< model step of the call, for messages
  std::int64_t event = 0;     ///< number on the timeline of the context, from 0 without gaps
  std::int64_t sequence = 0;  ///< number among the events for this server, without gaps
  /// Hash of what must agree between clients: kind, stream, record, samples, step, event.
  std::uint32_t hash = 0;
  std::uint32_t samples = 0;  ///< samples of the record; 0 if there is no such number. For a
                              ///< left_out, number of records. In the answer to a read, 1 if the
                              ///< payload is a text that says why there are no values
  std::uint64_t payload_bytes = 0;

  static constexpr std::uint32_t magic_value = 0x45504556;  // "EPEV"
  static constexpr std::uint16_t current_version = 6;
  static constexpr std::size_t payload_offset = 64;
};
static_assert(sizeof(EventHeader) <= EventHeader::payload_offset);

/// Returns the bytes that a part takes in a channel.
inline std::size_t part_bytes(std::size_t payload_bytes) {
  return EventHeader::payload_offset + payload_bytes;
}

/// Returns the payload as the values that it holds.
template <class T>
std::span<T> values_of(std::span<std::byte> payload) {
  return {reinterpret_cast<T*>(payload.data()), payload.size() / sizeof(T)};
}

/// Numbers the events of one context on a client endpoint. Every client calls stamp() for every
/// event, also for events to which it sends no part, so that all count alike.
class Timeline {
 public:
  Timeline(std::uint32_t context, int servers);
  std::uint32_t context() const { return context_; }
  struct Stamp {
    EventHeader header;                  ///< complete except for sequence and payload_bytes
    std::vector<std::int64_t> sequence;  ///< for each server; -1 if the event does not concern it
  };
  /// Makes the next event. `concerns[s]` is true if server s takes part (known from the handshake,
  /// the same on all clients). `samples` is that of the header. Does not allocate after the first
  /// call: the returned reference is valid until the next call.
  const Stamp& stamp(EventKind kind, int stream, std::int64_t record, std::int64_t step,
                     std::span<const std::uint8_t> concerns, std::int64_t samples = 0);

 private:
  std::uint32_t context_;
  std::int64_t next_event_ = 0;
  std::vector<std::int64_t> next_sequence_;
  Stamp stamp_;
};

/// Returns a hash of the fields that must agree.
std::uint32_t event_hash(const EventHeader& header);
/// Writes the header at the front of a part; reads and validates it (throws Error{protocol} for a
/// wrong magic, version, kind, hash, or sizes that do not match the part).
void write_header(std::span<std::byte> part, const EventHeader& header);
EventHeader read_header(std::span<const std::byte> part);

/// Returns "rank 1", "ranks 0 and 2", or "ranks 0, 1, 2, 3 and 12 others". `clients` is not empty
/// and ascending.
std::string ranks_text(const std::vector<int>& clients, const char* one, const char* several);

}  // namespace epios::io
