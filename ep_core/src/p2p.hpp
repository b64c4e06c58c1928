#pragma once

#include <mpi.h>

#include <memory>
#include <utility>

#include "process.hpp"
#include "request.hpp"

namespace ep {

class Wire;

/// Messages up to this size are buffered at the receiver when no receive is posted.
constexpr std::int64_t eager_bytes = 16384;

/// The library's own messages between endpoints have tags that no wildcard sees.
constexpr int own_tag(int n) { return -2 - n; }

/// Makes `request` a fresh one of the endpoint at `owner` (null: completes without anybody).
void prepare(Request& request, std::shared_ptr<Clique> clique, Slot* owner, const TypedView& view,
             const char* what);
inline void prepare(Request& request, Endpoint& endpoint, const TypedView& view, const char* what) {
  prepare(request, endpoint.clique, &endpoint.place(), view, what);
}

/// Starts to send `request.view` to `dest` of the remote group, a rank already checked.
void start_send(Endpoint& endpoint, int dest, int tag, Request& request);
/// Starts to receive into `request.view`; wildcards allowed.
void start_receive(Endpoint& endpoint, int source, int tag, Request& request);

/// The same between processes of the clique, for schedules: `peer` is an index of a process.
void start_process_send(int peer, int tag, Request& request);
void start_process_receive(Endpoint& endpoint, int peer, int tag, Request& request);

/// Hands a message to a prepared receive that it was matched with.
void consume(std::unique_ptr<Arrival> arrival, Request& request);

/// Gives a completed request back to the arena.
void retire(ep_request& request) noexcept;

/// A request of a blocking call or a schedule, borrowed from the arena. If an exception leaves it
/// in flight it is not given back: whoever completes it later must find it.
class BorrowedRequest {
 public:
  BorrowedRequest() : request_(process().requests().take()) {}
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

/// Waits for a prepared and started request of the calling endpoint.
void wait_done(Request& request);
/// The same, and throws its error.
void await(Request& request);
bool is_done(const Request& request) noexcept;
/// Throws the error of a completed request, if any.
void check_outcome(const Request& request);

/// Completes without communication.
void complete_empty(Request& request, int source, int tag);

// Called by whoever drives the traffic between processes.

/// Receives a matched message of MPI into `request`, whose status says what comes.
void start_raw_receive(Request& request, MPI_Message message);
/// One raw operation of `request` ended with `code`.
void complete_raw(Request& request, int code) noexcept;
/// Queues or delivers a matched message of the wire. Under the engine's lock.
void take_in(Wire& wire, MPI_Message message, const MPI_Status& status);

}  // namespace ep
