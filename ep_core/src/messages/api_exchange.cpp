// C functions that send and receive in one call (EP_Sendrecv and its kind). The send starts first,
// and the two halves complete together. In order: checks, blocking exchange, the copy for the
// replacing variants, non-blocking exchange, and the functions.
#include <ep/ep.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "datatypes/overlap.hpp"
#include "handles/endpoint.hpp"
#include "messages/api_message.hpp"
#include "messages/message_tables.hpp"
#include "messages/p2p.hpp"
#include "process/counts.hpp"
#include "process/error.hpp"
#include "traces/account.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

struct Exchange {
  MappedView send;
  Label label;
  int dest = EP_PROC_NULL;
  int send_tag = 0;
  MappedView receive;
  int source = EP_PROC_NULL;
  int receive_tag = 0;
};

void check(const Endpoint& endpoint, const Exchange& e, const char* what) {
  check_dest(endpoint, e.dest);
  check_send_tag(e.send_tag);
  check_source(endpoint, e.source, e.receive_tag);
  check_disjoint(e.send, e.receive, what);
}

void exchange(Endpoint& endpoint, const Exchange& e, EP_Status* status) {
  check(endpoint, e, "EP_Sendrecv");
  const BorrowedRequest receive;
  const BorrowedRequest send;
  prepare(*receive, endpoint, e.receive, "a message (EP_Sendrecv)");
  start_receive(endpoint, e.source, e.receive_tag, *receive);
  const HeardCall call(endpoint.place(), HeardCall::Kind::send,
                       {"EP_Sendrecv", e.send.bytes(), e.dest, e.send_tag, {}});
  prepare(*send, endpoint, e.send, "the receiver of a message (EP_Sendrecv)");
  send->label = e.label;
  start_send(endpoint, e.dest, e.send_tag, *send);
  wait_done(*send);
  wait_done(*receive);
  give_status(receive->status, status);
  check_outcome(*send);
  check_outcome(*receive);
}

// Packs the message with the label of its original type.
Exchange replacing(const Endpoint& endpoint, const MappedView& view, std::vector<std::byte>& copy) {
  copy.resize(static_cast<std::size_t>(view.bytes()));
  pack_bytes(view, copy.data());
  Exchange e;
  e.send = mapped_bytes(copy.data(), view.bytes());
  e.label = label_of(endpoint, view);
  e.receive = view;
  return e;
}

enum class Half { received, sent };

/// An exchange for which no call waits: the program's request completes with the second of its two
/// messages, and has the status of the received one.
struct PendingExchange {
  std::shared_ptr<Clique> clique;
  Request* visible = nullptr;
  std::vector<std::byte> copy;
  std::mutex mutex;  // the other two
  int left = 2;

  void end(const Request& part, Half half) noexcept {
    const std::shared_ptr<Clique> keep = clique;
    const int code = guarded([&] { check_outcome(part); });
    std::unique_lock lock(mutex);
    if (half == Half::received) {
      visible->status.EP_SOURCE = part.status.EP_SOURCE;
      visible->status.EP_TAG = part.status.EP_TAG;
      visible->status.ep_bytes = part.status.ep_bytes;
    }
    if (code != EP_SUCCESS) note_failure(*visible, code, last_error());
    const bool is_last = --left == 0;
    lock.unlock();
    if (is_last) finish(*visible);
  }
};

template <class Start>
void start_part(const Endpoint& endpoint, const std::shared_ptr<PendingExchange>& pending,
                Half half, const MappedView& view, const char* what, Start&& start) {
  Request& part = *request_arena().take();
  prepare(part, endpoint, view, what);
  part.state.store(Request::abandoned);
  part.then = [pending, half](const Request& ended) { pending->end(ended, half); };
  start(part);
}

EP_Request start_exchange(const Endpoint& endpoint, const Exchange& e,
                          std::shared_ptr<PendingExchange> pending, const char* what) {
  check(endpoint, e, what);
  const HeardCall call(endpoint.place(), HeardCall::Kind::send,
                       {what, e.send.bytes(), e.dest, e.send_tag, {}});
  return begin(endpoint, MappedView{}, what, [&](Request& visible) {
    visible.peer = e.source;
    pending->clique = endpoint.clique;
    pending->visible = &visible;
    // The send starts first, since it then needs no more of the caller's memory.
    start_part(endpoint, pending, Half::sent, e.send, what, [&](Request& part) {
      part.label = e.label;
      start_send(endpoint, e.dest, e.send_tag, part);
    });
    start_part(endpoint, pending, Half::received, e.receive, what,
               [&](Request& part) { start_receive(endpoint, e.source, e.receive_tag, part); });
  });
}

}  // namespace

int EP_COUNTED(Sendrecv)(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, int dest,
                         int sendtag, void* recvbuf, Count recvcount, MPI_Datatype recvtype,
                         int source, int recvtag, EP_Comm comm, EP_Status* status) {
  return call_on(comm, [&] {
    exchange(endpoint_of(comm),
             {checked_message(sendbuf, sendcount, sendtype), Label{}, dest, sendtag,
              checked_message(recvbuf, recvcount, recvtype), source, recvtag},
             status);
  });
}

int EP_COUNTED(Sendrecv_replace)(void* buf, Count count, MPI_Datatype type, int dest, int sendtag,
                                 int source, int recvtag, EP_Comm comm, EP_Status* status) {
  return call_on(comm, [&] {
    Endpoint& endpoint = endpoint_of(comm);
    std::vector<std::byte> copy;
    Exchange e = replacing(endpoint, checked_message(buf, count, type), copy);
    e.dest = dest;
    e.send_tag = sendtag;
    e.source = source;
    e.receive_tag = recvtag;
    exchange(endpoint, e, status);
  });
}

int EP_COUNTED(Isendrecv)(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, int dest,
                          int sendtag, void* recvbuf, Count recvcount, MPI_Datatype recvtype,
                          int source, int recvtag, EP_Comm comm, EP_Request* request) {
  return call_on(comm, [&] {
    check_out(request);
    *request =
        start_exchange(endpoint_of(comm),
                       {checked_message(sendbuf, sendcount, sendtype), Label{}, dest, sendtag,
                        checked_message(recvbuf, recvcount, recvtype), source, recvtag},
                       std::make_shared<PendingExchange>(), "EP_Isendrecv");
  });
}

int EP_COUNTED(Isendrecv_replace)(void* buf, Count count, MPI_Datatype type, int dest, int sendtag,
                                  int source, int recvtag, EP_Comm comm, EP_Request* request) {
  return call_on(comm, [&] {
    check_out(request);
    Endpoint& endpoint = endpoint_of(comm);
    auto pending = std::make_shared<PendingExchange>();
    Exchange e = replacing(endpoint, checked_message(buf, count, type), pending->copy);
    e.dest = dest;
    e.send_tag = sendtag;
    e.source = source;
    e.receive_tag = recvtag;
    *request = start_exchange(endpoint, e, std::move(pending), "EP_Isendrecv_replace");
  });
}
