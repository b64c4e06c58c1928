#include <ep/ep.h>

#include <algorithm>
#include <span>
#include <vector>

#include "api_arguments.hpp"
#include "error.hpp"
#include "p2p.hpp"
#include "process.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

TypedView checked_view(const void* buf, int count, MPI_Datatype type) {
  if (count < 0) fail(EP_ERR_COUNT, "count ", count, " (negative).");
  const TypeFacts facts = type_facts(type);
  if (buf == nullptr && facts.size * count > 0 && facts.lower_bound == 0) {
    // MPI_BOTTOM with absolute addresses has a lower bound of its own.
    fail(EP_ERR_BUFFER, "the buffer is a null pointer for ", count, " elements.");
  }
  return view_of(buf, count, type);
}

void check_dest(const Endpoint& endpoint, int dest) {
  const int size = endpoint.remote_group().size();
  if (dest >= 0 && dest < size) return;
  if (dest == EP_PROC_NULL) return;
  fail(EP_ERR_RANK, "destination ", dest, " (the group has ", size, " ranks).");
}

void check_send_tag(int tag) {
  if (tag < 0) fail(EP_ERR_TAG, "tag ", tag, " of a send (negative).");
}

void check_source(const Endpoint& endpoint, int source, int tag) {
  const int size = endpoint.remote_group().size();
  const bool good =
      source == EP_ANY_SOURCE || source == EP_PROC_NULL || (source >= 0 && source < size);
  if (!good) fail(EP_ERR_RANK, "source ", source, " (the group has ", size, " ranks).");
  if (tag < 0 && tag != EP_ANY_TAG) fail(EP_ERR_TAG, "tag ", tag, " of a receive (negative).");
}

void send(Endpoint& endpoint, int dest, int tag, Request& request) {
  if (dest == EP_PROC_NULL) {
    complete_empty(request, EP_PROC_NULL, EP_ANY_TAG);
  } else {
    start_send(endpoint, dest, tag, request);
  }
}

void receive(Endpoint& endpoint, int source, int tag, Request& request) {
  if (source == EP_PROC_NULL) {
    complete_empty(request, EP_PROC_NULL, EP_ANY_TAG);
  } else {
    start_receive(endpoint, source, tag, request);
  }
}

EP_Request new_request(Endpoint& endpoint, const TypedView& view, const char* what) {
  ep_request* const request = process().requests().take();
  prepare(*request, endpoint, view, what);
  request->alive.store(request_alive);
  return request;
}

constexpr EP_Status no_process_status{EP_PROC_NULL, EP_ANY_TAG, EP_SUCCESS, 0, 0};

EP_Status status_of(const Arrival& arrival) {
  return {arrival.source, arrival.tag, EP_SUCCESS, arrival.bytes, 0};
}

// The message that a receive of (source, tag) would take; runs `use` on it under the mailbox lock.
template <class Use>
bool look_for(Endpoint& endpoint, int source, int tag, Use&& use) {
  Mailbox& mailbox = endpoint.place().mailbox;
  const std::lock_guard lock(mailbox.mutex());
  return use(mailbox, source, tag);
}

bool peek(Endpoint& endpoint, int source, int tag, EP_Status* status) {
  return look_for(endpoint, source, tag, [&](Mailbox& mailbox, int s, int t) {
    const Arrival* const arrival = mailbox.find_arrival(s, t);
    if (arrival == nullptr) return false;
    give_status(status_of(*arrival), status);
    return true;
  });
}

bool take(Endpoint& endpoint, int source, int tag, EP_Message* message, EP_Status* status) {
  std::unique_ptr<Arrival> arrival;
  look_for(endpoint, source, tag, [&](Mailbox& mailbox, int s, int t) {
    arrival = mailbox.take_arrival(s, t);
    return arrival != nullptr;
  });
  if (!arrival) return false;
  give_status(status_of(*arrival), status);
  ep_message* const taken = process().messages().take();
  taken->arrival = std::move(arrival);
  taken->clique = endpoint.clique;
  taken->owner = &endpoint.place();
  taken->alive.store(message_alive);
  *message = taken;
  return true;
}

// Ends the handle and hands its message to a prepared receive.
void receive_taken(EP_Message& handle, Request& request) {
  if (handle == EP_MESSAGE_NO_PROC) {
    complete_empty(request, EP_PROC_NULL, EP_ANY_TAG);
  } else {
    std::unique_ptr<Arrival> arrival = std::move(handle->arrival);
    handle->alive.store(0);
    handle->clique.reset();
    process().messages().give(handle);
    request.is_receive = true;
    request.capacity = request.view.bytes();
    consume(std::move(arrival), request);
  }
  handle = EP_MESSAGE_NULL;
}

// A receive of a taken message belongs to the endpoint that took it, whoever waits for it.
void prepare_taken(Request& request, const EP_Message message, const TypedView& view) {
  const bool no_process = message == EP_MESSAGE_NO_PROC;
  prepare(request, no_process ? nullptr : message->clique, no_process ? nullptr : message->owner,
          view, "a matched message (EP_Mrecv)");
}

Blame blame_of(EP_Message message) {
  if (message == EP_MESSAGE_NO_PROC) return {};
  return {message->clique, message->owner};
}

void check_message(const EP_Message* message) {
  check_out(message);
  if (*message == EP_MESSAGE_NO_PROC) return;
  if (!process().messages().contains(*message) || (*message)->alive.load() != message_alive) {
    fail(EP_ERR_REQUEST, "the message handle is not valid (received before, or not a message).");
  }
}

}  // namespace

