#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <utility>

#include "handles/endpoint.hpp"
#include "messages/request.hpp"
#include "progress/raw_message.hpp"

namespace ep {

/// Messages up to this size are buffered at the receiver when no receive is posted.
constexpr std::int64_t eager_bytes = 16384;

/// The library's own messages between endpoints have tags that no wildcard sees.
constexpr int own_tag(int n) { return -2 - n; }

/// How a send completes. The library is free to treat a ready send as a standard one, and does.
enum class SendMode { standard, synchronous, buffered, ready };

/// Makes `request` a fresh one that notifies `owner` (null: completes without anybody).
void prepare(Request& request, std::shared_ptr<Clique> clique, WaitPoint* owner, MappedView view,
             const char* what);
inline void prepare(Request& request, const Member& member, MappedView view, const char* what) {
  prepare(request, member.clique, &member.place(), std::move(view), what);
}

/// What a message of `view` says of itself: its type signature in a checked communicator.
Label label_of(const Member& member, const MappedView& view);
/// Starts to send `request.view` to `dest` of the remote group, a rank already checked, or
/// EP_PROC_NULL.
void start_send(const Member& member, int dest, int tag, Request& request,
                SendMode mode = SendMode::standard);
/// Starts to receive into `request.view`; wildcards and EP_PROC_NULL allowed.
void start_receive(const Member& member, int source, int tag, Request& request);

/// The same for a caller who goes on to wait_received(), and gets small messages faster.
void start_blocking_receive(const Member& member, int source, int tag, Request& request);
void wait_received(Request& request);

/// The short ways of a small message, which need no request: an endpoint of this process blocks in
/// a receive of it, or MPI takes it at once. True if that was the whole send. `dest` is a rank
/// already checked, or EP_PROC_NULL.
bool send_at_once(const Member& member, int dest, int tag, const MappedView& view, SendMode mode);

/// The same between processes of the clique, for schedules: `peer` is an index of a process.
void start_process_send(int peer, int tag, Request& request);
/// Instead of a send whose data is of no use: its receive fails with `code`.
void start_lost_process_send(int peer, int tag, Request& request, int code);
void start_process_receive(int peer, int tag, Request& request);

/// Hands a message, taken from its mailbox, to a prepared receive that it was matched with.
void consume(const Arrival& arrival, Request& request);
/// The same by the receiver's thread, which goes as far as possible: it may call nothing more.
void consume_here(const Arrival& arrival, Request& request);

/// Takes an operation back if nothing has met it yet: a receive without a message, a send that
/// still waits in this process. It completes as cancelled then, else as if nothing happened.
void cancel(Request& request);

/// Gives a completed request back to the arena.
void retire(Request& request) noexcept;
/// The same now or when it is complete; nobody may ask for it any more.
void abandon(Request& request) noexcept;
/// Completes a request that nothing else will complete.
void finish(Request& request) noexcept;

/// A request of a blocking call or a schedule, borrowed from the arena. If an exception leaves it
/// in flight it is taken back; where that is too late it is not given back to the arena, since
/// whoever completes it later must find it.
class BorrowedRequest {
 public:
  BorrowedRequest();
  BorrowedRequest(const BorrowedRequest&) = delete;
  BorrowedRequest& operator=(const BorrowedRequest&) = delete;
  BorrowedRequest(BorrowedRequest&& other) noexcept
      : request_(std::exchange(other.request_, nullptr)) {}
  BorrowedRequest& operator=(BorrowedRequest&& other) noexcept {
    std::swap(request_, other.request_);
    return *this;
  }
  ~BorrowedRequest();

  Request& operator*() const noexcept { return *request_; }
  Request* operator->() const noexcept { return request_; }

 private:
  ep_request* request_;
};

/// What a wait for a request is for.
inline WaitSpec wait_spec(const Request& request) {
  return {.reason = request.what,
          .peer = request.peer,
          .local = request.is_local,
          .awaited = request.awaited};
}
/// Waits for a prepared and started request of the calling endpoint.
void wait_done(Request& request);
/// The same, and throws its error.
void await(Request& request);
bool is_done(const Request& request) noexcept;
/// The same for its owner, who takes part in the copy of its data if that is being made.
bool is_done_with_help(Request& request) noexcept;
/// Throws the error of a completed request, if any.
void check_outcome(const Request& request);

/// Completes without communication.
void complete_empty(Request& request, int source, int tag);
/// The same for an endpoint's part of a collective operation.
void complete_collective(Request& request, int code, const std::string& text) noexcept;

/// Fills the status of a receive in with what was matched with it.
void set_received(Request& request, int source, int tag, std::int64_t bytes, const Label& label);
/// Whether the bytes may go to its buffer: not those of another type in a checked communicator.
bool wants_data(const Request& request);

// Called by whoever drives the traffic between processes.

/// Receives a matched message of MPI into `request`, whose status says what comes.
void start_raw_receive(Request& request, MPI_Message message);
/// What came for `request`, which it was matched with.
struct Envelope {
  int source;
  int tag;
  int process;  ///< of the sender, in the clique
};
/// The same for a message still on the wire. Under the engine's lock.
void receive_raw(Request& request, const Envelope& from, const RawMessage& message);
/// The same for a body that has come: it is empty if its sender could not send it.
void receive_body(Request& request, const Body& body);
/// Reads the body of a message where its sender on this node has it, and tells it.
void read_body(Request& request, const Arrival& arrival);
/// One raw operation of `request` ended with `code`.
void complete_raw(Request& request, int code) noexcept;
/// What check_outcome() will throw; the first error counts.
void note_failure(Request& request, int code, const std::string& text) noexcept;

}  // namespace ep
