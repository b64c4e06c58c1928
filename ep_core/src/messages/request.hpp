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

/// The receive side of a request: in a mailbox until it is matched.
struct PostedRequest : PostedReceive {
  Request* request = nullptr;
};

/// The body of a message whose identity travelled in a header: it meets its receive when both have
/// come. Guarded by the wire's body mutex.
struct Body {
  bool arrived = false;
  std::int64_t bytes = 0;  ///< that came; fewer than announced when the sender failed
  MPI_Message message = MPI_MESSAGE_NULL;
  Request* receive = nullptr;
};

/// The description that a message carries beside its data.
struct Label {
  std::uint32_t acknowledge = 0;  ///< number under which a synchronous sender elsewhere waits; or 0
  int lost = EP_SUCCESS;          ///< the class of the error that ate the data
  bool checked = false;           ///< `signature` is known
  SignatureHash signature;
};

/// One operation in flight, in the arena. Whoever completes it stores `state` last and touches
/// nothing of it afterwards.
struct Request : RawOwner {
  enum State : std::uint32_t {
    pending,
    done,
    abandoned  ///< nobody will ask: whoever completes it gives it back to the arena
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
  WaitPoint* owner = nullptr;  ///< whom to notify; a Slot of `clique`, if there is one
  bool is_receive = false;
  bool is_synchronous = false;  ///< a send that is complete only when its receive has begun
  bool is_local = false;        ///< the other end is in this process
  /// Identifies the offer of a receive in the direct-receive slot of `box`.
  DirectReceiveSlot::Generation offer = DirectReceiveSlot::no_generation;
  const char* what = "a request";
  int peer = -1;               ///< rank waited for, for the watchdog; the owner's
  Awaited* awaited = nullptr;  ///< the collective operation of which it is a part; of `clique`

  MappedView view;
  PostedRequest posted;
  Label label;                     ///< of the message: ours, or the one received
  Slot* box = nullptr;             ///< where `posted` or `undelivered` is queued, for EP_Cancel
  Arrival* undelivered = nullptr;  ///< at a receiver in this process; under the lock of `box`

  EP_Status status{};
  std::string error_text;  ///< of a collective operation that failed
  std::int64_t capacity = 0;
  SharedCopy copy;  ///< of its data, by the thread of the other end

  // Operations handed to MPI: how many are left, what they need.
  std::atomic<int> raw_left{0};
  int raw_process = -1;  ///< of the sender, in the clique; whoever matches a receive writes it
  std::vector<std::byte> staging;
  bool is_staged = false;  ///< a receive that lands in `staging`

  std::shared_ptr<SendBuffer> buffer;  ///< of a buffered send
  std::size_t buffer_offset = 0;
  std::unique_ptr<Persistent> persistent;
  std::unique_ptr<Generalized> generalized;
  std::shared_ptr<void> kept;  ///< anything that must live until it is complete
  /// Is called at the end of an abandoned operation of our own.
  std::function<void(const Request&)> then;
};

constexpr std::uint32_t request_alive = 0x45505251;

/// Memory for the packed bytes of one message: built in for a small one, from the heap for others.
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
    rendezvous,  ///< still at the local sender, who waits
    raw,         ///< a matched message of MPI
    body,        ///< announced by a header
    readable     ///< in the memory of the sender on this node, who waits
  };
  Kind kind = Kind::buffered;
  std::int64_t bytes = 0;
  Payload payload;
  std::size_t payload_offset = 0;
  Request* sender = nullptr;
  MPI_Message message = MPI_MESSAGE_NULL;
  std::shared_ptr<Body> body;
  std::uint64_t body_address = 0;  ///< of a readable one
  std::uint32_t read = 0;          ///< what its sender hears when it was read
  int process =
      -1;  ///< of the sender, in the clique; for all that are elsewhere, and to acknowledge
  Label label;

  /// To the arena.
  void give_back() noexcept override;
};

using ArrivalPtr = std::unique_ptr<Arrival, GiveBack>;
ArrivalPtr make_arrival();

// What mailboxes hold: the receives of requests, and arrivals. Under the lock of the mailbox.

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
