#include "collectives/collective_calls.hpp"
#include "datatypes/overlap.hpp"
#include "datatypes/predefined_operations.hpp"
#include "datatypes/reducer.hpp"
#include "handles/endpoint.hpp"
#include "process/error.hpp"
#include "schedules/reduction.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

int EP_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, int root,
              EP_Comm comm) {
  return blocking(comm, [&](Endpoint& endpoint) {
    return reduce_call(endpoint, "EP_Reduce", {sendbuf, recvbuf, count, type, op}, root);
  });
}

int EP_Ireduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
               int root, EP_Comm comm, EP_Request* request) {
  return immediate(comm, request, [&](Endpoint& endpoint) {
    return reduce_call(endpoint, "EP_Ireduce", {sendbuf, recvbuf, count, type, op}, root);
  });
}

int EP_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                 EP_Comm comm) {
  return blocking(comm, [&](Endpoint& endpoint) {
    return allreduce_call(endpoint, "EP_Allreduce", {sendbuf, recvbuf, count, type, op});
  });
}

int EP_Iallreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                  EP_Comm comm, EP_Request* request) {
  return immediate(comm, request, [&](Endpoint& endpoint) {
    return allreduce_call(endpoint, "EP_Iallreduce", {sendbuf, recvbuf, count, type, op});
  });
}

int EP_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[], MPI_Datatype type,
                      MPI_Op op, EP_Comm comm) {
  return blocking(comm, [&](Endpoint& endpoint) {
    check_out(recvcounts);
    return reduce_scatter_call(endpoint, "EP_Reduce_scatter", {sendbuf, recvbuf, 0, type, op},
                               recvcounts);
  });
}

int EP_Ireduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                       MPI_Datatype type, MPI_Op op, EP_Comm comm, EP_Request* request) {
  return immediate(comm, request, [&](Endpoint& endpoint) {
    check_out(recvcounts);
    return reduce_scatter_call(endpoint, "EP_Ireduce_scatter", {sendbuf, recvbuf, 0, type, op},
                               recvcounts);
  });
}

int EP_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype type,
                            MPI_Op op, EP_Comm comm) {
  return blocking(comm, [&](Endpoint& endpoint) {
    return reduce_scatter_call(endpoint, "EP_Reduce_scatter_block",
                               {sendbuf, recvbuf, recvcount, type, op}, nullptr);
  });
}

int EP_Ireduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype type,
                             MPI_Op op, EP_Comm comm, EP_Request* request) {
  return immediate(comm, request, [&](Endpoint& endpoint) {
    return reduce_scatter_call(endpoint, "EP_Ireduce_scatter_block",
                               {sendbuf, recvbuf, recvcount, type, op}, nullptr);
  });
}

int EP_Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
            EP_Comm comm) {
  return blocking(comm, [&](Endpoint& endpoint) {
    return scan_call(endpoint, "EP_Scan", {sendbuf, recvbuf, count, type, op}, false);
  });
}

int EP_Iscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
             EP_Comm comm, EP_Request* request) {
  return immediate(comm, request, [&](Endpoint& endpoint) {
    return scan_call(endpoint, "EP_Iscan", {sendbuf, recvbuf, count, type, op}, false);
  });
}

int EP_Exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
              EP_Comm comm) {
  return blocking(comm, [&](Endpoint& endpoint) {
    return scan_call(endpoint, "EP_Exscan", {sendbuf, recvbuf, count, type, op}, true);
  });
}

int EP_Iexscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
               EP_Comm comm, EP_Request* request) {
  return immediate(comm, request, [&](Endpoint& endpoint) {
    return scan_call(endpoint, "EP_Iexscan", {sendbuf, recvbuf, count, type, op}, true);
  });
}

int EP_Reduce_local(const void* inbuf, void* inoutbuf, int count, MPI_Datatype type, MPI_Op op) {
  return guarded([&] {
    check_operation(op, type);
    if (count < 0) fail(EP_ERR_COUNT, "count ", count, " (negative).");
    if (is_in_place(inbuf) || is_in_place(inoutbuf)) {
      fail(EP_ERR_BUFFER, "EP_Reduce_local: EP_IN_PLACE for a buffer (not allowed).");
    }
    const TypedView result{inoutbuf, count, type};
    check_disjoint(mapped(view_of(inbuf, count, type)), mapped(result), "EP_Reduce_local");
    make_reducer(op, type).combine(count, inbuf, inoutbuf, inoutbuf);
  });
}

int EP_Op_commutative(MPI_Op op, int* commute) {
  return guarded([&] {
    check_out(commute);
    if (op == MPI_OP_NULL) fail(EP_ERR_OP, "the operation is MPI_OP_NULL.");
    *commute = is_commutative(op) ? 1 : 0;
  });
}
