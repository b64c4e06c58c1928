// Sends messages to other processes: short ones by tag alone, others with a header, long bodies
// behind it or read by the receiver. All envelopes to a process take one path, to stay in order. In
// order: the paths, forms of messages, losses, the sends, acknowledgements and copies.
#include "messages/remote_send.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>

#include "handles/endpoint.hpp"
#include "messages/message_tables.hpp"
#include "messages/message_wire.hpp"
#include "messages/p2p.hpp"
#include "process/error.hpp"
#include "progress/progress.hpp"
#include "progress/raw_message.hpp"
#include "shm/joint_copy.hpp"

namespace ep {

namespace {

struct Route {
  MessageWire& wire;
  int peer;  // rank on the wire
};

ShmMessage shm_message(const Route& route, int raw_tag, const std::byte* data, std::int64_t bytes) {
  return {route.wire.rank(), raw_tag, {data, static_cast<std::size_t>(bytes)}};
}

// Tests once, as small messages are complete at once, and leaves the rest to the engine.
void leave_to_engine(MPI_Request raw, Request& request, const Route& route) {
  int flag = 0;
  const int code = MPI_Test(&raw, &flag, MPI_STATUS_IGNORE);
  if (code != MPI_SUCCESS || flag != 0) {
    complete_raw(request, code);
  } else {
    engine().add(raw, request, traffic_of(request.clique), route.peer);
  }
}

// Sends an envelope, whose bytes must stay in place until `request` is notified. All messages to a
// process with a shared-memory path use that path, so that they arrive in one order.
void send_envelope(const std::byte* data, std::int64_t bytes, int raw_tag, Request& request,
                   const Route& route, ShmKind kind = ShmKind::message) {
  if (ShmPeer* const shm = route.wire.shm_peer(route.peer); shm != nullptr) {
    if (shm->send(shm_message(route, raw_tag, data, bytes), request, kind)) {
      complete_raw(request, MPI_SUCCESS);
    }
    return;
  }
  MPI_Request raw = MPI_REQUEST_NULL;
  raw_send(data, bytes, route.peer, raw_tag, route.wire.comm(), &raw);
  leave_to_engine(raw, request, route);
}

// The bytes to send after `ahead` others in the staging memory, or in the caller's buffer.
const std::byte* body_of(Request& request, std::size_t ahead, std::int64_t bytes) {
  if (std::byte* const block = request.view.block(); ahead == 0 && block != nullptr) return block;
  request.staging.resize(ahead + static_cast<std::size_t>(bytes));
  pack_bytes(request.view, request.staging.data() + ahead);
  return request.staging.data() + ahead;
}

void send_short(Request& request, int raw_tag, const Route& route) {
  const std::int64_t bytes = request.view.bytes();
  request.raw_left.store(1);
  send_envelope(body_of(request, 0, bytes), bytes, raw_tag, request, route);
}

void send_small_with_header(Request& request, const RemoteHeader& header, const TagLayout& layout,
                            const Route& route) {
  static_cast<void>(body_of(request, sizeof header, header.bytes));
  std::memcpy(request.staging.data(), &header, sizeof header);
  send_envelope(request.staging.data(), static_cast<std::int64_t>(request.staging.size()),
                layout.header_tag(), request, route);
}

// The receiver reads the body where it is, and says so.
void send_large_to_reader(Request& request, RemoteHeader header, const TagLayout& layout,
                          const Route& route) {
  const std::byte* body = request.view.block();
  if (body == nullptr) body = body_of(request, sizeof header, header.bytes);
  if (request.staging.empty()) request.staging.resize(sizeof header);
  header.body_address = reinterpret_cast<std::uintptr_t>(body);
  std::memcpy(request.staging.data(), &header, sizeof header);
  send_envelope(request.staging.data(), sizeof header, layout.header_tag(), request, route);
}

void send_large_with_header(Request& request, RemoteHeader header, const TagLayout& layout,
                            const Route& route) {
  const std::byte* body = request.view.block();
  // The header lies in front of a packed body, or alone.
  if (body == nullptr) body = body_of(request, sizeof header, header.bytes);
  if (request.staging.empty()) request.staging.resize(sizeof header);
  MPI_Request raw_body = MPI_REQUEST_NULL;
  {
    const std::lock_guard lock(route.wire.pair_mutex());
    header.body_tag = layout.body_tag(route.wire.next_body());
    std::memcpy(request.staging.data(), &header, sizeof header);
    send_envelope(request.staging.data(), sizeof header, layout.header_tag(), request, route);
    const int code = guarded([&] {
      raw_send(body, header.bytes, route.peer, header.body_tag, route.wire.comm(), &raw_body);
    });
    if (code != EP_SUCCESS) {
      // The header has been sent, and the receiver will request a body: an empty one reports the
      // error.
      note_failure(request, code, last_error());
      static_cast<void>(guarded([&] {
        raw_send(nullptr, 0, route.peer, header.body_tag, route.wire.comm(), &raw_body);
      }));
    }
  }
  engine().add(raw_body, request, traffic_of(request.clique), route.peer);
}

RemoteHeader header_of(const Request& request, const RemoteTarget& target, std::uint32_t context) {
  RemoteHeader header{};
  header.context = context;
  header.source_slot = target.source_slot;
  header.dest_slot = target.dest_slot;
  header.tag = target.tag;
  header.bytes = request.view.bytes();
  header.signature = request.label.signature.value;
  header.elements = request.label.signature.elements;
  header.first_basic = request.label.signature.first;
  header.is_checked = request.label.checked ? 1 : 0;
  header.is_packed = request.label.signature.packed ? 1 : 0;
  return header;
}

bool is_read_there(const Route& route) {
  return route.wire.shm_peer(route.peer) != nullptr && route.wire.is_read_by(route.peer);
}

void send_with_header(Request& request, RemoteHeader& header, const TagLayout& layout,
                      const Route& route) {
  const bool small = header.bytes <= eager_bytes - static_cast<std::int64_t>(sizeof header);
  // The acknowledgement counts as one more operation that must end.
  request.raw_left.store((small ? 1 : 2) + (request.is_synchronous ? 1 : 0));
  if (request.is_synchronous) header.acknowledge = route.wire.await_acknowledgement(request);
  if (small) {
    send_small_with_header(request, header, layout, route);
    return;
  }
  if (is_read_there(route)) header.read = route.wire.await_reader(request);
  if (header.read != 0) {
    send_large_to_reader(request, header, layout, route);
  } else {
    send_large_with_header(request, header, layout, route);
  }
}

// True if a send that has just begun is complete, and then frees it. Unlike MPI_Test this does not
// make progress first. If MPI cannot say, its engine will find out.
bool is_over(MPI_Request& raw) {
  int flag = 0;
  if (MPI_Request_get_status(raw, &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS || flag == 0)
    return false;
  return MPI_Request_free(&raw) == MPI_SUCCESS;
}

bool is_short(const TagLayout& layout, const TagLayout::Identity& id) {
  return id.dest_slot >= 0 && layout.fits(id);
}

// Fails only while no part of the request has been sent.
void send_in_form(Request& request, const RemoteTarget& target, RemoteHeader& header,
                  const Route& route) {
  const TagLayout& layout = request.clique->tags();
  const TagLayout::Identity id{header.context, target.source_slot, target.dest_slot, target.tag};
  const bool is_plain = !request.is_synchronous && !request.label.checked;
  // A message that is too long for the shared-memory path is announced there, so that messages stay
  // in order.
  const bool fits = header.bytes <= eager_bytes || route.wire.shm_peer(route.peer) == nullptr;
  if (is_plain && fits && is_short(layout, id)) {
    send_short(request, layout.encode(id), route);
  } else {
    send_with_header(request, header, layout, route);
  }
}

// Sends a header without a request of the program.
void send_alone(const std::shared_ptr<Clique>& clique, const RemoteHeader& header,
                const Route& route, std::span<const std::byte> data = {},
                ShmKind kind = ShmKind::message) {
  ep_request& request = *request_arena().take();
  prepare(request, clique, nullptr, MappedView{}, "a message of the library");
  request.state.store(Request::abandoned);
  request.raw_left.store(1);
  const int code = guarded([&] {
    request.staging.resize(sizeof header + data.size());
    std::memcpy(request.staging.data(), &header, sizeof header);
    std::copy(data.begin(), data.end(), request.staging.begin() + sizeof header);
    send_envelope(request.staging.data(), static_cast<std::int64_t>(request.staging.size()),
                  clique->tags().header_tag(), request, route, kind);
  });
  if (code == EP_SUCCESS) return;
  retire(request);
  throw Error(code, last_error());
}

// Says that there will be no data.
int tell_loss(const std::shared_ptr<Clique>& clique, RemoteHeader header, int code,
              const Route& route) {
  constexpr int most = std::numeric_limits<std::uint16_t>::max();
  header.lost = static_cast<std::uint16_t>(code > 0 && code <= most ? code : EP_ERR_OTHER);
  header.bytes = 0;
  header.body_tag = 0;
  header.body_address = 0;
  header.acknowledge = 0;
  return guarded([&] { send_alone(clique, header, route); });
}

// No part of `request` has been sent. Its receiver is notified, since it would otherwise wait for
// ever.
void end_failed(Request& request, const RemoteHeader& header, int code, const Route& route) {
  note_failure(request, code, last_error());
  for (const std::uint32_t number : {header.acknowledge, header.read}) {
    if (number != 0) static_cast<void>(route.wire.take_acknowledged(number));
  }
  const std::shared_ptr<Clique> clique = request.clique;
  static_cast<void>(tell_loss(clique, header, code, route));
  finish(request);
}

}  // namespace

bool send_short_at_once(const Member& member, const RemoteTarget& target, const MappedView& view) {
  const TagLayout& layout = member.clique->tags();
  const ProcessRef& to = member.clique->process(target.process);
  const TagLayout::Identity id{to.context, target.source_slot, target.dest_slot, target.tag};
  if (!is_short(layout, id)) return false;
  const Route route{wire_of(*member.clique), to.wire_rank};
  if (ShmPeer* const shm = route.wire.shm_peer(route.peer); shm != nullptr) {
    if (!shm->send_at_once(shm_message(route, layout.encode(id), view.block(), view.bytes()))) {
      return false;
    }
    route.wire.ring(route.peer);
    return true;
  }
  MPI_Request raw = MPI_REQUEST_NULL;
  const int code = guarded([&] {
    raw_send(view.block(), view.bytes(), route.peer, layout.encode(id), route.wire.comm(), &raw);
  });
  if (code == EP_SUCCESS && is_over(raw)) {
    route.wire.ring(route.peer);
    return true;
  }
  const BorrowedRequest request;
  prepare(*request, member, view, "the receiver of a message (EP_Send)");
  request->peer = member.remote_group().rank({target.process, target.dest_slot});
  if (code == EP_SUCCESS) {
    request->raw_left.store(1);
    engine().add(raw, *request, traffic_of(member.clique), route.peer);
  } else {
    end_failed(*request, header_of(*request, target, to.context), code, route);
  }
  route.wire.ring(route.peer);
  await(*request);
  return true;
}

int send_remote(Request& request, const RemoteTarget& target) {
  // The clique must outlive the request, whose owner may free it once it is complete.
  const std::shared_ptr<Clique> clique = request.clique;
  const ProcessRef& to = clique->process(target.process);
  const Route route{wire_of(*clique), to.wire_rank};
  RemoteHeader header = header_of(request, target, to.context);
  const int code = guarded([&] { send_in_form(request, target, header, route); });
  if (code != EP_SUCCESS) end_failed(request, header, code, route);
  route.wire.ring(route.peer);
  return code;
}

void send_loss(Request& request, const RemoteTarget& target, int code) {
  const std::shared_ptr<Clique> clique = request.clique;
  const ProcessRef& to = clique->process(target.process);
  const Route route{wire_of(*clique), to.wire_rank};
  const int code_here = tell_loss(clique, header_of(request, target, to.context), code, route);
  if (code_here != EP_SUCCESS) note_failure(request, code_here, last_error());
  route.wire.ring(route.peer);
  finish(request);
}

void send_acknowledgement(const std::shared_ptr<Clique>& clique, int process_index,
                          std::uint32_t number) {
  const Route route{wire_of(*clique), clique->process(process_index).wire_rank};
  RemoteHeader header{};
  header.dest_slot = acknowledgement_slot;
  header.acknowledge = number;
  static_assert(sizeof header <= most_answer_bytes);
  send_alone(clique, header, route, {}, ShmKind::answer);
  route.wire.ring(route.peer);
}

void send_copy_call(const std::shared_ptr<Clique>& clique, const Arrival& arrival,
                    const CopyCall& call) {
  const Route route{wire_of(*clique), clique->process(arrival.process).wire_rank};
  RemoteHeader header{};
  header.dest_slot = copy_call_slot;
  header.bytes = arrival.bytes;
  header.body_address = arrival.body_address;
  header.read = arrival.read;
  static_assert(sizeof header + sizeof call <= most_answer_bytes);
  send_alone(clique, header, route, std::as_bytes(std::span(&call, 1)), ShmKind::answer);
  route.wire.ring(route.peer);
}

namespace {

class BodyHelp final : public JointHelp {
 public:
  BodyHelp(CopyPage& page, const CopyCall& call, const RemoteHeader& header,
           const std::shared_ptr<Clique>& clique, int peer)
      : JointHelp(page, call, wire_of(*clique).memory(peer), body_of(header), traffic_of(clique),
                  peer),
        wire_(wire_of(*clique)),
        number_(header.read) {}