int EP_Send(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm) {
  return guarded_on(comm, [&] {
    Endpoint& endpoint = endpoint_of(comm);
    const TypedView view = checked_view(buf, count, type);
    check_dest(endpoint, dest);
    check_send_tag(tag);
    const BorrowedRequest request;
    prepare(*request, endpoint, view, "the receiver of a message (EP_Send)");
    send(endpoint, dest, tag, *request);
    await(*request);
  });
}

int EP_Recv(void* buf, int count, MPI_Datatype type, int source, int tag, EP_Comm comm,
            EP_Status* status) {
  return guarded_on(comm, [&] {
    Endpoint& endpoint = endpoint_of(comm);
    const TypedView view = checked_view(buf, count, type);
    check_source(endpoint, source, tag);
    const BorrowedRequest request;
    prepare(*request, endpoint, view, "a message (EP_Recv)");
    receive(endpoint, source, tag, *request);
    wait_done(*request);
    give_status(request->status, status);
    check_outcome(*request);
  });
}

int EP_Isend(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
             EP_Request* request) {
  return guarded_on(comm, [&] {
    check_out(request);
    Endpoint& endpoint = endpoint_of(comm);
    const TypedView view = checked_view(buf, count, type);
    check_dest(endpoint, dest);
    check_send_tag(tag);
    const EP_Request started = new_request(endpoint, view, "the receiver of a message (EP_Isend)");
    send(endpoint, dest, tag, *started);
    *request = started;
  });
}

int EP_Irecv(void* buf, int count, MPI_Datatype type, int source, int tag, EP_Comm comm,
             EP_Request* request) {
  return guarded_on(comm, [&] {
    check_out(request);
    Endpoint& endpoint = endpoint_of(comm);
    const TypedView view = checked_view(buf, count, type);
    check_source(endpoint, source, tag);
    const EP_Request started = new_request(endpoint, view, "a message (EP_Irecv)");
    receive(endpoint, source, tag, *started);
    *request = started;
  });
}

int EP_Iprobe(int source, int tag, EP_Comm comm, int* flag, EP_Status* status) {
  return guarded_on(comm, [&] {
    check_out(flag);
    Endpoint& endpoint = endpoint_of(comm);
    check_source(endpoint, source, tag);
    *flag = 1;
    if (source == EP_PROC_NULL) {
      give_status(no_process_status, status);
      return;
    }
    process().engine().progress();
    *flag = peek(endpoint, source, tag, status) ? 1 : 0;
  });
}

int EP_Probe(int source, int tag, EP_Comm comm, EP_Status* status) {
  return guarded_on(comm, [&] {
    Endpoint& endpoint = endpoint_of(comm);
    check_source(endpoint, source, tag);
    if (source == EP_PROC_NULL) {
      give_status(no_process_status, status);
      return;
    }
    const WaitSpec spec{"a message (EP_Probe)", source};
    process().registry().wait(endpoint.place(), spec,
                              [&] { return peek(endpoint, source, tag, status); });
  });
}

int EP_Improbe(int source, int tag, EP_Comm comm, int* flag, EP_Message* message,
               EP_Status* status) {
  return guarded_on(comm, [&] {
    check_out(flag);
    check_out(message);
    Endpoint& endpoint = endpoint_of(comm);
    check_source(endpoint, source, tag);
    *flag = 1;
    *message = EP_MESSAGE_NULL;
    if (source == EP_PROC_NULL) {
      *message = EP_MESSAGE_NO_PROC;
      give_status(no_process_status, status);
      return;
    }
    process().engine().progress();
    *flag = take(endpoint, source, tag, message, status) ? 1 : 0;
  });
}

int EP_Mprobe(int source, int tag, EP_Comm comm, EP_Message* message, EP_Status* status) {
  return guarded_on(comm, [&] {
    check_out(message);
    Endpoint& endpoint = endpoint_of(comm);
    check_source(endpoint, source, tag);
    if (source == EP_PROC_NULL) {
      *message = EP_MESSAGE_NO_PROC;
      give_status(no_process_status, status);
      return;
    }
    const WaitSpec spec{"a message (EP_Mprobe)", source};
    process().registry().wait(endpoint.place(), spec,
                              [&] { return take(endpoint, source, tag, message, status); });
  });
}

int EP_Mrecv(void* buf, int count, MPI_Datatype type, EP_Message* message, EP_Status* status) {
  Blame blame;
  return guarded_for(blame, [&] {
    check_message(message);
    blame = blame_of(*message);
    const TypedView view = checked_view(buf, count, type);
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

int EP_Imrecv(void* buf, int count, MPI_Datatype type, EP_Message* message, EP_Request* request) {
  Blame blame;
  return guarded_for(blame, [&] {
    check_message(message);
    blame = blame_of(*message);
    check_out(request);
    const TypedView view = checked_view(buf, count, type);
    const EP_Request started = process().requests().take();
    prepare_taken(*started, *message, view);
    started->alive.store(request_alive);
    receive_taken(*message, *started);
    *request = started;
  });
}

int EP_Get_count(const EP_Status* status, MPI_Datatype type, int* count) {
  return guarded([&] {
    check_out(status);
    check_out(count);
    const std::int64_t size = type_facts(type).size;
    const std::int64_t bytes = status->ep_bytes;
    if (size == 0) {
      *count = bytes == 0 ? 0 : EP_UNDEFINED;
      return;
    }
    const bool whole = bytes % size == 0 && bytes / size <= 2147483647;
    *count = whole ? static_cast<int>(bytes / size) : EP_UNDEFINED;
  });
}
