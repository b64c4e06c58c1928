#include <ep/ep.h>

#include <memory>
#include <span>
#include <utility>

#include "handles/endpoint.hpp"
#include "messages/api_message.hpp"
#include "messages/message_tables.hpp"
#include "messages/p2p.hpp"
#include "messages/persistent.hpp"
#include "process/error.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

EP_Request make_persistent(Persistent operation) {
  ep_request* const request = request_arena().take();
  prepare(*request, operation.member, operation.view, operation.what);
  request->persistent = std::make_unique<Persistent>(std::move(operation));
  request->alive.store(request_alive);
  return request;
}

int send_init(const SendArguments& a, SendMode mode, const char* what, EP_Request* request) {
  return guarded_on(a.comm, [&] {
    check_out(request);
    const Endpoint& endpoint = checked_sender(a);
    const MappedView view = checked_message(a.buf, a.count, a.type);
    *request = make_persistent(
        {static_cast<const Member&>(endpoint), false, mode, view, a.dest, a.tag, what, false});
  });
}

Persistent& inactive_operation(EP_Request handle) {
  const ep_request& request = request_of(handle);
  if (!request.persistent) {
    fail(EP_ERR_REQUEST, "EP_Start of a request that is not persistent.");
  }
  if (request.persistent->is_active) {
    fail(EP_ERR_REQUEST, "EP_Start of a request that is active. Complete it first?");
  }
  return *request.persistent;
}

void start(EP_Request handle) {
  Persistent& operation = inactive_operation(handle);
  prepare(*handle, operation.member, operation.view, operation.what);
  if (operation.is_receive) {
    start_receive(operation.member, operation.peer, operation.tag, *handle);
  } else {
    start_send(operation.member, operation.peer, operation.tag, *handle, operation.mode);
  }
  operation.is_active = true;  // not when starting failed
}

}  // namespace

int EP_Send_init(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
                 EP_Request* request) {
  return send_init({buf, count, type, dest, tag, comm}, SendMode::standard,
                   "the receiver of a message (EP_Send_init)", request);
}

int EP_Ssend_init(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
                  EP_Request* request) {
  return send_init({buf, count, type, dest, tag, comm}, SendMode::synchronous,
                   "the receiver of a message (EP_Ssend_init)", request);
}

int EP_Bsend_init(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
                  EP_Request* request) {
  return send_init({buf, count, type, dest, tag, comm}, SendMode::buffered,
                   "the receiver of a message (EP_Bsend_init)", request);
}

int EP_Rsend_init(const void* buf, int count, MPI_Datatype type, int dest, int tag, EP_Comm comm,
                  EP_Request* request) {
  return send_init({buf, count, type, dest, tag, comm}, SendMode::ready,
                   "the receiver of a message (EP_Rsend_init)", request);
}

int EP_Recv_init(void* buf, int count, MPI_Datatype type, int source, int tag, EP_Comm comm,
                 EP_Request* request) {
  return guarded_on(comm, [&] {
    check_out(request);
    const Endpoint& endpoint = endpoint_of(comm);
    const MappedView view = checked_message(buf, count, type);
    check_source(endpoint, source, tag);
    *request = make_persistent({static_cast<const Member&>(endpoint), true, SendMode::standard,
                                view, source, tag, "a message (EP_Recv_init)", false});
  });
}

int EP_Start(EP_Request* request) {
  Blame blame;
  return guarded_for(blame, [&] {
    check_out(request);
    const Member& member = inactive_operation(*request).member;
    blame = {member.clique, &member.place()};
    start(*request);
  });
}

int EP_Startall(int count, EP_Request requests[]) {
  Blame blame;
  return guarded_for(blame, [&] {
    if (count < 0) fail(EP_ERR_COUNT, "count ", count, " of requests (negative).");
    if (count > 0) check_out(requests);
    const std::span<EP_Request> all(requests, static_cast<std::size_t>(count));
    for (EP_Request request : all) static_cast<void>(inactive_operation(request));
    for (EP_Request request : all) {
      const Member& member = request->persistent->member;
      blame = {member.clique, &member.place()};
      start(request);
    }
  });
}
