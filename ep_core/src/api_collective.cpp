#include <ep/ep.h>

#include "collective.hpp"
#include "error.hpp"
#include "process.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

void check_root(const Endpoint& endpoint, int root) {
  const int size = endpoint.local_group().size();
  if (root < 0 || root >= size)
    fail(EP_ERR_ROOT, "root ", root, " (the group has ", size, " ranks).");
}

TypedView checked_view(const void* buf, int count, MPI_Datatype type) {
  if (is_in_place(buf)) return view_of(buf, 0, MPI_BYTE);
  if (count < 0) fail(EP_ERR_COUNT, "count ", count, " (negative).");
  static_cast<void>(type_facts(type));
  return view_of(buf, count, type);
}

void gather_to(Endpoint& endpoint, const TypedView& send, void* receive, const Blocks& blocks,
               int root) {
  check_root(endpoint, root);
  if (endpoint.rank == root) {
    static_cast<void>(type_facts(blocks.type));
  } else if (is_in_place(send.data)) {
    fail(EP_ERR_BUFFER, "EP_IN_PLACE at rank ", endpoint.rank, " (only the root may).");
  }
  gather(endpoint, send, receive, blocks, root);
}

}  // namespace

int EP_Barrier(EP_Comm comm) {
  return guarded([&] { barrier(intra_endpoint_of(comm, "EP_Barrier")); });
}

int EP_Bcast(void* buf, int count, MPI_Datatype type, int root, EP_Comm comm) {
  return guarded([&] {
    Endpoint& endpoint = intra_endpoint_of(comm, "EP_Bcast");
    check_root(endpoint, root);
    bcast(endpoint, checked_view(buf, count, type), root);
  });
}

int EP_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              int recvcount, MPI_Datatype recvtype, int root, EP_Comm comm) {
  return guarded([&] {
    Endpoint& endpoint = intra_endpoint_of(comm, "EP_Gather");
    gather_to(endpoint, checked_view(sendbuf, sendcount, sendtype), recvbuf,
              {nullptr, nullptr, recvcount, recvtype}, root);
  });
}

int EP_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
               const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
               EP_Comm comm) {
  return guarded([&] {
    Endpoint& endpoint = intra_endpoint_of(comm, "EP_Gatherv");
    gather_to(endpoint, checked_view(sendbuf, sendcount, sendtype), recvbuf,
              {recvcounts, displs, 0, recvtype}, root);
  });
}

int EP_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, EP_Comm comm) {
  return guarded([&] {
    Endpoint& endpoint = intra_endpoint_of(comm, "EP_Allgather");
    static_cast<void>(checked_view(recvbuf, recvcount, recvtype));
    allgather(endpoint, checked_view(sendbuf, sendcount, sendtype), recvbuf,
              {nullptr, nullptr, recvcount, recvtype});
  });
}

int EP_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  const int recvcounts[], const int displs[], MPI_Datatype recvtype, EP_Comm comm) {
  return guarded([&] {
    Endpoint& endpoint = intra_endpoint_of(comm, "EP_Allgatherv");
    if (recvcounts == nullptr || displs == nullptr) {
      fail(EP_ERR_ARG, "EP_Allgatherv without counts or displacements (null pointers).");
    }
    allgather(endpoint, checked_view(sendbuf, sendcount, sendtype), recvbuf,
              {recvcounts, displs, 0, recvtype});
  });
}

int EP_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                 EP_Comm comm) {
  return guarded([&] {
    Endpoint& endpoint = intra_endpoint_of(comm, "EP_Allreduce");
    if (op == MPI_OP_NULL) fail(EP_ERR_OP, "the operation is MPI_OP_NULL.");
    allreduce(endpoint, sendbuf, checked_view(recvbuf, count, type), op);
  });
}
