#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace ep {

class Clique;
class MessageWire;
struct Arrival;
struct CopyCall;
struct MappedView;
struct Member;
struct Request;

/// The identity of a message that does not fit in a raw tag. It precedes small messages and
/// announces the body of large ones. It is sent as raw bytes, since all processes of a job have the
/// same architecture.
struct RemoteHeader {
  std::uint32_t context;  ///< the receiver's number of the communicator
  std::int32_t source_slot;
  /// Slot of the receiving endpoint; -1: the process itself; -2: an acknowledgement, which has no
  /// other field; -3: the process's ProcessReceiver, whose message follows; -4: a call of a body's
  /// sender by its receiver, and a CopyCall follows
  std::int32_t dest_slot;
  std::int32_t tag;
  std::int64_t bytes;
  /// Address of the body in the sender's memory, which the receiver reads before it sends `read`; 0
  /// for none.
  std::uint64_t body_address;
  std::uint32_t read;
  std::int32_t body_tag;      ///< raw tag of the body; 0: the body follows at once, or is read
  std::uint32_t acknowledge;  ///< number to acknowledge when a receive begins; 0: none wanted
  // The type signature of a checked communicator.
  std::uint64_t signature;
  std::int64_t elements;
  std::int32_t first_basic;
  std::uint8_t is_checked;
  std::uint8_t is_packed;
  std::uint16_t lost;  ///< the class of the error that kept the data from being sent
};

constexpr std::int32_t acknowledgement_slot = -2;
constexpr std::int32_t receiver_slot = -3;
constexpr std::int32_t copy_call_slot = -4;

struct RemoteTarget {
  int process;  ///< index in the clique
  int source_slot;
  int dest_slot;
  int tag;
};

/// Starts to send `request.view` to another process. The raw operations use the caller's buffer if
/// it is one block. If MPI refuses, completes the request with that error, returns it, and tells
/// the receiver if possible.
int send_remote(Request& request, const RemoteTarget& target);

/// Sends `code` instead of data that was lost on its way to this process: the receive fails with
/// it. The request is complete.
void send_loss(Request& request, const RemoteTarget& target, int code);

/// Sends a block of bytes that needs no header; returns false if it needs one, and sends nothing
/// then. No request is needed if MPI takes the bytes at once.
bool send_short_at_once(const Member& member, const RemoteTarget& target, const MappedView& view);

/// Tells a sender in another process (an index in the clique) that the receive of a synchronous
/// message began, or that its body was read.
void send_acknowledgement(const std::shared_ptr<Clique>& clique, int process, std::uint32_t number);

/// Asks the sender of a body to take part in its copy.
void send_copy_call(const std::shared_ptr<Clique>& clique, const Arrival& arrival,
                    const CopyCall& call);
/// Makes a sender take part in the copy. Under the engine's lock.
void take_part_in_copy(MessageWire& wire, int peer, const RemoteHeader& header,
                       const CopyCall& call);

/// Sends the ProcessReceiver of another process (an index in the clique) a message of at most
/// largest_process_message bytes, which are copied.
void send_to_receiver(const std::shared_ptr<Clique>& clique, int process,
                      std::span<const std::byte> message);
constexpr std::int64_t largest_process_message =
    16384 - static_cast<std::int64_t>(sizeof(RemoteHeader));

}  // namespace ep
