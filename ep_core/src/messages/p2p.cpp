// Messages of one endpoint: starting, matching within the process, and completion. remote_send.cpp
// sends messages to other processes, raw_receive.cpp receives them. In order: delivery inside the
// process, short paths, requests, starts, consuming, waiting.
#include "messages/p2p.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "handles/start_handles.hpp"
#include "messages/generalized.hpp"
#include "messages/heard_message.hpp"
#include "messages/message_tables.hpp"
#include "messages/message_wire.hpp"
#include "messages/persistent.hpp"
#include "messages/remote_send.hpp"
#include "messages/send_buffer.hpp"
#include "process/error.hpp"
#include "progress/progress.hpp"

namespace ep {

namespace {

void meet_body(Request& request, Body& body) {
  std::unique_lock lock(wire_of(*request.clique).body_mutex());
  if (!body.arrived) {
    body.receive = &request;
    return;
  }
  lock.unlock();
  receive_body(request, body);
}

// Both ends are in this process; the thread that waits for `waiting` may help.
void move_data(const Request& send, const Request& receive, Request& waiting) {
  if (!wants_data(receive)) return;
  const std::byte* const from = send.view.block();
  std::byte* const to = receive.view.block();
  const auto bytes = static_cast<std::size_t>(std::min(send.view.bytes(), receive.view.bytes()));
  if (from == nullptr || to == nullptr || bytes < SharedCopy::least_bytes) {
    copy_typed(send.view, receive.view);
  } else {
    waiting.copy.make(to, from, bytes);
  }
}

// Delivers a message to a matched receive, in the thread of the sender.
void deliver_to(Request& receive, int source, int tag, Request& send) {
  set_received(receive, source, tag, send.view.bytes(), send.label);
  hear_received(receive);
  move_data(send, receive, receive);
  finish(receive);
  finish(send);
}

void deliver_local(Slot& target, int source, int tag, Request& request) {
  std::unique_lock lock(target.mailbox.mutex());
  if (Request* const receive = take_posted(target.mailbox, source, tag); receive != nullptr) {
    lock.unlock();
    deliver_to(*receive, source, tag, request);
    return;
  }
  ArrivalPtr arrival = make_arrival();
  arrival->source = source;
  arrival->tag = tag;
  arrival->bytes = request.view.bytes();
  arrival->label = request.label;
  const bool buffered = arrival->bytes <= eager_bytes && !request.is_synchronous;
  if (buffered) {
    pack_bytes(request.view, arrival->payload.resize(static_cast<std::size_t>(arrival->bytes)));
  } else {
    arrival->kind = Arrival::Kind::rendezvous;
    arrival->sender = &request;
    request.box = &target;
    request.undelivered = arrival.get();
  }
  target.mailbox.deposit(std::move(arrival));
  lock.unlock();
  registry().notify(target);
  if (buffered) finish(request);
}

enum class Caller { goes_on, blocks };

void receive_at(Slot& box, int source, int tag, Request& request, Caller caller) {
  request.is_receive = true;
  request.box = &box;
  request.posted.request = &request;
  request.posted.source = source;
  request.posted.tag = tag;
  request.capacity = request.view.bytes();
  std::unique_lock lock(box.mailbox.mutex());
  if (const ArrivalPtr arrival = take_arrival(box.mailbox, source, tag); arrival) {
    lock.unlock();
    consume_here(*arrival, request);
    return;
  }
  if (caller == Caller::blocks) {
    request.offer = box.mailbox.offer(request.posted);
  } else {
    box.mailbox.post(request.posted);
  }
}

// Unpacks the message that another thread has filled in.
void take_over(Request& request) {
  DirectReceiveSlot& from = request.box->mailbox.direct_receive();
  const auto bytes = static_cast<std::int64_t>(from.bytes());
  set_received(request, from.source(), from.tag(), bytes, Label{});
  hear_received(request);
  unpack_bytes(from.data(), bytes, request.view);
  from.take(request.offer);
  request.state.store(Request::done, std::memory_order_relaxed);
}

// Fills a small message into the slot of its receiver, if that blocks in a receive of it.
bool fill_direct_receive(Slot& target, int source, int tag, std::span<const std::byte> message) {
  DirectReceiveSlot& slot = target.mailbox.direct_receive();
  if (slot.claim(source, tag) == nullptr) return false;
  slot.fill(source, tag, message.data(), message.size());
  registry().notify_of_change(target);
  return true;
}

// The error of a message that could not even be started; `request` has it, too.
int dispatch(const Member& member, int dest, int tag, Request& request) {
  Clique& clique = *member.clique;
  const Place place = member.remote_group().place(dest);
  request.peer = dest;
  if (place.process == clique.my_process()) {
    request.is_local = true;
    deliver_local(clique.slot(place.slot), member.rank, tag, request);
    return EP_SUCCESS;
  }
  return send_remote(request, {place.process, member.slot, place.slot, tag});
}

// Packs the message into the attached buffer and sends it from there; the request is complete.
void send_buffered(const Member& member, int dest, int tag, Request& request) {
  const std::shared_ptr<SendBuffer> buffer = send_buffers().get(attached_endpoint());
  const std::int64_t bytes = request.view.bytes();
  const std::size_t offset = buffer->reserve(static_cast<std::size_t>(bytes));
  pack_bytes(request.view, buffer->at(offset));
  ep_request& courier = *request_arena().take();
  prepare(courier, member.clique, nullptr, mapped_bytes(buffer->at(offset), bytes),
          "a buffered message");
  courier.state.store(Request::abandoned);
  courier.buffer = buffer;
  courier.buffer_offset = offset;
  courier.label = request.label;
  if (const int code = dispatch(member, dest, tag, courier); code != EP_SUCCESS) {
    note_failure(request, code, last_error());
  }
  finish(request);
}

}  // namespace

void prepare(Request& request, std::shared_ptr<Clique> clique, WaitPoint* owner, MappedView view,
             const char* what) {
  request.state.store(Request::pending, std::memory_order_relaxed);
  request.clique = std::move(clique);
  request.owner = owner;
  request.is_receive = false;
  request.is_synchronous = false;
  request.is_local = false;
  request.offer = DirectReceiveSlot::no_generation;
  request.what = what;
  request.peer = -1;
  request.awaited = nullptr;
  request.view = std::move(view);
  request.label = {};
  request.box = nullptr;
  request.undelivered = nullptr;
  request.status = EP_Status{EP_ANY_SOURCE, EP_ANY_TAG, EP_SUCCESS, 0, 0};
  if (!request.error_text.empty()) request.error_text.clear();
  request.raw_left.store(0, std::memory_order_relaxed);
  request.staging.clear();
  request.is_staged = false;
}

BorrowedRequest::BorrowedRequest() : request_(request_arena().borrow()) {}

BorrowedRequest::~BorrowedRequest() {
  if (request_ == nullptr) return;
  if (request_->owner != nullptr && !is_done(*request_)) {
    cancel(*request_);
    if (!is_done(*request_)) return;
  }
  retire(*request_);
}

void retire(Request& request) noexcept {
  request.alive.store(0, std::memory_order_release);
  request.owner = nullptr;
  request.view.map.reset();
  request.persistent.reset();
  request.generalized.reset();
  request.kept.reset();
  if (request.buffer) request.buffer->release(request.buffer_offset);
  request.buffer.reset();
  request.error_text.clear();
  if (request.staging.capacity() > 4 * static_cast<std::size_t>(eager_bytes)) {
    request.staging = {};
  }
  request.staging.clear();
  const std::shared_ptr<Clique> last = std::move(request.clique);
  request_arena().give(static_cast<ep_request*>(&request));
}

void abandon(Request& request) noexcept {
  std::uint32_t expected = Request::pending;
  request.alive.store(0);
  if (!request.state.compare_exchange_strong(expected, Request::abandoned)) retire(request);
}

// The owner may reuse the request as soon as it is done. The caller keeps the clique alive.
void finish(Request& request) noexcept {
  WaitPoint* const owner = request.owner;
  if (request.state.exchange(Request::done, std::memory_order_seq_cst) == Request::abandoned) {
    if (request.generalized) request.generalized->free(request.generalized->extra);
    const auto then = std::exchange(request.then, nullptr);
    if (then) static_cast<void>(guarded([&] { then(request); }));
    retire(request);
  } else if (owner != nullptr) {
    registry().notify_of_change(*owner);
  }
}

Label label_of(const Member& member, const MappedView& view) {
  Label label;
  label.checked = member.clique->checks_types.load(std::memory_order_relaxed);
  if (label.checked) label.signature = view.map->signature->prefix(view.count, view.bytes()).hash;
  return label;
}

void start_send(const Member& member, int dest, int tag, Request& request, SendMode mode) {
  if (dest == EP_PROC_NULL) {
    complete_empty(request, EP_PROC_NULL, EP_ANY_TAG);
    return;
  }
  if (!request.label.checked) request.label = label_of(member, request.view);
  if (mode == SendMode::buffered) {
    try {
      send_buffered(member, dest, tag, request);
    } catch (const Error&) {
      finish(request);  // no part of it has been sent
      throw;
    }
    return;
  }
  request.is_synchronous = mode == SendMode::synchronous;
  dispatch(member, dest, tag, request);
}

void start_receive(const Member& member, int source, int tag, Request& request) {
  if (source == EP_PROC_NULL) {
    complete_empty(request, EP_PROC_NULL, EP_ANY_TAG);
    return;
  }
  request.peer = source;
  receive_at(member.place(), source, tag, request, Caller::goes_on);
}

void start_blocking_receive(const Member& member, int source, int tag, Request& request) {
  if (source == EP_PROC_NULL) {
    complete_empty(request, EP_PROC_NULL, EP_ANY_TAG);
    return;
  }
  request.peer = source;
  const bool is_exact = source != EP_ANY_SOURCE;
  request.is_local =
      is_exact && member.remote_group().place(source).process == member.clique->my_process();
  receive_at(member.place(), source, tag, request, Caller::blocks);
}

void wait_received(Request& request) {
  if (request.offer == DirectReceiveSlot::no_generation) {
    wait_done(request);
    return;
  }
  const DirectReceiveSlot& from = request.box->mailbox.direct_receive();
  const WaitSpec spec = wait_spec(request);
  try {
    registry().wait(*request.owner, spec,
                    [&] { return from.is_filled(request.offer) || is_done_with_help(request); });
  } catch (const std::exception&) {
    // After an error of the communication the receive is cancelled, unless its message has arrived
    // meanwhile.
    cancel(request);
    if (request.status.ep_cancelled != 0) throw;
    if (!is_done(request) && !from.await_claimer(request.offer)) throw;
  }
  if (!is_done(request)) take_over(request);
}

bool send_at_once(const Member& member, int dest, int tag, const MappedView& view, SendMode mode) {
  const std::byte* const block = view.block();
  Clique& clique = *member.clique;
  if (dest == EP_PROC_NULL || mode == SendMode::buffered ||
      (block == nullptr && view.bytes() > 0) ||
      clique.checks_types.load(std::memory_order_relaxed)) {
    return false;
  }
  const Place place = member.remote_group().place(dest);
  if (place.process == clique.my_process()) {
    const auto bytes = static_cast<std::size_t>(view.bytes());
    return bytes <= DirectReceiveSlot::room &&
           fill_direct_receive(clique.slot(place.slot), member.rank, tag, {block, bytes});
  }
  return mode != SendMode::synchronous && view.bytes() <= eager_bytes &&
         send_short_at_once(member, {place.process, member.slot, place.slot, tag}, view);
}

void start_process_send(int peer, int tag, Request& request) {
  request.peer = peer;
  send_remote(request, {peer, -1, -1, own_tag(tag)});
}

void start_lost_process_send(int peer, int tag, Request& request, int code) {
  request.peer = peer;
  send_loss(request, {peer, -1, -1, own_tag(tag)}, code);
}

void start_process_receive(int peer, int tag, Request& request) {
  request.peer = peer;
  receive_at(request.clique->process_slot(), peer, own_tag(tag), request, Caller::goes_on);
}

void consume(const Arrival& arrival, Request& request) {
  set_received(request, arrival.source, arrival.tag, arrival.bytes, arrival.label);
  hear_received(request);
  request.raw_process = arrival.process;
  if (arrival.label.acknowledge != 0) {
    const auto acknowledge = [&] {
      send_acknowledgement(request.clique, arrival.process, arrival.label.acknowledge);
    };
    // Tries a second time, since the sender would otherwise wait for ever. Any thread that drives
    // the communication runs this, but the error belongs to the receiver.
    int code = guarded(acknowledge);
    if (code != EP_SUCCESS) code = guarded(acknowledge);
    if (code != EP_SUCCESS) note_failure(request, code, last_error());
  }
  switch (arrival.kind) {
    case Arrival::Kind::buffered:
      if (wants_data(request)) {
        unpack_bytes(arrival.payload.data() + arrival.payload_offset, arrival.bytes, request.view);
      }
      finish(request);
      break;
    case Arrival::Kind::rendezvous: {
      // The caller is the receiver: its endpoint keeps the clique until the last notification.
      Request& sender = *arrival.sender;
      move_data(sender, request, sender);
      finish(sender);
      finish(request);
      break;
    }
    case Arrival::Kind::raw:
      start_raw_receive(request, arrival.message);
      break;
    case Arrival::Kind::body:
      meet_body(request, *arrival.body);
      break;
    case Arrival::Kind::readable:
      read_body(request, arrival);
      break;
  }
}

void consume_here(const Arrival& arrival, Request& request) {
  consume(arrival, request);
  if (arrival.kind == Arrival::Kind::readable) engine().advance_driven();
}

void cancel(Request& request) {
  if (is_done(request) || request.box == nullptr) return;
  const std::shared_ptr<Clique> keep = request.clique;
  ArrivalPtr taken;
  {
    const std::lock_guard lock(request.box->mailbox.mutex());
    if (request.is_receive) {
      if (!request.box->mailbox.withdraw(request.posted)) return;
    } else {
      if (request.undelivered == nullptr) return;
      taken = withdraw(request.box->mailbox, *request.undelivered);
    }
  }
  request.status.ep_cancelled = 1;
  finish(request);
}

bool is_done(const Request& request) noexcept {
  return request.state.load(std::memory_order_seq_cst) == Request::done;
}

bool is_done_with_help(Request& request) noexcept {
  if (is_done(request)) return true;
  request.copy.help();
  return is_done(request);
}

void wait_done(Request& request) {
  if (is_done(request)) return;
  const WaitSpec spec = wait_spec(request);
  registry().wait(*request.owner, spec, [&request] { return is_done_with_help(request); });
}

void await(Request& request) {
  wait_done(request);
  check_outcome(request);
}

void check_outcome(const Request& request) {
  const int code = request.status.EP_ERROR;
  if (code == EP_SUCCESS) return;
  if (!request.error_text.empty()) throw Error(code, request.error_text);
  if (code == EP_ERR_TRUNCATE) {
    fail(code, "message of ", request.status.ep_bytes, " bytes from rank ",
         request.status.EP_SOURCE, " with tag ", request.status.EP_TAG,
         " is cut (the receive buffer has ", request.capacity,
         " bytes). Probe for the size first?");
  }
  if (code == EP_ERR_TYPE && request.label.checked) {
    fail(code, "message of ", request.label.signature.elements, " elements beginning with ",
         basic_name(request.label.signature.first), " from rank ", request.status.EP_SOURCE,
         " with tag ", request.status.EP_TAG, " meets a receive of ", request.view.count,
         " elements beginning with ", basic_name(request.view.map->signature->hash().first),
         " (their type signatures differ). Same datatypes on both sides?");
  }
  fail(code, request.what, " failed (error class ", code, " while moving the data).");
}

void complete_empty(Request& request, int source, int tag) {
  request.status.EP_SOURCE = source;
  request.status.EP_TAG = tag;
  finish(request);
}

void complete_collective(Request& request, int code, const std::string& text) noexcept {
  request.status.EP_ERROR = code;
  if (code != EP_SUCCESS) request.error_text = text;
  finish(request);
}

}  // namespace ep
