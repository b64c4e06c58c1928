// C functions of sends and receives and of the buffer for buffered sends. A blocking send tries the
// paths that need no request first. In order: the two kinds of send, the functions by mode,
// receives, buffers.
#include <ep/ep.h>

#include <cstddef>
#include <cstring>
#include <memory>

#include "datatypes/overlap.hpp"
#include "handles/endpoint.hpp"
#include "handles/start_handles.hpp"
#include "messages/api_message.hpp"
#include "messages/message_tables.hpp"
#include "messages/p2p.hpp"
#include "process/counts.hpp"
#include "process/error.hpp"
#include "progress/progress.hpp"
#include "traces/account.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

int send_now(const SendArguments& a, SendMode mode, const char* what) {
  return call_on(a.comm, [&] {
    const Endpoint& endpoint = checked_sender(a);
    const MappedView view = checked_message(a.buf, a.count, a.type);
    const HeardCall call(endpoint.place(), HeardCall::Kind::send,
                         {what, view.bytes(), a.dest, a.tag, {}});
    if (send_at_once(endpoint, a.dest, a.tag, view, mode)) return;
    const BorrowedRequest request;
    prepare(*request, endpoint, view, what);
    start_send(endpoint, a.dest, a.tag, *request, mode);
    await(*request);
  });
}

int send_later(const SendArguments& a, SendMode mode, const char* what, EP_Request* request) {
  return call_on(a.comm, [&] {
    check_out(request);
    const Endpoint& endpoint = checked_sender(a);
    const MappedView view = checked_message(a.buf, a.count, a.type);
    const HeardCall call(endpoint.place(), HeardCall::Kind::send,
                         {what, view.bytes(), a.dest, a.tag, {}});
    *request = begin(endpoint, view, what,
                     [&](Request& started) { start_send(endpoint, a.dest, a.tag, started, mode); });
  });
}

}  // namespace

int EP_COUNTED(Send)(const void* buf, Count count, MPI_Datatype type, int dest, int tag,
                     EP_Comm comm) {
  return send_now({buf, count, type, dest, tag, comm}, SendMode::standard,
                  "the receiver of a message (EP_Send)");
}

int EP_COUNTED(Ssend)(const void* buf, Count count, MPI_Datatype type, int dest, int tag,
                      EP_Comm comm) {
  return send_now({buf, count, type, dest, tag, comm}, SendMode::synchronous,
                  "the receiver of a message (EP_Ssend)");
}

int EP_COUNTED(Bsend)(const void* buf, Count count, MPI_Datatype type, int dest, int tag,
                      EP_Comm comm) {
  return send_now({buf, count, type, dest, tag, comm}, SendMode::buffered,
                  "the receiver of a message (EP_Bsend)");
}

int EP_COUNTED(Rsend)(const void* buf, Count count, MPI_Datatype type, int dest, int tag,
                      EP_Comm comm) {
  return send_now({buf, count, type, dest, tag, comm}, SendMode::ready,
                  "the receiver of a message (EP_Rsend)");
}

int EP_COUNTED(Isend)(const void* buf, Count count, MPI_Datatype type, int dest, int tag,
                      EP_Comm comm, EP_Request* request) {
  return send_later({buf, count, type, dest, tag, comm}, SendMode::standard,
                    "the receiver of a message (EP_Isend)", request);
}

int EP_COUNTED(Issend)(const void* buf, Count count, MPI_Datatype type, int dest, int tag,
                       EP_Comm comm, EP_Request* request) {
  return send_later({buf, count, type, dest, tag, comm}, SendMode::synchronous,
                    "the receiver of a message (EP_Issend)", request);
}

int EP_COUNTED(Ibsend)(const void* buf, Count count, MPI_Datatype type, int dest, int tag,
                       EP_Comm comm, EP_Request* request) {
  return send_later({buf, count, type, dest, tag, comm}, SendMode::buffered,
                    "the receiver of a message (EP_Ibsend)", request);
}

int EP_COUNTED(Irsend)(const void* buf, Count count, MPI_Datatype type, int dest, int tag,
                       EP_Comm comm, EP_Request* request) {
  return send_later({buf, count, type, dest, tag, comm}, SendMode::ready,
                    "the receiver of a message (EP_Irsend)", request);
}

int EP_COUNTED(Recv)(void* buf, Count count, MPI_Datatype type, int source, int tag, EP_Comm comm,
                     EP_Status* status) {
  return call_on(comm, [&] {
    const Endpoint& endpoint = endpoint_of(comm);
    const MappedView view = checked_message(buf, count, type);
    check_source(endpoint, source, tag);
    const BorrowedRequest request;
    prepare(*request, endpoint, view, "a message (EP_Recv)");
    HeardCall call(endpoint.place(), HeardCall::Kind::receive,
                   {request->what, -1, source, tag, {}});
    start_blocking_receive(endpoint, source, tag, *request);
    wait_received(*request);
    if (call) {
      const EP_Status& got = request->status;
      call.facts() = {request->what, got.ep_bytes, got.EP_SOURCE, got.EP_TAG, {}};
    }
    give_status(request->status, status);
    check_outcome(*request);
  });
}

int EP_COUNTED(Irecv)(void* buf, Count count, MPI_Datatype type, int source, int tag, EP_Comm comm,
                      EP_Request* request) {
  return call_on(comm, [&] {
    check_out(request);
    const Endpoint& endpoint = endpoint_of(comm);
    const MappedView view = checked_message(buf, count, type);
    check_source(endpoint, source, tag);
    *request = begin(endpoint, view, "a message (EP_Irecv)",
                     [&](Request& started) { start_receive(endpoint, source, tag, started); });
  });
}

int EP_COUNTED(Buffer_attach)(void* buffer, Count size) {
  return guarded([&] {
    if (size < 0) fail(EP_ERR_ARG, "size ", size, " of a buffer (negative).");
    if (buffer == nullptr && size > 0) fail(EP_ERR_BUFFER, "the buffer is a null pointer.");
    send_buffers().attach(attached_endpoint(), buffer, static_cast<std::size_t>(size));
  });
}

int EP_COUNTED(Buffer_detach)(void* buffer_address, Count* size) {
  return guarded([&] {
    check_out(buffer_address);
    check_out(size);
    const std::shared_ptr<SendBuffer> buffer = send_buffers().get(attached_endpoint());
    const WaitSpec spec{"buffered messages to leave (EP_Buffer_detach)"};
    registry().wait(buffer->point(), spec, [&] { return buffer->is_idle(); });
    send_buffers().detach(attached_endpoint());
    void* const memory = buffer->memory();
    std::memcpy(buffer_address, &memory, sizeof memory);
    *size = static_cast<Count>(buffer->size());
  });
}
