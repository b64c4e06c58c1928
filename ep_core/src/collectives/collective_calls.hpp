#pragma once

#include <ep/ep.h>

#include "handles/api_arguments.hpp"
#include "handles/endpoint.hpp"
#include "schedules/operation.hpp"
#include "schedules/persistent_collective.hpp"

namespace ep {

// Conversion of the arguments of C functions to calls. All functions check the errors that one
// endpoint can detect: counts, types, roots, null pointers, EP_IN_PLACE where it is not allowed.

/// Throws EP_ERR_ROOT if `root` is not a valid root for this endpoint.
void check_root(const Endpoint& endpoint, int root);

/// Describes blocks of `count` elements each.
Blocks blocks_of(const void* data, std::int64_t count, MPI_Datatype type);
/// Describes blocks with counts and displacements of their own.
Blocks blocks_of(const void* data, Numbers counts, Numbers displacements, MPI_Datatype type);
/// Describes blocks with types of their own, displaced by bytes.
Blocks blocks_of(const void* data, Numbers counts, Numbers displacements,
                 const MPI_Datatype* types);

Call barrier_call(const Endpoint& endpoint, const char* what);
Call bcast_call(const Endpoint& endpoint, const char* what, const Blocks& buffer, int root);
Call gather_call(const Endpoint& endpoint, const char* what, const Blocks& send,
                 const Blocks& receive, int root);
Call scatter_call(const Endpoint& endpoint, const char* what, const Blocks& send,
                  const Blocks& receive, int root);
Call allgather_call(const Endpoint& endpoint, const char* what, const Blocks& send,
                    const Blocks& receive);
Call alltoall_call(const Endpoint& endpoint, const char* what, const Blocks& send,
                   const Blocks& receive);
/// Makes a call that sends blocks to the ranks of `to` and receives from those of `from`, whose
/// arrays must stay until the end.
Call pattern_call(const char* what, const Blocks& send, const Ends& to, const Blocks& receive,
                  const Ends& from);

/// The operands and results of a reduction: `count` elements at either address.
struct Operands {
  const void* send;
  void* receive;
  std::int64_t count;
  MPI_Datatype type;
  MPI_Op op;
};
Call reduce_call(const Endpoint& endpoint, const char* what, const Operands& operands, int root);
Call allreduce_call(const Endpoint& endpoint, const char* what, const Operands& operands);
/// `counts` are per rank, or empty for `operands.count` each.
Call reduce_scatter_call(const Endpoint& endpoint, const char* what, const Operands& operands,
                         Numbers counts);
Call scan_call(const Endpoint& endpoint, const char* what, const Operands& operands,
               bool exclusive);

/// Runs a blocking C function; `make(endpoint)` returns its call.
template <class Make>
int blocking(EP_Comm comm, Make&& make) {
  return call_on(comm, [&] {
    Endpoint& endpoint = endpoint_of(comm);
    run(endpoint, make(endpoint));
  });
}

/// Runs the non-blocking variant of the function.
template <class Make>
int immediate(EP_Comm comm, EP_Request* request, Make&& make) {
  return call_on(comm, [&] {
    check_out(request);
    Endpoint& endpoint = endpoint_of(comm);
    *request = start(endpoint, make(endpoint));
  });
}

/// Runs the persistent variant of the function.
template <class Make>
int persistent(EP_Comm comm, EP_Request* request, Make&& make) {
  return call_on(comm, [&] {
    check_out(request);
    Endpoint& endpoint = endpoint_of(comm);
    *request = make_persistent(endpoint, make(endpoint));
  });
}

}  // namespace ep
