#pragma once

#include <ep/ep.h>

#include <cstdint>
#include <utility>

#include "handles/api_arguments.hpp"
#include "handles/endpoint.hpp"
#include "messages/message_tables.hpp"
#include "messages/p2p.hpp"

namespace ep {

// Checks of the arguments of C functions for point-to-point communication.

MappedView checked_message(const void* buf, std::int64_t count, MPI_Datatype type);
void check_dest(const Endpoint& endpoint, int dest);
void check_send_tag(int tag);
void check_source(const Endpoint& endpoint, int source, int tag);

/// The arguments of every kind of send.
struct SendArguments {
  const void* buf;
  std::int64_t count;
  MPI_Datatype type;
  int dest;
  int tag;
  EP_Comm comm;
};

/// Returns the sending endpoint; checks all arguments but the message.
Endpoint& checked_sender(const SendArguments& a);

/// Prepares a request of the program's and starts it by `start(request)`.
template <class Start>
EP_Request begin(const Endpoint& endpoint, const MappedView& view, const char* what,
                 Start&& start) {
  ep_request* const request = request_arena().take();
  prepare(*request, endpoint, view, what);
  request->alive.store(request_alive);
  try {
    std::forward<Start>(start)(*request);
  } catch (...) {
    abandon(*request);
    throw;
  }
  return request;
}

/// Returns the request behind a handle. Throws if it is null, completed or foreign.
ep_request& request_of(EP_Request request);

}  // namespace ep
