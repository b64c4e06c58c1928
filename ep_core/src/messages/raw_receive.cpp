// Receives messages that MPI brings, and bodies that are read in the memory of their sender. In
// order: the status and type check of a received message, small and large raw receives, bodies
// copied by both processes, and completion with errors.
#include <mpi.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "messages/heard_message.hpp"
#include "messages/message_wire.hpp"
#include "messages/p2p.hpp"
#include "messages/remote_send.hpp"
#include "process/error.hpp"
#include "progress/progress.hpp"
#include "progress/raw_message.hpp"
#include "shm/joint_copy.hpp"

// Receives the data of a request: the description of the message, and the bytes where MPI delivers
// them.

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

// Returns the destination of the bytes of a message for `request`: the user's memory, or staging
// memory.
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
  // Any thread that drives the communication runs this; the error belongs to the receiver.
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
    engine().add(raw, request, traffic_of(clique), peer);
  }
  clique->wire()->ring(peer);
}

namespace {

// Ends a body that no thread copies any more. Its sender waits for the answer, whatever the outcome
// is.
void end_body(Request& request, int process, std::uint32_t number, int code,
              const std::string& error) noexcept {
  const std::shared_ptr<Clique> clique = request.clique;
  const auto answer = [&] { send_acknowledgement(clique, process, number); };
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

constexpr const char* neither_can_copy =
    "a message was lost (the memory of its sender cannot be read any more, nor that of its "
    "receiver written).";

class BodyCopy final : public JointCopy {
 public:
  BodyCopy(CopyLease lease, Request& request, const Arrival& arrival, int peer,
           std::span<std::byte> into)
      : JointCopy(std::move(lease), wire_of(*request.clique).memory(peer),
                  {arrival.body_address, into}, traffic_of(request.clique), peer),
        request_(request),
        process_(arrival.process),
        number_(arrival.read) {
    engine().note_queued(1);  // the process must not end before the request does
  }
  BodyCopy(const BodyCopy&) = delete;
  BodyCopy(BodyCopy&&) = delete;
  BodyCopy& operator=(const BodyCopy&) = delete;
  BodyCopy& operator=(BodyCopy&&) = delete;
  ~BodyCopy() override { engine().note_queued(-1); }

 private:
  void end(bool is_whole) noexcept override {
    const int code = is_whole ? EP_SUCCESS : EP_ERR_OTHER;
    end_body(request_, process_, number_, code, neither_can_copy);
  }

  Request& request_;
  const int process_;
  const std::uint32_t number_;
};

// False if all pages of copies are in use. After true the request may be complete.
bool start_joint_copy(Request& request, const Arrival& arrival, std::span<std::byte> into) {
  const std::shared_ptr<Clique> clique = request.clique;
  std::optional<CopyLease> lease = wire_of(*clique).begin_copy();
  if (!lease) return false;
  const int peer = clique->process(arrival.process).wire_rank;
  auto copy = std::make_unique<BodyCopy>(std::move(*lease), request, arrival, peer, into);
  copy->pin();  // ours
  engine().watch(*copy);
  BodyCopy& started = *copy.release();  // the engine's as well
  if (guarded([&] { send_copy_call(clique, arrival, started.call()); }) != EP_SUCCESS) {
    started.note_uncalled();
  }
  started.unpin();
  return true;
}

}  // namespace

void read_body(Request& request, const Arrival& arrival) {
  bool is_under_way = false;
  const int code = guarded([&] {
    if (!wants_data(request)) return;
    const std::span<std::byte> into(static_cast<std::byte*>(landing_place(request)),
                                    static_cast<std::size_t>(arrival.bytes));
    is_under_way = arrival.bytes >= least_joint_bytes && start_joint_copy(request, arrival, into);
    if (is_under_way) return;
    const int peer = request.clique->process(arrival.process).wire_rank;
    if (wire_of(*request.clique).memory(peer).read(arrival.body_address, into)) return;
    is_under_way = start_joint_copy(request, arrival, into);
    if (!is_under_way) fail(EP_ERR_OTHER, neither_can_copy);
  });
  if (is_under_way) return;
  end_body(request, arrival.process, arrival.read, code,
           code == EP_SUCCESS ? std::string() : last_error());
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
