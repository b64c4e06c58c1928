#include "p2p.hpp"

#include <cstring>
#include <utility>

#include "remote_send.hpp"
#include "wire.hpp"

namespace ep {

namespace {

// Stores `done` last: the owner may reuse the request at once. The caller keeps the clique alive.
void finish(Request& request) {
  if (request.kept_type != MPI_DATATYPE_NULL) {
    drop_type(request.kept_type);
    request.kept_type = MPI_DATATYPE_NULL;
  }
  Slot* const owner = request.owner;
  request.done.store(1, std::memory_order_seq_cst);
  if (owner != nullptr) process().registry().notify(*owner);
}

void set_received(Request& request, int source, int tag, std::int64_t bytes) {
  request.status.EP_SOURCE = source;
  request.status.EP_TAG = tag;
  request.status.ep_bytes = bytes;
  request.status.EP_ERROR = bytes > request.capacity ? EP_ERR_TRUNCATE : EP_SUCCESS;
}

// A request that stays behind must not depend on a datatype that its caller may free.
void keep_view(Request& request) {
  const MPI_Datatype kept = keep_type(request.view.type);
  if (kept == request.view.type) return;
  request.kept_type = kept;
  request.view.type = kept;
}

// Runs a copy whose failure belongs to the request, not to the thread that happens to do it.
template <class Copy>
void copy_for(Request& request, Copy&& copy) {
  try {
    std::forward<Copy>(copy)();
  } catch (const Error& error) {
    request.status.EP_ERROR = error.code();
  }
}

void meet_body(Request& request, Body& body) {
  std::unique_lock lock(request.clique->wire()->body_mutex());
  if (!body.arrived) {
    body.receive = &request;
    return;
  }
  const MPI_Message message = body.message;
  lock.unlock();
  start_raw_receive(request, message);
}

void deliver_local(Slot& target, int source, int tag, Request& request) {
  std::unique_lock lock(target.mailbox.mutex());
  if (PostedReceive* const posted = target.mailbox.take_posted(source, tag); posted != nullptr) {
    lock.unlock();
    Request& receive = *posted->request;
    copy_for(receive, [&] {
      set_received(receive, source, tag, request.view.bytes());
      copy_typed(request.view, receive.view);
    });
    finish(receive);
    finish(request);
    return;
  }
  auto arrival = std::make_unique<Arrival>();
  arrival->source = source;
  arrival->tag = tag;
  arrival->bytes = request.view.bytes();
  const bool buffered = arrival->bytes <= eager_bytes;
  if (buffered) {
    arrival->payload =
        std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(arrival->bytes));
    pack_bytes(request.view, arrival->payload.get());
  } else {
    keep_view(request);
    arrival->kind = Arrival::Kind::rendezvous;
    arrival->sender = &request;
  }
  target.mailbox.deposit(std::move(arrival));
  lock.unlock();
  process().registry().notify(target);
  if (buffered) finish(request);
}

void receive_at(Slot& box, int source, int tag, Request& request) {
  request.is_receive = true;
  request.posted.request = &request;
  request.posted.source = source;
  request.posted.tag = tag;
  request.capacity = request.view.bytes();
  std::unique_lock lock(box.mailbox.mutex());
  if (std::unique_ptr<Arrival> arrival = box.mailbox.take_arrival(source, tag); arrival) {
    lock.unlock();
    consume(std::move(arrival), request);
    return;
  }
  keep_view(request);
  box.mailbox.post(request.posted);
}

}  // namespace

void prepare(Request& request, std::shared_ptr<Clique> clique, Slot* owner, const TypedView& view,
             const char* what) {
  request.done.store(0, std::memory_order_relaxed);
  request.clique = std::move(clique);
  request.owner = owner;
  request.is_receive = false;
  request.what = what;
  request.peer = -1;
  request.view = view;
  request.kept_type = MPI_DATATYPE_NULL;
  request.status = EP_Status{EP_ANY_SOURCE, EP_ANY_TAG, EP_SUCCESS, 0, 0};
  request.raw_left.store(0, std::memory_order_relaxed);
}

BorrowedRequest::~BorrowedRequest() {
  if (request_ == nullptr || (request_->owner != nullptr && !is_done(*request_))) return;
  retire(*request_);
}

void retire(ep_request& request) noexcept {
  request.alive.store(0);
  request.clique.reset();
  request.owner = nullptr;
  if (request.staging.capacity() > 4 * static_cast<std::size_t>(eager_bytes)) {
    request.staging = {};
  }
  request.staging.clear();
  process().requests().give(&request);
}

