#include <cstring>
#include <memory>
#include <mutex>
#include <utility>

#include "p2p.hpp"
#include "remote_send.hpp"
#include "wire.hpp"

namespace ep {
namespace {

struct Incoming {
  Place sender;
  int dest_slot;  // -1: the process itself
  int tag;
  std::int64_t bytes;
};

std::int64_t bytes_of(const MPI_Status& status) {
  MPI_Count bytes = 0;
  check_mpi(MPI_Get_elements_x(&status, MPI_BYTE, &bytes), "MPI_Get_elements_x");
  return bytes;
}

BlockOfBytes read_small(MPI_Message message, std::int64_t bytes) {
  BlockOfBytes data = take_bytes(static_cast<std::size_t>(bytes) + 1);
  check_mpi(MPI_Mrecv(data.get(), static_cast<int>(bytes), MPI_BYTE, &message, MPI_STATUS_IGNORE),
            "MPI_Mrecv");
  return data;
}

// `arrival` says what came; a posted receive takes it at once, else it is queued.
void deliver(Clique& clique, const Incoming& incoming, std::unique_ptr<Arrival> arrival) {
  if (incoming.dest_slot >= clique.slot_count() || incoming.sender.process < 0) {
    fail(EP_ERR_INTERN, "a message came for slot ", incoming.dest_slot, " of ", clique.slot_count(),
         " (the processes disagree on the communicator).");
  }
  const bool between_processes = incoming.dest_slot < 0;
  Slot& target = between_processes ? clique.process_slot() : clique.slot(incoming.dest_slot);
  arrival->source =
      between_processes ? incoming.sender.process : clique.rank_of_sender(incoming.sender);
  arrival->tag = incoming.tag;
  arrival->bytes = incoming.bytes;
  arrival->process = incoming.sender.process;
  std::unique_lock lock(target.mailbox.mutex());
  PostedReceive* const posted = target.mailbox.take_posted(arrival->source, arrival->tag);
  if (posted != nullptr) {
    lock.unlock();
    consume(std::move(arrival), *posted->request);
    return;
  }
  if (arrival->kind == Arrival::Kind::raw && incoming.bytes <= eager_bytes) {
    // Whoever drives the traffic is here: the error is the receiver's.
    arrival->label.lost =
        guarded([&] { arrival->payload = read_small(arrival->message, incoming.bytes); });
    if (arrival->label.lost != EP_SUCCESS) arrival->bytes = 0;
    arrival->kind = Arrival::Kind::buffered;
  }
  target.mailbox.deposit(std::move(arrival));
  lock.unlock();
  process().registry().notify(target);
}

void take_in_short(Clique& clique, int wire_source, int raw_tag, MPI_Message message,
                   std::int64_t bytes) {
  const TagLayout::Identity id = clique.tags().decode(raw_tag);
  auto arrival = std::make_unique<Arrival>();
  arrival->kind = Arrival::Kind::raw;
  arrival->message = message;
  const Place sender{clique.process_of_wire_rank(wire_source), id.source_slot};
  deliver(clique, {sender, id.dest_slot, id.tag, bytes}, std::move(arrival));
}

void take_in_header(Clique& clique, int wire_source, const RemoteHeader& header,
                    std::unique_ptr<Arrival> arrival) {
  const Place sender{clique.process_of_wire_rank(wire_source), header.source_slot};
  deliver(clique, {sender, header.dest_slot, header.tag, header.bytes}, std::move(arrival));
}

// A message for a communicator that this process has freed: nobody can want it.
void discard(MPI_Message message, std::int64_t bytes) {
  if (bytes <= eager_bytes) static_cast<void>(read_small(message, bytes));
}

void take_in_body(Wire& wire, MPI_Message message, const MPI_Status& status) {
  const auto found = wire.awaited_bodies().find({status.MPI_SOURCE, status.MPI_TAG});
  if (found == wire.awaited_bodies().end()) {
    fail(EP_ERR_INTERN, "the body of a message came without its header.");
  }
  const std::shared_ptr<Body> body = found->second.front();
  found->second.pop_front();
  if (found->second.empty()) wire.awaited_bodies().erase(found);
  std::unique_lock lock(wire.body_mutex());
  body->arrived = true;
  body->message = message;
  body->bytes = bytes_of(status);
  Request* const receive = body->receive;
  lock.unlock();
  if (receive != nullptr) receive_body(*receive, *body);
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

void take_in_by_header(Wire& wire, MPI_Message message, const MPI_Status& status) {
  const std::int64_t size = bytes_of(status);
  auto arrival = std::make_unique<Arrival>();
  arrival->payload = read_small(message, size);
  RemoteHeader header{};
  std::memcpy(&header, arrival->payload.get(), sizeof header);
  if (header.dest_slot == acknowledgement_slot) {
    complete_raw(*wire.take_acknowledged(header.acknowledge), MPI_SUCCESS);
    return;
  }
  arrival->label = label_of(header);
  if (header.body_tag == 0) {
    arrival->payload_offset = sizeof header;
  } else {
    arrival->kind = Arrival::Kind::body;
    arrival->payload.reset();
    arrival->body = std::make_shared<Body>();
    wire.awaited_bodies()[{status.MPI_SOURCE, header.body_tag}].push_back(arrival->body);
  }
  const std::shared_ptr<Clique> clique = wire.find(header.context);
  if (!clique) return;
  const int source = status.MPI_SOURCE;
  if (clique->is_active()) {
    take_in_header(*clique, source, header, std::move(arrival));
    return;
  }
  const std::shared_ptr<Arrival> held = std::move(arrival);
  clique->when_active([target = clique.get(), source, header, held] {
    take_in_header(*target, source, header, std::make_unique<Arrival>(std::move(*held)));
  });
}

}  // namespace

void receive_body(Request& request, const Body& body) {
  if (body.bytes == request.status.ep_bytes) {
    start_raw_receive(request, body.message);
    return;
  }
  static_cast<void>(guarded([&] { static_cast<void>(read_small(body.message, body.bytes)); }));
  request.status.ep_bytes = 0;
  note_failure(request, EP_ERR_OTHER, "a message was lost (MPI failed to send its body).");
  finish(request);
}

void take_in(Wire& wire, MPI_Message message, const MPI_Status& status) {
  const TagLayout layout(wire.raw_tag_ub(), 1);
  if (layout.is_body(status.MPI_TAG)) {
    take_in_body(wire, message, status);
    return;
  }
  if (layout.is_header(status.MPI_TAG)) {
    take_in_by_header(wire, message, status);
    return;
  }
  const std::int64_t bytes = bytes_of(status);
  const std::shared_ptr<Clique> clique = wire.find(layout.context_of(status.MPI_TAG));
  if (!clique) {
    discard(message, bytes);
    return;
  }
  const int source = status.MPI_SOURCE;
  const int tag = status.MPI_TAG;
  if (clique->is_active()) {
    take_in_short(*clique, source, tag, message, bytes);
  } else {
    clique->when_active([target = clique.get(), source, tag, message, bytes] {
      take_in_short(*target, source, tag, message, bytes);
    });
  }
}

}  // namespace ep
