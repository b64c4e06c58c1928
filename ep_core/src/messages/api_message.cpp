#include "messages/api_message.hpp"

#include "datatypes/overlap.hpp"
#include "handles/endpoint.hpp"
#include "messages/message_tables.hpp"
#include "process/error.hpp"

namespace ep {

MappedView checked_message(const void* buf, std::int64_t count, MPI_Datatype type) {
  if (count < 0) fail(EP_ERR_COUNT, "count ", count, " (negative).");
  MappedView view = mapped(view_of(buf, count, type));
  check_size(count, view.map->size, view.map->extent);
  if (buf == nullptr && view.bytes() > 0 && view.map->span(1).begin == 0) {
    // With MPI_BOTTOM the first element of a datatype is at an absolute address.
    fail(EP_ERR_BUFFER, "the buffer is a null pointer for ", count, " elements.");
  }
  if (buf == EP_IN_PLACE && view.bytes() > 0) {  // NOLINT(performance-no-int-to-ptr): a constant
    fail(EP_ERR_BUFFER, "EP_IN_PLACE for this buffer (not allowed).");
  }
  return view;
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

Endpoint& checked_sender(const SendArguments& a) {
  Endpoint& endpoint = endpoint_of(a.comm);
  check_dest(endpoint, a.dest);
  check_send_tag(a.tag);
  return endpoint;
}

void check_source(const Endpoint& endpoint, int source, int tag) {
  const int size = endpoint.remote_group().size();
  const bool good =
      source == EP_ANY_SOURCE || source == EP_PROC_NULL || (source >= 0 && source < size);
  if (!good) fail(EP_ERR_RANK, "source ", source, " (the group has ", size, " ranks).");
  if (tag < 0 && tag != EP_ANY_TAG) fail(EP_ERR_TAG, "tag ", tag, " of a receive (negative).");
}

ep_request& request_of(EP_Request request) {
  if (!request_arena().contains(request) || request->alive.load() != request_alive) {
    fail(EP_ERR_REQUEST, "the request handle is not valid (completed before, or not a request).");
  }
  return *request;
}

}  // namespace ep