void start_send(Endpoint& endpoint, int dest, int tag, Request& request) {
  Clique& clique = *endpoint.clique;
  const Place place = endpoint.remote_group().place(dest);
  request.peer = dest;
  if (place.process == clique.my_process()) {
    deliver_local(clique.slot(place.slot), endpoint.rank, tag, request);
  } else {
    send_remote(request, {place.process, endpoint.slot, place.slot, tag});
  }
}

void start_receive(Endpoint& endpoint, int source, int tag, Request& request) {
  request.peer = source;
  receive_at(endpoint.place(), source, tag, request);
}

void start_process_send(int peer, int tag, Request& request) {
  request.peer = peer;
  send_remote(request, {peer, -1, -1, own_tag(tag)});
}

void start_process_receive(Endpoint& endpoint, int peer, int tag, Request& request) {
  request.peer = peer;
  receive_at(endpoint.clique->process_slot(), peer, own_tag(tag), request);
}

void consume(std::unique_ptr<Arrival> arrival, Request& request) {
  set_received(request, arrival->source, arrival->tag, arrival->bytes);
  switch (arrival->kind) {
    case Arrival::Kind::buffered:
      copy_for(request, [&] {
        unpack_bytes(arrival->payload.get() + arrival->payload_offset, arrival->bytes,
                     request.view);
      });
      finish(request);
      break;
    case Arrival::Kind::rendezvous: {
      Request& sender = *arrival->sender;
      copy_for(request, [&] { copy_typed(sender.view, request.view); });
      finish(sender);
      finish(request);
      break;
    }
    case Arrival::Kind::raw:
      request.raw_process = arrival->process;
      start_raw_receive(request, arrival->message);
      break;
    case Arrival::Kind::body:
      request.raw_process = arrival->process;
      meet_body(request, *arrival->body);
      break;
  }
}

bool is_done(const Request& request) noexcept {
  return request.done.load(std::memory_order_seq_cst) != 0;
}

void wait_done(Request& request) {
  if (is_done(request)) return;
  const WaitSpec spec{request.what, request.peer};
  process().registry().wait(*request.owner, spec, [&request] { return is_done(request); });
}

void await(Request& request) {
  wait_done(request);
  check_outcome(request);
}

void check_outcome(const Request& request) {
  const int code = request.status.EP_ERROR;
  if (code == EP_SUCCESS) return;
  if (code == EP_ERR_TRUNCATE) {
    fail(code, "message of ", request.status.ep_bytes, " bytes from rank ",
         request.status.EP_SOURCE, " with tag ", request.status.EP_TAG,
         " is cut (the receive buffer has ", request.capacity,
         " bytes). Probe for the size first?");
  }
  fail(code, request.what, " failed (error class ", code, " while moving the data).");
}

void complete_empty(Request& request, int source, int tag) {
  request.status.EP_SOURCE = source;
  request.status.EP_TAG = tag;
  finish(request);
}

void start_raw_receive(Request& request, MPI_Message message) {
  const std::int64_t bytes = request.status.ep_bytes;
  TypedView into = request.view;
  if (bytes > request.capacity) {
    request.staging.resize(static_cast<std::size_t>(bytes));
    into = {request.staging.data(), static_cast<int>(bytes), MPI_BYTE};
  }
  MPI_Request raw = MPI_REQUEST_NULL;
  request.raw_left.store(1);
  check_mpi(MPI_Imrecv(into.data, into.count, into.type, &message, &raw), "MPI_Imrecv");
  int flag = 0;
  const int code = MPI_Test(&raw, &flag, MPI_STATUS_IGNORE);
  const int peer = request.clique->process(request.raw_process).wire_rank;
  const std::shared_ptr<Clique> clique = request.clique;
  if (code != MPI_SUCCESS || flag != 0) {
    complete_raw(request, code);
  } else {
    process().engine().add(raw, request, clique, peer);
  }
  clique->wire()->ring(peer);
}

void complete_raw(Request& request, int code) noexcept {
  if (code != MPI_SUCCESS) {
    int error_class = MPI_ERR_OTHER;
    if (MPI_Error_class(code, &error_class) != MPI_SUCCESS) error_class = MPI_ERR_OTHER;
    request.status.EP_ERROR = error_class;
  }
  if (request.raw_left.fetch_sub(1) > 1) return;
  if (request.is_receive && request.status.EP_ERROR == EP_ERR_TRUNCATE &&
      !request.staging.empty()) {
    try {
      unpack_bytes(request.staging.data(), request.capacity, request.view);
    } catch (const Error&) {
      request.status.EP_ERROR = EP_ERR_TRUNCATE;  // the first error is the one that counts
    }
  }
  finish(request);
}

}  // namespace ep
