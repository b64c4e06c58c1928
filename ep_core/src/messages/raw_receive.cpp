#include <mpi.h>

#include <algorithm>

#include "messages/heard_message.hpp"
#include "messages/message_wire.hpp"
#include "messages/p2p.hpp"
#include "messages/remote_send.hpp"
#include "process/error.hpp"
#include "progress/progress.hpp"
#include "progress/raw_message.hpp"

// What arrives for a request: what it says of itself, and the bytes where MPI brings them.

namespace ep {

namespace {

// The message's own signature against that of as many bytes of the receive's datatype.
bool signatures_match(const Request& receive, const Label& message, std::int64_t bytes) {
  if (!message.checked || message.signature.packed) return true;
  const Signature::Prefix mine =
      receive.view.map->signature->prefix(receive.view.count, std::min(bytes, receive.capacity));
  if (mine.hash.packed || bytes > receive.capacity) return true;  // too long is another error
  return mine.rest == 0 && mine.hash.elements == message.signature.elements &&
         mine.hash.value == message.signature.value;
}

}  // namespace

void set_received(Request& request, int source, int tag, std::int64_t bytes, const Label& label) {
  request.status.EP_SOURCE = source;
  request.status.EP_TAG = tag;
  request.status.ep_bytes = bytes;
  request.status.EP_ERROR = bytes > request.capacity ? EP_ERR_TRUNCATE : EP_SUCCESS;
  request.label = label;
  if (label.lost != EP_SUCCESS) {
    note_failure(request, label.lost, "a message was lost (MPI failed to send or to receive it).");
  } else if (!signatures_match(request, label, bytes)) {
    request.status.EP_ERROR = EP_ERR_TYPE;
  }
}

bool wants_data(const Request& request) { return request.status.EP_ERROR != EP_ERR_TYPE; }

namespace {

// Where the bytes of a message for `request` can go: the user's memory, or staging memory.
void* landing_place(Request& request) {
  const std::int64_t bytes = request.status.ep_bytes;
  void* const block = request.view.block();
  request.is_staged = block == nullptr || bytes > request.capacity || !wants_data(request);
  if (!request.is_staged) return block;
  request.staging.resize(static_cast<std::size_t>(bytes));
  return request.staging.data();
}

}  // namespace

void receive_raw(Request& request, const Envelope& from, const RawMessage& message) {
  set_received(request, from.source, from.tag, message.bytes(), Label{});
  hear_received(request);
  request.raw_process = from.process;
  // Whoever drives the traffic is here: the error is the receiver's.
  MPI_Message held = MPI_MESSAGE_NULL;
  const bool is_small = message.bytes() <= eager_bytes;
  const int code = guarded([&] {
    if (is_small) {
      message.receive(landing_place(request));
    } else {
      held = message.hold();
    }
  });
  if (code != EP_SUCCESS) {
    note_failure(request, code, last_error());
    finish(request);
  } else if (is_small) {
    request.raw_left.store(1, std::memory_order_relaxed);
    complete_raw(request, MPI_SUCCESS);
  } else {
    start_raw_receive(request, held);
  }
}

void start_raw_receive(Request& request, MPI_Message message) {
  const std::int64_t bytes = request.status.ep_bytes;
  void* const into = landing_place(request);
  request.raw_left.store(1);
  MPI_Request raw = MPI_REQUEST_NULL;
  const int peer = request.clique->process(request.raw_process).wire_rank;
  const std::shared_ptr<Clique> clique = request.clique;
  if (const int failed = guarded([&] { raw_receive(into, bytes, &message, &raw); });
      failed != EP_SUCCESS) {
    note_failure(request, failed, last_error());
    finish(request);
    return;
  }
  int flag = 0;
  const int code = MPI_Test(&raw, &flag, MPI_STATUS_IGNORE);
  if (code != MPI_SUCCESS || flag != 0) {
    complete_raw(request, code);
  } else {
    engine().add(raw, request, way_of(clique), peer);
  }
  clique->wire()->ring(peer);
}

void read_body(Request& request, const Arrival& arrival) {
  const std::shared_ptr<Clique> clique = request.clique;
  const PeerMemory& memory = wire_of(*clique).memory(clique->process(arrival.process).wire_rank);
  // The sender waits for the answer, whatever comes of the read.
  const int code = guarded([&] {
    if (!wants_data(request)) return;
    const auto bytes = static_cast<std::size_t>(arrival.bytes);
    auto* const into = static_cast<std::byte*>(landing_place(request));
    if (memory.read(arrival.body_address, {into, bytes})) return;
    fail(EP_ERR_OTHER, "a message was lost (the memory of its sender cannot be read any more).");
  });
  const std::string error = code == EP_SUCCESS ? std::string() : last_error();
  const auto answer = [&] { send_acknowledgement(clique, arrival.process, arrival.read); };
  int told = guarded(answer);
  if (told != EP_SUCCESS) told = guarded(answer);
  if (code != EP_SUCCESS || told != EP_SUCCESS) {
    note_failure(request, code != EP_SUCCESS ? code : told,
                 code != EP_SUCCESS ? error : last_error());
    finish(request);
    return;
  }
  request.raw_left.store(1, std::memory_order_relaxed);
  complete_raw(request, MPI_SUCCESS);
}

void note_failure(Request& request, int code, const std::string& text) noexcept {
  if (request.status.EP_ERROR != EP_SUCCESS) return;
  request.status.EP_ERROR = code;
  static_cast<void>(guarded([&] { request.error_text = text; }));
}

void complete_raw(Request& request, int code) noexcept {
  if (code != MPI_SUCCESS) {
    const int error_class = guarded([code] { check_mpi(code, "MPI_Test"); });
    note_failure(request, error_class, last_error());
  }
  if (request.raw_left.fetch_sub(1) > 1) return;
  if (request.is_staged && code == MPI_SUCCESS && wants_data(request)) {
    unpack_bytes(request.staging.data(), static_cast<std::int64_t>(request.staging.size()),
                 request.view);
  }
  finish(request);
}

}  // namespace ep
