#pragma once

#include <ep/ep.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "datatype.hpp"
#include "mailbox.hpp"

namespace ep {

class Clique;
class Wire;
struct Request;
struct Slot;

/// The receive side of a request: in a mailbox until matched.
struct PostedReceive : Matchable {
  Request* request = nullptr;
};

/// The body of a message whose identity travelled in a header: it meets its receive when both have
/// come. Guarded by the wire's body mutex.
struct Body {
  bool arrived = false;
  MPI_Message message = MPI_MESSAGE_NULL;
  Request* receive = nullptr;
};

/// One operation in flight. In the arena when a handle refers to it, on a stack when a blocking
/// call does. Whoever completes it stores `done` last and touches nothing of it afterwards.
struct Request {
  std::atomic<std::uint32_t> alive{0};
  std::atomic<std::uint32_t> done{0};
  std::shared_ptr<Clique> clique;
  Slot* owner = nullptr;  ///< whom to notify
  bool is_receive = false;
  const char* what = "a request";
  int peer = -1;  ///< rank waited for, for the watchdog; the owner's

  TypedView view{nullptr, 0, MPI_BYTE};
  MPI_Datatype kept_type = MPI_DATATYPE_NULL;  ///< our duplicate of a derived type, or null
  PostedReceive posted;

  EP_Status status{};
  std::int64_t capacity = 0;

  // Operations handed to MPI: how many are left, what they need.
  std::atomic<int> raw_left{0};
  int raw_process = -1;  ///< of the sender, in the clique; whoever matches a receive writes it
  std::vector<std::byte> staging;
};

constexpr std::uint32_t request_alive = 0x45505251;

/// A message without a receive yet.
struct Arrival : Matchable {
  enum class Kind {
    buffered,    ///< packed bytes in `payload`
    rendezvous,  ///< still at the local sender, who waits
    raw,         ///< a matched message of MPI
    body         ///< announced by a header
  };
  Kind kind = Kind::buffered;
  std::int64_t bytes = 0;
  std::unique_ptr<std::byte[]> payload;
  std::size_t payload_offset = 0;
  Request* sender = nullptr;
  MPI_Message message = MPI_MESSAGE_NULL;
  std::shared_ptr<Body> body;
  int process = -1;  ///< of the sender, in the clique; for raw and body
};

/// Behind an EP_Message: a message taken from its queue.
struct TakenMessage {
  std::atomic<std::uint32_t> alive{0};
  std::unique_ptr<Arrival> arrival;
  std::shared_ptr<Clique> clique;
  Slot* owner = nullptr;
};

constexpr std::uint32_t message_alive = 0x45504d53;

}  // namespace ep

// The handles of the C interface point to these.
struct ep_request : ep::Request {};
struct ep_message : ep::TakenMessage {};
