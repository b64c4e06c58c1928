// Takes messages from the wire and delivers them: by the identity in their tag, or by a header. A
// message may precede the activation of its communicator, a body its header; both wait. In order:
// matching and delivery, short messages, bodies, headers, and the dispatch of the engine.
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>

#include "messages/message_wire.hpp"
#include "messages/p2p.hpp"
#include "messages/process_receiver.hpp"
#include "messages/remote_send.hpp"
#include "process/error.hpp"
#include "progress/progress.hpp"
#include "progress/raw_message.hpp"
#include "shm/joint_copy.hpp"

namespace ep {
namespace {

struct Incoming {
  Place sender;
  int dest_slot;  // -1: the process itself
  int tag;
};

void read_small(const RawMessage& message, Payload& into) {
  message.receive(into.resize(static_cast<std::size_t>(message.bytes())));
}

// Takes a message from the wire, to be matched or received later.
ArrivalPtr hold(const RawMessage& message) {
  ArrivalPtr arrival = make_arrival();
  arrival->bytes = message.bytes();
  // Any thread that drives the communication runs this; the error belongs to the receiver.
  arrival->label.lost = guarded([&] {
    if (message.bytes() <= eager_bytes) {
      read_small(message, arrival->payload);
    } else {
      arrival->message = message.hold();
      arrival->kind = Arrival::Kind::raw;
    }
  });
  if (arrival->label.lost != EP_SUCCESS) arrival->bytes = 0;
  return arrival;
}

Slot& target_of(Clique& clique, const Incoming& incoming) {
  if (incoming.dest_slot >= clique.slot_count() || incoming.sender.process < 0) {
    fail(EP_ERR_INTERN, "a message came for slot ", incoming.dest_slot, " of ", clique.slot_count(),
         " (the processes disagree on the communicator).");
  }
  return incoming.dest_slot < 0 ? clique.process_slot() : clique.slot(incoming.dest_slot);
}

int source_rank(const Clique& clique, const Incoming& incoming) {
  return incoming.dest_slot < 0 ? incoming.sender.process : clique.rank_of_sender(incoming.sender);
}

// A posted receive takes the message at once, by `serve`; else it is queued as `hold` makes it.
template <class Serve, class Hold>
void match(Clique& clique, const Incoming& incoming, Serve&& serve, Hold&& hold) {
  Slot& target = target_of(clique, incoming);
  const int source = source_rank(clique, incoming);
  std::unique_lock lock(target.mailbox.mutex());
  Request* const receive = take_posted(target.mailbox, source, incoming.tag);
  if (receive != nullptr) {
    lock.unlock();
    serve(*receive, source);
    return;
  }
  ArrivalPtr arrival = hold();
  arrival->source = source;
  arrival->tag = incoming.tag;
  arrival->process = incoming.sender.process;
  target.mailbox.deposit(std::move(arrival));
  lock.unlock();
  registry().notify(target);
}

void deliver(Clique& clique, const Incoming& incoming, const RawMessage& message) {
  match(
      clique, incoming,
      [&](Request& receive, int source) {
        receive_raw(receive, {source, incoming.tag, incoming.sender.process}, message);
      },
      [&] { return hold(message); });
}

// Delivers a message that was taken from the wire before.
void deliver(Clique& clique, const Incoming& incoming, ArrivalPtr arrival) {
  match(
      clique, incoming,
      [&](Request& receive, int source) {
        arrival->source = source;
        arrival->tag = incoming.tag;
        arrival->process = incoming.sender.process;
        consume(*arrival, receive);
      },
      [&] { return std::move(arrival); });
}

Incoming incoming_of(const Clique& clique, int wire_source, int raw_tag) {
  const TagLayout::Identity id = clique.tags().decode(raw_tag);
  return {{clique.process_of_wire_rank(wire_source), id.source_slot}, id.dest_slot, id.tag};
}

Incoming incoming_of(const Clique& clique, int wire_source, const RemoteHeader& header) {
  return {
      {clique.process_of_wire_rank(wire_source), header.source_slot}, header.dest_slot, header.tag};
}

// Delivers a message for a communicator that is not complete here, as soon as it is. `identity` is
// the argument of incoming_of().
template <class Identity>
void deliver_later(Clique& clique, int wire_source, const Identity& identity, ArrivalPtr arrival) {
  // A function must be copyable.
  const auto held = std::make_shared<ArrivalPtr>(std::move(arrival));
  clique.when_active([target = &clique, wire_source, identity, held] {
    deliver(*target, incoming_of(*target, wire_source, identity), std::move(*held));
  });
}

void take_in_short(MessageWire& wire, const RawMessage& message) {
  const std::shared_ptr<Clique> clique = wire.find(wire.tags().context_of(message.tag()));
  if (!clique) {
    // The message is for a communicator that this process has freed, so it is dropped.
    Payload nowhere;
    if (message.bytes() <= eager_bytes) {
      read_small(message, nowhere);
    } else {
      static_cast<void>(message.hold());  // a large one stays with MPI
    }
  } else if (clique->is_active()) {
    deliver(*clique, incoming_of(*clique, message.source(), message.tag()), message);
  } else {
    deliver_later(*clique, message.source(), message.tag(), hold(message));
  }
}

void set_come(Body& body, const EarlyBody& come) {
  body.arrived = true;
  body.message = come.message;
  body.bytes = come.bytes;
}

void take_in_body(MessageWire& wire, const RawMessage& message) {
  const auto found = wire.awaited_bodies().find({message.source(), message.tag()});
  if (found == wire.awaited_bodies().end()) {
    if (wire.shm_peer(message.source()) == nullptr) {
      fail(EP_ERR_INTERN, "the body of a message came without its header.");
    }
    const EarlyBody early{message.hold(), message.bytes()};
    wire.early_bodies()[{message.source(), message.tag()}].push_back(early);
    return;
  }
  const std::shared_ptr<Body> body = found->second.front();
  found->second.pop_front();
  if (found->second.empty()) wire.awaited_bodies().erase(found);
  const EarlyBody come{message.hold(), message.bytes()};
  std::unique_lock lock(wire.body_mutex());
  set_come(*body, come);
  Request* const receive = body->receive;
  lock.unlock();
  if (receive != nullptr) receive_body(*receive, *body);
}

// The body that a header announces: here before it, or awaited.
std::shared_ptr<Body> body_of(MessageWire& wire, int source, int raw_tag) {
  auto body = std::make_shared<Body>();
  const auto early = wire.early_bodies().find({source, raw_tag});
  if (early == wire.early_bodies().end()) {
    wire.awaited_bodies()[{source, raw_tag}].push_back(body);
    return body;
  }
  set_come(*body, early->second.front());  // no other thread has it yet
  early->second.pop_front();
  if (early->second.empty()) wire.early_bodies().erase(early);
  return body;
}

Label label_of(const RemoteHeader& header) {
  Label label;
  label.acknowledge = header.acknowledge;
  label.lost = header.lost;
  label.checked = header.is_checked != 0;
  label.signature.value = header.signature;
  label.signature.elements = header.elements;
  label.signature.first = header.first_basic;
  label.signature.packed = header.is_packed != 0;
  return label;
}

void take_in_by_header(MessageWire& wire, const RawMessage& message) {
  ArrivalPtr arrival = make_arrival();
  read_small(message, arrival->payload);
  RemoteHeader header{};
  std::memcpy(&header, arrival->payload.data(), sizeof header);
  if (header.dest_slot == acknowledgement_slot) {
    // A sender that has noticed the end of a copy itself does not wait any more.
    Request* const request = wire.take_acknowledged(header.acknowledge);
    if (request != nullptr) complete_raw(*request, MPI_SUCCESS);
    return;
  }
  if (header.dest_slot == copy_call_slot) {
    CopyCall call{};
    std::memcpy(&call, arrival->payload.data() + sizeof header, sizeof call);
    take_part_in_copy(wire, message.source(), header, call);
    return;
  }
  if (header.dest_slot == receiver_slot) {
    // A message for a receiver that has ended is dropped, since no one can want it.
    const std::shared_ptr<Clique> clique = wire.find(header.context);
    if (!clique) return;
    const std::shared_ptr<ProcessReceiver> receiver = receiver_of(*clique);
    if (!receiver) return;
    const std::byte* const begin = arrival->payload.data() + sizeof header;
    receiver->take_in(clique, clique->process_of_wire_rank(message.source()),
                      {begin, static_cast<std::size_t>(header.bytes)});
    return;
  }
  arrival->label = label_of(header);
  arrival->bytes = header.bytes;
  if (header.body_address != 0) {
    arrival->kind = Arrival::Kind::readable;
    arrival->body_address = header.body_address;
    arrival->read = header.read;
  } else if (header.body_tag == 0) {
    arrival->payload_offset = sizeof header;
  } else {
    arrival->kind = Arrival::Kind::body;
    arrival->body = body_of(wire, message.source(), header.body_tag);
  }
  const std::shared_ptr<Clique> clique = wire.find(header.context);
  if (!clique) return;
  if (clique->is_active()) {
    deliver(*clique, incoming_of(*clique, message.source(), header), std::move(arrival));
  } else {
    deliver_later(*clique, message.source(), header, std::move(arrival));
  }
}

}  // namespace

void receive_body(Request& request, const Body& body) {
  if (body.bytes == request.status.ep_bytes) {
    start_raw_receive(request, body.message);
    return;
  }
  MPI_Message nothing = body.message;
  static_cast<void>(MPI_Mrecv(nullptr, 0, MPI_BYTE, &nothing, MPI_STATUS_IGNORE));
  request.status.ep_bytes = 0;
  note_failure(request, EP_ERR_OTHER, "a message was lost (MPI failed to send its body).");
  finish(request);
}

void MessageWire::take_in(const RawMessage& message) {
  if (tags().is_body(message.tag())) {
    take_in_body(*this, message);
  } else if (tags().is_header(message.tag())) {
    take_in_by_header(*this, message);
  } else {
    take_in_short(*this, message);
  }
}

}  // namespace ep
