/// @file
/// Messages of the handshake and of control, and their encoding. See docs/wire_format.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "config/file_facts.hpp"
#include "config/model_fwd.hpp"
#include "event/file_report.hpp"
#include "grid/coordinates.hpp"
#include "grid/pattern.hpp"
#include "grid/remark.hpp"
#include "grid/routing.hpp"

namespace epios::io {

/// Version of everything on the wire. Peers with another version are refused with a message.
inline constexpr std::uint32_t wire_version = 29;

/// Value of `samples` in the header of an answer that is an error, if another request may succeed.
/// Otherwise it is 1.
inline constexpr std::int64_t may_be_read_later = 2;

/// Tags on the intercommunicator between the clients of a component and the servers. Data channels
/// of context number k use tags channel_tag(k) and the next one, channels from servers to clients
/// answer_channel_tag(k) and the next one. Channels from gatherers to writers use channel_tag(k) on
/// the communicator of the servers.
enum class ControlTag : int {
  to_server = 1,
  to_client = 2,
  among_servers = 3,
  intercomm = 4,
  coupling = 5,       ///< between clients, on the communicator of all endpoints
  among_readers = 6,  ///< between servers that read a record together, on their own communicator
  inter_level = 7     ///< between gatherers and writers, on their own communicator
};
inline constexpr int first_channel_tag = 16;
constexpr int channel_tag(std::uint32_t context) {
  return first_channel_tag + 4 * static_cast<int>(context);
}
constexpr int answer_channel_tag(std::uint32_t context) { return channel_tag(context) + 2; }

/// Client leader -> server leader -> all servers: the definition of a context is closed. Clients
/// tell the servers themselves which points of its grids they have (OpeningPart).
struct OpenContext {
  std::uint64_t opening = 0;  ///< number of this opening among those of the component
  std::string context_id;
  std::vector<std::byte> model;  ///< config::encode
  CoordinateForms forms;         ///< lists as long as those of the Model
  std::vector<int> clients;      ///< clients of the context: ranks in the intercommunicator
  std::vector<int> parts;        ///< for each server: number of clients that send it an OpeningPart
  std::int64_t shared_record_bytes = 0;  ///< threshold of place_files
  ServerChoice choice;                   ///< choice of place_files
  std::int64_t buffer_bytes = 0;         ///< budget of channel memory per server process
  int carrier = 0;             ///< 0 chooses by locality, otherwise a CarrierKind that is forced
  double patience_s = 0;       ///< seconds until the log says what an incomplete event waits for
  double give_up_s = 0;        ///< seconds until the context fails because of it; 0 means never
  std::string metrics_file;    ///< where the leader writes figures of the run; empty: nowhere
  std::string stop_on_signal;  ///< signals that servers catch, and tell the first client of
  /// Number of the opening of an attempt that failed and is given up for this one; -1: none.
  std::int64_t repeated = -1;
};

/// The points that a server asks of a client for one of its Pieces::grids.
struct RequestedPoints {
  /// Which points, among those that the client offered. `empty` means parts without values, which
  /// say that a record is due; `none` means no part.
  enum class Points : std::uint8_t { none, empty, some, all };
  Points points = Points::none;
  std::vector<std::vector<PlaceRun>>
      positions;  ///< for `some`: positions of each element, ascending
};

/// Server -> each client that sent it an OpeningPart: its channel, and what to send.
struct OpenReply {
  std::uint32_t context = 0;
  std::string error;  ///< if not empty, the server cannot open the context and all else is void
  std::vector<std::byte> offer;        ///< channel from this client to this server
  std::vector<RequestedPoints> asked;  ///< for each of Pieces::grids
  std::vector<Remark> remarks{};       ///< for the first client, which tells the user
};

/// Client -> each server that reads points for it: the channel for what it reads. The server opens
/// the channel and confirms with an empty part.
struct AnswerChannel {
  std::uint32_t context = 0;
  int client = 0;                ///< rank among the clients of the context
  std::vector<std::byte> offer;  ///< channel from the server to this client
};

/// Longest text in the answer to a read.
inline constexpr std::size_t most_answer_text = 1000;

/// Client -> server leader, from clients that have no channel to it: everything up to this event
/// has been sent. What all writers of a file do together begins when all clients have said so.
struct Passed {
  std::uint32_t context = 0;
  std::int64_t event = 0;
};

/// Client leader -> server leader, before a context is opened: a request for the metadata of files.
struct Inspect {
  std::vector<config::FileQuestion> files;
};

/// The answer, to the client that asked.
struct Inspected {
  std::vector<config::FileFacts> files;
};

/// Client leader -> server leader: all clients have opened their channels.
struct ContextOpened {
  std::uint32_t context = 0;
};

/// The work of a server for all contexts, of all components, since the first one was opened.
struct ServerLoad {
  std::int32_t server = 0;
  double open_s = 0;     ///< seconds in which any context was open
  double busy_s = 0;     ///< seconds in which the thread of the server was busy
  double writing_s = 0;  ///< seconds in which the file thread had a job
};

/// Server -> client: the answer to finalize, or at any time a failure of the whole context.
struct ContextReport {
  std::uint32_t context = 0;
  bool closed = false;  ///< true in the answer to finalize; nothing follows
  bool failed = false;  ///< the context is over; `error` says why
  int error_code = 0;   ///< the ErrorCode of config if `error` is set
  std::string error;
  std::vector<FileReport> files;  ///< files that this server writes, alone or with others
  ServerLoad load{};              ///< set if `closed`
  /// Set if `closed`: infinite values in what this server has written.
  std::vector<InfiniteValues> infinite{};
  /// Not 0: the server has received this signal, at which the context is to end. Nothing else is
  /// set then.
  int stop_signal = 0;
};

/// Client -> server leader: this client has nothing more to send. A component is over when all its
/// clients have said so, or when one of them has failed: `aborted`.
struct Goodbye {
  bool aborted = false;
  std::string reason;
};

/// Announces an opening part that does not fit into one message. Its bytes come in the next
/// messages from the same sender with the same tag (event/long_message.hpp).
struct InPieces {
  std::uint64_t bytes = 0;  ///< bytes of all pieces
};

/// All messages begin with magic, wire version and kind. decode_x() throws Error{protocol} for
/// anything that encode() of that message did not make: another magic, version or kind, too short,
/// too long.
std::vector<std::byte> encode(const OpenContext& message);
std::vector<std::byte> encode(const OpenReply& message);
std::vector<std::byte> encode(const Passed& message);
std::vector<std::byte> encode(const AnswerChannel& message);
std::vector<std::byte> encode(const ContextOpened& message);
std::vector<std::byte> encode(const ContextReport& message);
std::vector<std::byte> encode(const Goodbye& message);
std::vector<std::byte> encode(const Inspect& message);
std::vector<std::byte> encode(const Inspected& message);
std::vector<std::byte> encode(const InPieces& message);

enum class MessageKind : std::uint8_t {
  opening_part = 1,
  open_context,
  open_reply,
  context_opened,
  context_report,
  goodbye,
  passed,
  answer_channel,
  inspect,
  inspected,
  in_pieces
};
/// Returns the kind of an encoded message, after checking magic and wire version. Throws
/// Error{protocol}.
MessageKind message_kind(std::span<const std::byte> bytes);
OpenContext decode_open_context(std::span<const std::byte> bytes);
OpenReply decode_open_reply(std::span<const std::byte> bytes);
ContextOpened decode_context_opened(std::span<const std::byte> bytes);
ContextReport decode_context_report(std::span<const std::byte> bytes);
Goodbye decode_goodbye(std::span<const std::byte> bytes);
Passed decode_passed(std::span<const std::byte> bytes);
AnswerChannel decode_answer_channel(std::span<const std::byte> bytes);
Inspect decode_inspect(std::span<const std::byte> bytes);
Inspected decode_inspected(std::span<const std::byte> bytes);
/// The announced length is at least one byte.
InPieces decode_in_pieces(std::span<const std::byte> bytes);

}  // namespace epios::io
