#include <ep/ep.h>

#include <memory>
#include <span>
#include <utility>

#include "messages/api_message.hpp"
#include "messages/message_tables.hpp"
#include "messages/p2p.hpp"
#include "messages/persistent.hpp"
#include "process/error.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

EP_Request ep::make_persistent(std::unique_ptr<Persistent> operation) {
  ep_request* const request = request_arena().take();
  prepare(*request, operation->member, MappedView{}, operation->what);
  request->persistent = std::move(operation);
  request->alive.store(request_alive);
  return request;
}

Persistent& ep::inactive_operation(EP_Request handle) {
  const ep_request& request = request_of(handle);
  if (!request.persistent) {
    fail(EP_ERR_REQUEST, "EP_Start of a request that is not persistent.");
  }
  if (request.persistent->is_active) {
    fail(EP_ERR_REQUEST, "EP_Start of a request that is active. Complete it first?");
  }
  return *request.persistent;
}

namespace {

void start(EP_Request request) {
  Persistent& operation = inactive_operation(request);
  operation.start(*request);
  operation.is_active = true;  // not when starting failed
}

}  // namespace

int EP_Start(EP_Request* request) {
  ErrorScope scope;
  return call_with_scope(scope, [&] {
    check_out(request);
    const Member& member = inactive_operation(*request).member;
    scope = {member.clique, &member.place()};
    start(*request);
  });
}

int EP_Startall(int count, EP_Request requests[]) {
  ErrorScope scope;
  return call_with_scope(scope, [&] {
    if (count < 0) fail(EP_ERR_COUNT, "count ", count, " of requests (negative).");
    if (count > 0) check_out(requests);
    const std::span<EP_Request> all(requests, static_cast<std::size_t>(count));
    for (EP_Request request : all) static_cast<void>(inactive_operation(request));
    for (EP_Request request : all) {
      const Member& member = request->persistent->member;
      scope = {member.clique, &member.place()};
      start(request);
    }
  });
}
