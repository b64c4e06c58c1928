#include "collectives/collective_calls.hpp"
#include "datatypes/reducer.hpp"
#include "handles/endpoint.hpp"
#include "process/error.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

int EP_Barrier(EP_Comm comm) {
  return blocking(comm, [&](Endpoint& endpoint) { return barrier_call(endpoint, "EP_Barrier"); });
}

int EP_Ibarrier(EP_Comm comm, EP_Request* request) {
  return immediate(comm, request,
                   [&](Endpoint& endpoint) { return barrier_call(endpoint, "EP_Ibarrier"); });
}

int EP_Barrier_init(EP_Comm comm, MPI_Info /*no hints*/, EP_Request* request) {
  return persistent(comm, request,
                    [&](Endpoint& endpoint) { return barrier_call(endpoint, "EP_Barrier_init"); });
}

int EP_Op_commutative(MPI_Op op, int* commute) {
  return guarded([&] {
    check_out(commute);
    if (op == MPI_OP_NULL) fail(EP_ERR_OP, "the operation is MPI_OP_NULL.");
    *commute = is_commutative(op) ? 1 : 0;
  });
}
