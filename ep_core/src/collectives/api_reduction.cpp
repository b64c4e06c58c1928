#include "collectives/collective_forms.hpp"
#include "datatypes/overlap.hpp"
#include "datatypes/predefined_operations.hpp"
#include "datatypes/reducer.hpp"
#include "handles/endpoint.hpp"
#include "process/error.hpp"
#include "schedules/reduction.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

Numbers checked_counts(Numbers counts) {
  if (!counts) fail(EP_ERR_ARG, "the counts are a null pointer.");
  return counts;
}

}  // namespace

EP_COLLECTIVE(Reduce, Ireduce,
              (const void* sendbuf, void* recvbuf, Count count, MPI_Datatype type, MPI_Op op,
               int root),
              reduce_call(endpoint, what, {sendbuf, recvbuf, count, type, op}, root))

EP_COLLECTIVE(Allreduce, Iallreduce,
              (const void* sendbuf, void* recvbuf, Count count, MPI_Datatype type, MPI_Op op),
              allreduce_call(endpoint, what, {sendbuf, recvbuf, count, type, op}))

EP_COLLECTIVE(Reduce_scatter, Ireduce_scatter,
              (const void* sendbuf, void* recvbuf, const Count recvcounts[], MPI_Datatype type,
               MPI_Op op),
              reduce_scatter_call(endpoint, what, {sendbuf, recvbuf, 0, type, op},
                                  checked_counts(recvcounts)))

EP_COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block,
              (const void* sendbuf, void* recvbuf, Count recvcount, MPI_Datatype type, MPI_Op op),
              reduce_scatter_call(endpoint, what, {sendbuf, recvbuf, recvcount, type, op}, {}))

EP_COLLECTIVE(Scan, Iscan,
              (const void* sendbuf, void* recvbuf, Count count, MPI_Datatype type, MPI_Op op),
              scan_call(endpoint, what, {sendbuf, recvbuf, count, type, op}, false))

EP_COLLECTIVE(Exscan, Iexscan,
              (const void* sendbuf, void* recvbuf, Count count, MPI_Datatype type, MPI_Op op),
              scan_call(endpoint, what, {sendbuf, recvbuf, count, type, op}, true))

int EP_COUNTED(Reduce_local)(const void* inbuf, void* inoutbuf, Count count, MPI_Datatype type,
                             MPI_Op op) {
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
