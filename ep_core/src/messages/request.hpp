#pragma once

#include <ep/ep.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cliques/mailbox.hpp"
#include "datatypes/datatype.hpp"
#include "messages/shared_copy.hpp"
#include "progress/engine.hpp"

namespace ep {

class Awaited;
class Clique;
class SendBuffer;
struct Arrival;
struct Generalized;
struct Persistent;
struct Request;
struct Slot;
struct WaitPoint;

/// The receive side of a request, which is in a mailbox until it is matched.
struct PostedRequest : PostedReceive {
  Request* request = nullptr;
};

/// The body of a message whose identity is in a header. It is joined with its receive when both
/// exist. Guarded by the wire's body mutex.
struct Body {
  bool arrived = false;
  std::int64_t bytes = 0;  ///< number of received bytes; fewer than announced if the sender failed
  MPI_Message message = MPI_MESSAGE_NULL;
  Request* receive = nullptr;
};

/// The description that a message carries besides its data.
struct Label {
  std::uint32_t acknowledge = 0;  ///< number under which a synchronous sender elsewhere waits, or 0
  int lost = EP_SUCCESS;          ///< class of the error that replaces the data
  bool checked = false;           ///< true if `signature` is known
  SignatureHash signature;
};

/// One pending operation, in the arena. The thread that completes it stores `state` last and does
/// not touch it afterwards.
struct Request : RawOwner {
  enum State : std::uint32_t {
    pending,
    done,
    abandoned  ///< no one will ask: the completing thread returns it to the arena
  };

  Request();
  Request(const Request&) = delete;
  Request(Request&&) = delete;
  Request& operator=(const Request&) = delete;
  Request& operator=(Request&&) = delete;
  ~Request() override;

  void end_raw(int code) noexcept final;

  std::atomic<std::uint32_t> alive{0};
  std::atomic<std::uint32_t> state{pending};
  std::shared_ptr<Clique> clique;
  WaitPoint* owner = nullptr;  ///< wait point to notify; a Slot of `clique` if there is one
  bool is_receive = false;
  bool is_synchronous = false;  ///< true for a send that completes only when its receive has begun
  bool is_local = false;        ///< true if the other end is in this process
  /// Identifies the offer of a receive in the direct-receive slot of `box`.
  DirectReceiveSlot::Generation offer = DirectReceiveSlot::no_generation;
  const char* what = "a request";
  int peer = -1;               ///< rank that the owner waits for, for the watchdog
  Awaited* awaited = nullptr;  ///< collective operation of `clique` that it belongs to

  MappedView view;
  PostedRequest posted;
  Label label;          ///< label of the sent or received message
  Slot* box = nullptr;  ///< where `posted` or `undelivered` is queued, for EP_Cancel
  /// Message at a receiver in this process; under the lock of `box`.
  Arrival* undelivered = nullptr;

  EP_Status status{};
  std::string error_text;  ///< text of a failed collective operation
  std::int64_t capacity = 0;
  SharedCopy copy;  ///< copy of the data by the thread of the other end

  // Operations of MPI: how many are pending, and what they need.
  std::atomic<int> raw_left{0};
  int raw_process = -1;  ///< sender's process in the clique, set by the thread that matches
  std::vector<std::byte> staging;
  bool is_staged = false;  ///< true for a receive into `staging`

  std::shared_ptr<SendBuffer> buffer;  ///< buffer of a buffered send
  std::size_t buffer_offset = 0;
  std::unique_ptr<Persistent> persistent;
  std::unique_ptr<Generalized> generalized;
  std::shared_ptr<void> kept;  ///< keeps an object alive until completion
  /// Callback at the end of an abandoned operation that the library has started itself.
  std::function<void(const Request&)> then;
};

constexpr std::uint32_t request_alive = 0x45505251;

/// Memory for the packed bytes of one message: inside the object for a small message, otherwise on
/// the heap.
class Payload {
 public:
  std::byte* resize(std::size_t bytes);
  std::byte* data() noexcept { return large_ ? large_.get() : small_.data(); }
  const std::byte* data() const noexcept { return large_ ? large_.get() : small_.data(); }
  void clear() noexcept { large_.reset(); }

 private:
  std::array<std::byte, 1024> small_{};
  std::unique_ptr<std::byte[]> large_;
};

/// A message without a receive yet.
struct Arrival final : WaitingMessage {
  enum class Kind {
    buffered,    ///< packed bytes in `payload`
    rendezvous,  ///< still at the sender in this process, which waits
    raw,         ///< a matched message of MPI
    body,        ///< announced by a header
    readable     ///< in the memory of the sender on this node, which waits
  };
  Kind kind = Kind::buffered;
  std::int64_t bytes = 0;
  Payload payload;
  std::size_t payload_offset = 0;
  Request* sender = nullptr;
  MPI_Message message = MPI_MESSAGE_NULL;
  std::shared_ptr<Body> body;
  std::uint64_t body_address = 0;  ///< address of a readable body
  std::uint32_t read = 0;          ///< number to report to the sender when the body was read
  /// The sender's process in the clique, for senders elsewhere and for acknowledgements.
  int process = -1;
  Label label;

  /// Returns the object to the arena.
  void give_back() noexcept override;
};

using ArrivalPtr = std::unique_ptr<Arrival, GiveBack>;
ArrivalPtr make_arrival();

// Access to the contents of mailboxes: the receives of requests, and arrivals. The caller holds the
// lock of the mailbox.

Request* take_posted(Mailbox& box, int source, int tag) noexcept;
Arrival* find_arrival(Mailbox& box, int source, int tag) noexcept;
ArrivalPtr take_arrival(Mailbox& box, int source, int tag) noexcept;
ArrivalPtr withdraw(Mailbox& box, Arrival& arrival) noexcept;

/// The object behind an EP_Message: a message taken from its queue.
struct TakenMessage {
  std::atomic<std::uint32_t> alive{0};
  ArrivalPtr arrival;
  std::shared_ptr<Clique> clique;
  Slot* owner = nullptr;
};

constexpr std::uint32_t message_alive = 0x45504d53;

}  // namespace ep

// The handles of the C interface point to these.
struct ep_request : ep::Request {};
struct ep_message : ep::TakenMessage {};
