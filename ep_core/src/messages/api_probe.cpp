// C functions of probes and matched probes. A matched message leaves its mailbox and belongs to the
// endpoint that took it. In order: looking for a message, taking one, receiving a taken one, and
// the functions.
#include <ep/ep.h>

#include <cstdint>
#include <mutex>

#include "handles/endpoint.hpp"
#include "messages/api_message.hpp"
#include "messages/message_tables.hpp"
#include "messages/p2p.hpp"
#include "process/error.hpp"
#include "progress/progress.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

constexpr EP_Status no_process_status{EP_PROC_NULL, EP_ANY_TAG, EP_SUCCESS, 0, 0};

EP_Status status_of(const Arrival& arrival) {
  return {arrival.source, arrival.tag, EP_SUCCESS, arrival.bytes, 0};
}

// A probe; a matched one also takes the message.
struct Probe {
  int source;
  int tag;
  EP_Status* status;
  bool is_matched = false;
  EP_Message* message = nullptr;

  void check(const Endpoint& endpoint) const {
    check_source(endpoint, source, tag);
    if (is_matched) *message = EP_MESSAGE_NULL;
  }

  // True if the source is no process, whose message is always there.
  bool is_of_no_process() const {
    if (source != EP_PROC_NULL) return false;
    if (is_matched) *message = EP_MESSAGE_NO_PROC;
    give_status(no_process_status, status);
    return true;
  }

  // True if a message is there.
  bool look(Endpoint& endpoint) const { return is_matched ? take(endpoint) : peek(endpoint); }

 private:
  bool peek(Endpoint& endpoint) const {
    Mailbox& mailbox = endpoint.place().mailbox;
    const std::lock_guard lock(mailbox.mutex());
    const Arrival* const arrival = find_arrival(mailbox, source, tag);
    if (arrival == nullptr) return false;
    give_status(status_of(*arrival), status);
    return true;
  }

  bool take(Endpoint& endpoint) const {
    ArrivalPtr arrival;
    {
      Mailbox& mailbox = endpoint.place().mailbox;
      const std::lock_guard lock(mailbox.mutex());
      arrival = take_arrival(mailbox, source, tag);
    }
    if (!arrival) return false;
    give_status(status_of(*arrival), status);
    ep_message* const taken = message_arena().take();
    taken->arrival = std::move(arrival);
    taken->clique = endpoint.clique;
    taken->owner = &endpoint.place();
    taken->alive.store(message_alive);
    *message = taken;
    return true;
  }
};

int probe_now(EP_Comm comm, int* flag, const Probe& probe) {
  return call_on(comm, [&] {
    check_out(flag);
    if (probe.is_matched) check_out(probe.message);
    Endpoint& endpoint = endpoint_of(comm);
    probe.check(endpoint);
    *flag = 1;
    if (probe.is_of_no_process()) return;
    engine().progress();
    *flag = probe.look(endpoint) ? 1 : 0;
  });
}

int wait_for_message(EP_Comm comm, const char* what, const Probe& probe) {
  return call_on(comm, [&] {
    if (probe.is_matched) check_out(probe.message);
    Endpoint& endpoint = endpoint_of(comm);
    probe.check(endpoint);
    if (probe.is_of_no_process()) return;
    const WaitSpec spec{what, probe.source};
    registry().wait(endpoint.place(), spec, [&] { return probe.look(endpoint); });
  });
}

// Ends the handle and hands its message to a prepared receive.
void receive_taken(EP_Message& handle, Request& request) {
  if (handle == EP_MESSAGE_NO_PROC) {
    complete_empty(request, EP_PROC_NULL, EP_ANY_TAG);
  } else {
    const ArrivalPtr arrival = std::move(handle->arrival);
    handle->alive.store(0);
    handle->clique.reset();
    message_arena().give(handle);
    request.is_receive = true;
    request.capacity = request.view.bytes();
    consume_here(*arrival, request);
  }
  handle = EP_MESSAGE_NULL;
}

// A receive of a taken message belongs to the endpoint that took it, whichever thread waits for it.
void prepare_taken(Request& request, const EP_Message message, const MappedView& view) {
  const bool no_process = message == EP_MESSAGE_NO_PROC;
  prepare(request, no_process ? nullptr : message->clique, no_process ? nullptr : message->owner,
          view, "a matched message (EP_Mrecv)");
}

ErrorScope error_scope_of(EP_Message message) {
  if (message == EP_MESSAGE_NO_PROC) return {};
  return {message->clique, message->owner};
}

void check_message(const EP_Message* message) {
  check_out(message);
  if (*message == EP_MESSAGE_NO_PROC) return;
  if (!message_arena().contains(*message) || (*message)->alive.load() != message_alive) {
    fail(EP_ERR_REQUEST, "the message handle is not valid (received before, or not a message).");
  }
}

int receive_message(void* buf, std::int64_t count, MPI_Datatype type, EP_Message* message,
                    EP_Status* status) {
  ErrorScope scope;
  return call_with_scope(scope, [&] {
    check_message(message);
    scope = error_scope_of(*message);
    const MappedView view = checked_message(buf, count, type);
    if (*message == EP_MESSAGE_NO_PROC) {
      *message = EP_MESSAGE_NULL;
      give_status(no_process_status, status);
      return;
    }
    const BorrowedRequest request;
    prepare_taken(*request, *message, view);
    receive_taken(*message, *request);
    wait_done(*request);
    give_status(request->status, status);
    check_outcome(*request);
  });
}

int begin_to_receive(void* buf, std::int64_t count, MPI_Datatype type, EP_Message* message,
                     EP_Request* request) {
  ErrorScope scope;
  return call_with_scope(scope, [&] {
    check_message(message);
    scope = error_scope_of(*message);
    check_out(request);
    const MappedView view = checked_message(buf, count, type);
    const EP_Request started = request_arena().take();
    prepare_taken(*started, *message, view);
    started->alive.store(request_alive);
    receive_taken(*message, *started);
    *request = started;
  });
}

}  // namespace

int EP_Iprobe(int source, int tag, EP_Comm comm, int* flag, EP_Status* status) {
  return probe_now(comm, flag, {source, tag, status});
}

int EP_Probe(int source, int tag, EP_Comm comm, EP_Status* status) {
  return wait_for_message(comm, "a message (EP_Probe)", {source, tag, status});
}

int EP_Improbe(int source, int tag, EP_Comm comm, int* flag, EP_Message* message,
               EP_Status* status) {
  return probe_now(comm, flag, {source, tag, status, true, message});
}

int EP_Mprobe(int source, int tag, EP_Comm comm, EP_Message* message, EP_Status* status) {
  return wait_for_message(comm, "a message (EP_Mprobe)", {source, tag, status, true, message});
}

int EP_Mrecv(void* buf, int count, MPI_Datatype type, EP_Message* message, EP_Status* status) {
  return receive_message(buf, count, type, message, status);
}

int EP_Imrecv(void* buf, int count, MPI_Datatype type, EP_Message* message, EP_Request* request) {
  return begin_to_receive(buf, count, type, message, request);
}

int EP_Mrecv_c(void* buf, MPI_Count count, MPI_Datatype type, EP_Message* message,
               EP_Status* status) {
  return receive_message(buf, count, type, message, status);
}

int EP_Imrecv_c(void* buf, MPI_Count count, MPI_Datatype type, EP_Message* message,
                EP_Request* request) {
  return begin_to_receive(buf, count, type, message, request);
}
