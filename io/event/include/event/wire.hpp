/// @file
/// Messages of the handshake and of control, and their bytes. See docs/wire_format.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "config/model.hpp"
#include "event/file_report.hpp"
#include "grid/box.hpp"
#include "grid/coordinates.hpp"

namespace epios::io {

/// Version of everything on the wire; peers with another one are refused with a message.
inline constexpr std::uint32_t wire_version = 3;

/// Tags on the intercommunicator between the clients of a component and the servers. Data channels
/// of context number k use tags first_channel_tag + 2k and + 2k + 1.
enum class ControlTag : int { to_server = 1, to_client = 2, among_servers = 3, intercomm = 4 };
inline constexpr int first_channel_tag = 16;

/// Coordinate values one client owns: a run of an axis or of one direction of a domain.
struct CoordinatePart {
  std::int64_t begin = 0;
  std::vector<double> values;
  std::vector<double> bounds;  ///< (2, n) or empty
};

/// The local part of one client: what the servers must know of its decomposition.
struct ClientPart {
  int remote_rank = 0;                   ///< its rank in the intercommunicator's client group
  std::vector<Box> boxes;                ///< per Model::grids
  std::vector<CoordinatePart> axes;      ///< per Model::axes
  std::vector<CoordinatePart> lon, lat;  ///< per Model::domains
};

/// Client leader -> server leader -> all servers: a context's definitions are closed.
struct OpenContext {
  std::string context_id;
  std::vector<std::byte> model;          ///< config::encode
  std::vector<ClientPart> clients;       ///< in client order
  std::int64_t shared_record_bytes = 0;  ///< place_files threshold
  std::int64_t buffer_bytes = 0;         ///< budget of channel memory per server process
  int carrier = 0;                       ///< 0: by locality, else a CarrierKind that is forced
  double patience_s = 0;                 ///< until the log says what an unfinished event waits for
};

/// Server -> client: its channel, and what concerns whom.
struct OpenReply {
  std::uint32_t context = 0;
  std::string error;                    ///< not empty: the server cannot; all else is void
  std::vector<std::byte> offer;         ///< channel of this client to this server
  std::vector<std::uint8_t> concerned;  ///< per stream: this server takes part
  std::vector<std::uint8_t> expected;   ///< per stream: this client must send to this server
};

/// Client leader -> server leader: all clients have opened their channels.
struct ContextOpened {
  std::uint32_t context = 0;
};

/// Server -> client: the answer to finalize, or at any time a failure of the whole context.
struct ContextReport {
  std::uint32_t context = 0;
  bool closed = false;  ///< the answer to finalize: nothing more comes
  bool failed = false;  ///< the context is over: `error` says why
  int error_code = 0;   ///< config ErrorCode when `error` is set
  std::string error;
  std::vector<FileReport> files;  ///< those this server writes, alone or with others
};

/// Client -> server leader: this client has nothing more to send. A component is over when all its
/// clients have said so, or when one did not come to an end: `aborted`.
struct Goodbye {
  bool aborted = false;
  std::string reason;
};

/// All messages begin with magic, wire version and kind. decode_x() throws Error{protocol} for
/// anything that encode() of that message did not make: other magic, version or kind, too short,
/// too long.
std::vector<std::byte> encode(const ClientPart& part);
std::vector<std::byte> encode(const OpenContext& message);
std::vector<std::byte> encode(const OpenReply& message);
std::vector<std::byte> encode(const ContextOpened& message);
std::vector<std::byte> encode(const ContextReport& message);
std::vector<std::byte> encode(const Goodbye& message);

enum class MessageKind : std::uint8_t {
  client_part = 1,
  open_context,
  open_reply,
  context_opened,
  context_report,
  goodbye
};
/// Kind of an encoded message, after checking magic and wire version. Throws Error{protocol}.
MessageKind message_kind(std::span<const std::byte> bytes);
ClientPart decode_client_part(std::span<const std::byte> bytes);
OpenContext decode_open_context(std::span<const std::byte> bytes);
OpenReply decode_open_reply(std::span<const std::byte> bytes);
ContextOpened decode_context_opened(std::span<const std::byte> bytes);
ContextReport decode_context_report(std::span<const std::byte> bytes);
Goodbye decode_goodbye(std::span<const std::byte> bytes);

/// Throws Error{protocol} unless every part belongs to `model`: as many boxes and coordinates as it
/// has grids, axes and domains, all inside the global index space.
void check_parts(const config::Model& model, const std::vector<ClientPart>& clients);

/// Global coordinates put together from the clients' parts; where clients overlap the lowest rank
/// wins, points nobody owns are NaN; a coordinate that no client has stays empty. Parts as by
/// check_parts, which is called.
ElementCoordinates assemble_coordinates(const config::Model& model,
                                        const std::vector<ClientPart>& clients);

/// The local part of this client, from its own model.
ClientPart local_part(const config::Model& model, int remote_rank);

}  // namespace epios::io