 private:
  static std::span<const std::byte> body_of(const RemoteHeader& header) {
    // NOLINTNEXTLINE: what this process said of its own memory
    return {reinterpret_cast<const std::byte*>(header.body_address),
            static_cast<std::size_t>(header.bytes)};
  }
  void end() noexcept override {
    Request* const request = wire_.take_acknowledged(number_);
    if (request != nullptr) complete_raw(*request, MPI_SUCCESS);
  }

  MessageWire& wire_;
  const std::uint32_t number_;
};

}  // namespace

void take_part_in_copy(MessageWire& wire, int peer, const RemoteHeader& header,
                       const CopyCall& call) {
  CopyPage* const page = wire.shm_peer(peer)->copy(call.page);
  if (page == nullptr) return;
  const int code = guarded([&] {
    const std::shared_ptr<Clique> clique = wire.clique_of_unacknowledged(header.read);
    if (!clique) return;  // the receiver has ended it
    auto help = std::make_unique<BodyHelp>(*page, call, header, clique, peer);
    engine().watch(*help);
    static_cast<void>(help.release());  // the engine's
  });
  if (code != EP_SUCCESS) page->refuse(call.turn);
}

void send_to_receiver(const std::shared_ptr<Clique>& clique, int process_index,
                      std::span<const std::byte> message) {
  const ProcessRef& to = clique->process(process_index);
  const Route route{wire_of(*clique), to.wire_rank};
  RemoteHeader header{};
  header.context = to.context;
  header.dest_slot = receiver_slot;
  header.bytes = static_cast<std::int64_t>(message.size());
  send_alone(clique, header, route, message);
  route.wire.ring(route.peer);
}

}  // namespace ep
