#include <ep/ep.h>

#include <memory>
#include <utility>

#include "handles/endpoint.hpp"
#include "messages/api_message.hpp"
#include "messages/p2p.hpp"
#include "messages/persistent.hpp"
#include "process/counts.hpp"
#include "traces/account.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

struct PersistentSend final : Persistent {
  PersistentSend(const SendArguments& a, SendMode how, const char* why)
      : Persistent(checked_sender(a), why),
        mode(how),
        view(checked_message(a.buf, a.count, a.type)),
        dest(a.dest),
        tag(a.tag) {}

  void start(Request& request) override {
    prepare(request, member, view, what);
    const HeardCall call(member.place(), HeardCall::Kind::send,
                         {what, view.bytes(), dest, tag, {}});
    start_send(member, dest, tag, request, mode);
  }

  SendMode mode;
  MappedView view;
  int dest;
  int tag;
};

struct PersistentReceive final : Persistent {
  PersistentReceive(const Endpoint& endpoint, MappedView where, int from, int which)
      : Persistent(endpoint, "a message (EP_Recv_init)"),
        view(std::move(where)),
        source(from),
        tag(which) {}

  void start(Request& request) override {
    prepare(request, member, view, what);
    start_receive(member, source, tag, request);
  }

  MappedView view;
  int source;
  int tag;
};

int send_init(const SendArguments& a, SendMode mode, const char* what, EP_Request* request) {
  return call_on(a.comm, [&] {
    check_out(request);
    *request = make_persistent(std::make_unique<PersistentSend>(a, mode, what));
  });
}

}  // namespace

int EP_COUNTED(Send_init)(const void* buf, Count count, MPI_Datatype type, int dest, int tag,
                          EP_Comm comm, EP_Request* request) {
  return send_init({buf, count, type, dest, tag, comm}, SendMode::standard,
                   "the receiver of a message (EP_Send_init)", request);
}

int EP_COUNTED(Ssend_init)(const void* buf, Count count, MPI_Datatype type, int dest, int tag,
                           EP_Comm comm, EP_Request* request) {
  return send_init({buf, count, type, dest, tag, comm}, SendMode::synchronous,
                   "the receiver of a message (EP_Ssend_init)", request);
}

int EP_COUNTED(Bsend_init)(const void* buf, Count count, MPI_Datatype type, int dest, int tag,
                           EP_Comm comm, EP_Request* request) {
  return send_init({buf, count, type, dest, tag, comm}, SendMode::buffered,
                   "the receiver of a message (EP_Bsend_init)", request);
}

int EP_COUNTED(Rsend_init)(const void* buf, Count count, MPI_Datatype type, int dest, int tag,
                           EP_Comm comm, EP_Request* request) {
  return send_init({buf, count, type, dest, tag, comm}, SendMode::ready,
                   "the receiver of a message (EP_Rsend_init)", request);
}

int EP_COUNTED(Recv_init)(void* buf, Count count, MPI_Datatype type, int source, int tag,
                          EP_Comm comm, EP_Request* request) {
  return call_on(comm, [&] {
    check_out(request);
    const Endpoint& endpoint = endpoint_of(comm);
    MappedView view = checked_message(buf, count, type);
    check_source(endpoint, source, tag);
    *request = make_persistent(
        std::make_unique<PersistentReceive>(endpoint, std::move(view), source, tag));
  });
}
