#pragma once

#include <cstdint>

namespace ep {

struct Request;

/// Identity of a message that does not fit in a raw tag; precedes small messages, announces the
/// body of large ones. Only between processes of one job on one architecture.
struct RemoteHeader {
  std::uint32_t context;  ///< the receiver's number of the communicator
  std::int32_t source_slot;
  std::int32_t dest_slot;  ///< -1: the process itself
  std::int32_t tag;
  std::int64_t bytes;
  std::int32_t body_tag;  ///< raw tag of the body; 0: the body follows at once
  std::int32_t unused;
};

struct RemoteTarget {
  int process;  ///< index in the clique
  int source_slot;
  int dest_slot;
  int tag;
};

/// Starts to send `request.view` to another process. The raw operations use the caller's buffer.
void send_remote(Request& request, const RemoteTarget& target);

}  // namespace ep
