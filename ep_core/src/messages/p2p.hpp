#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <utility>

#include "handles/endpoint.hpp"
#include "messages/request.hpp"
#include "progress/raw_message.hpp"

namespace ep {

/// Largest size of a message that is buffered at the receiver if no receive is posted.
constexpr std::int64_t eager_bytes = 16384;

/// Returns the tag of one of the library's own messages between endpoints, which no wildcard
/// matches.
constexpr int own_tag(int n) { return -2 - n; }

/// When a send completes. The library treats a ready send as a standard one.
enum class SendMode { standard, synchronous, buffered, ready };

/// Resets `request`, which will notify `owner` (null: it notifies no endpoint).
void prepare(Request& request, std::shared_ptr<Clique> clique, WaitPoint* owner, MappedView view,
             const char* what);
inline void prepare(Request& request, const Member& member, MappedView view, const char* what) {
  prepare(request, member.clique, &member.place(), std::move(view), what);
}

/// Returns the label of a message of `view`: its type signature in a checked communicator.
Label label_of(const Member& member, const MappedView& view);
/// Starts to send `request.view` to `dest` of the remote group, a rank already checked, or
/// EP_PROC_NULL.
void start_send(const Member& member, int dest, int tag, Request& request,
                SendMode mode = SendMode::standard);
/// Starts to receive into `request.view`; wildcards and EP_PROC_NULL are allowed.
void start_receive(const Member& member, int source, int tag, Request& request);

/// Starts a receive of a caller that calls wait_received() next, which delivers small messages
/// faster.
void start_blocking_receive(const Member& member, int source, int tag, Request& request);
void wait_received(Request& request);

/// Tries the short paths of a small message, which need no request: an endpoint of this process
/// blocks in a matching receive, or MPI takes the message at once. Returns true if the send is
/// complete. `dest` is a rank already checked, or EP_PROC_NULL.
bool send_at_once(const Member& member, int dest, int tag, const MappedView& view, SendMode mode);

/// Starts to send between processes of the clique, for schedules: `peer` is an index of a process.
void start_process_send(int peer, int tag, Request& request);
/// Sends `code` instead of useless data: the receive fails with it.
void start_lost_process_send(int peer, int tag, Request& request, int code);
void start_process_receive(int peer, int tag, Request& request);

/// Hands a message, taken from its mailbox, to the prepared receive with which it was matched.
void consume(const Arrival& arrival, Request& request);
/// Does what consume() does, in the receiver's thread, and goes as far as possible, since the
/// receiver may make no further call.
void consume_here(const Arrival& arrival, Request& request);

/// Takes an operation back if nothing has matched it yet: a receive without a message, or a send
/// that still waits in this process. It completes as cancelled then, otherwise as if nothing had
/// happened.
void cancel(Request& request);

/// Returns a completed request to the arena.
void retire(Request& request) noexcept;
/// Returns the request to the arena, at once or when it completes; it must not be used any more.
void abandon(Request& request) noexcept;
/// Completes a request that nothing else will complete.
void finish(Request& request) noexcept;

/// Borrows a request from the arena for a blocking call or a schedule. A request that an exception
/// leaves pending is cancelled. If that is too late it does not return to the arena, since the
/// thread that completes it must find it.
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

/// Returns the description of a wait for a request.
inline WaitSpec wait_spec(const Request& request) {
  return {.reason = request.what,
          .peer = request.peer,
          .local = request.is_local,
          .awaited = request.awaited};
}
/// Waits for a prepared and started request of the calling endpoint.
void wait_done(Request& request);
/// Waits for the request and throws its error.
void await(Request& request);
bool is_done(const Request& request) noexcept;
/// Does what is_done() does for the owner of the request, and takes part in a copy of its data that
/// is being made.
bool is_done_with_help(Request& request) noexcept;
/// Throws the error of a completed request, if any.
void check_outcome(const Request& request);

/// Completes a receive without communication.
void complete_empty(Request& request, int source, int tag);
/// Completes the request of an endpoint in a collective operation.
void complete_collective(Request& request, int code, const std::string& text) noexcept;

/// Fills the status of a receive with the envelope of the matched message.
void set_received(Request& request, int source, int tag, std::int64_t bytes, const Label& label);
/// True if the bytes may go to its buffer; false for data of another type in a checked
/// communicator.
bool wants_data(const Request& request);

// The thread that drives the communication between processes calls the following functions.

/// Receives a matched message of MPI into `request`, whose status describes the message.
void start_raw_receive(Request& request, MPI_Message message);
/// The envelope of a message that was matched with a request.
struct Envelope {
  int source;
  int tag;
  int process;  ///< the sender's process in the clique
};
/// Receives a message that is still on the wire. Under the engine's lock.
void receive_raw(Request& request, const Envelope& from, const RawMessage& message);
/// Receives a body that has arrived. It is empty if its sender could not send it.
void receive_body(Request& request, const Body& body);
/// Reads the body of a message in the memory of its sender on this node, and tells the sender.
void read_body(Request& request, const Arrival& arrival);
/// Records that one raw operation of `request` has ended with `code`.
void complete_raw(Request& request, int code) noexcept;
/// Sets the error that check_outcome() will throw; the first error counts.
void note_failure(Request& request, int code, const std::string& text) noexcept;

}  // namespace ep
