#include <ep/ep.h>

#include <memory>
#include <utility>

#include "messages/api_message.hpp"
#include "messages/message_tables.hpp"
#include "partitions/partitioned.hpp"
#include "process/error.hpp"
#include "progress/progress.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

// Returns all partitions as one buffer.
MappedView checked_parts(const void* buf, int partitions, MPI_Count count, MPI_Datatype type) {
  if (partitions < 1) fail(EP_ERR_ARG, partitions, " partitions of a message (at least one).");
  if (count < 0) fail(EP_ERR_COUNT, "count ", count, " (negative).");
  MPI_Count all = 0;
  if (__builtin_mul_overflow(count, MPI_Count{partitions}, &all)) {
    fail(EP_ERR_COUNT, partitions, " partitions of ", count, " elements (too many).");
  }
  return checked_message(buf, all, type);
}

template <class Operation>
Operation& operation_of(EP_Request handle, const char* what, const char* maker) {
  auto* const operation = dynamic_cast<Operation*>(request_of(handle).persistent.get());
  if (operation == nullptr) {
    fail(EP_ERR_REQUEST, what, " of a request that was not made by ", maker, ".");
  }
  return *operation;
}

// Returns a shared pointer, since the request may be freed once its last partition is marked.
std::shared_ptr<PartitionSource> active_source(EP_Request handle, const char* what) {
  const auto& operation = operation_of<PartitionedSend>(handle, what, "EP_Psend_init");
  if (!operation.is_active) {
    fail(EP_ERR_REQUEST, what, " of a request that is not active. Call EP_Start first?");
  }
  return operation.source;
}

void check_partition(int partition, int partitions) {
  if (partition >= 0 && partition < partitions) return;
  fail(EP_ERR_ARG, "partition ", partition, " of a message (it has ", partitions, ").");
}

void mark(PartitionSource& source, int partition) {
  if (source.mark(partition)) return;
  fail(EP_ERR_ARG, "partition ", partition, " of a message is marked twice.");
}

template <class Body>
int call_on_request(EP_Request request, Body&& body) {
  ErrorScope scope;
  return call_with_scope(scope, [&] {
    const ep_request& named = request_of(request);
    if (named.clique) scope = {named.clique, static_cast<Slot*>(named.owner)};
    body();
  });
}

}  // namespace

int EP_Psend_init(const void* buf, int partitions, MPI_Count count, MPI_Datatype type, int dest,
                  int tag, EP_Comm comm, MPI_Info /*no hints*/, EP_Request* request) {
  return call_on(comm, [&] {
    check_out(request);
    const Endpoint& endpoint = checked_sender({buf, count, type, dest, tag, comm});
    MappedView view = checked_parts(buf, partitions, count, type);
    *request = make_persistent(
        std::make_unique<PartitionedSend>(endpoint, dest, tag, std::move(view), partitions));
  });
}

int EP_Precv_init(void* buf, int partitions, MPI_Count count, MPI_Datatype type, int source,
                  int tag, EP_Comm comm, MPI_Info /*no hints*/, EP_Request* request) {
  return call_on(comm, [&] {
    check_out(request);
    const Endpoint& endpoint = endpoint_of(comm);
    check_source(endpoint, source, tag);
    if (source == EP_ANY_SOURCE) fail(EP_ERR_RANK, "EP_Precv_init from EP_ANY_SOURCE.");
    if (tag == EP_ANY_TAG) fail(EP_ERR_TAG, "EP_Precv_init with EP_ANY_TAG.");
    MappedView view = checked_parts(buf, partitions, count, type);
    *request = make_persistent(
        std::make_unique<PartitionedReceive>(endpoint, source, tag, std::move(view), partitions));
  });
}

int EP_Pready(int partition, EP_Request request) {
  return call_on_request(request, [&] {
    const std::shared_ptr<PartitionSource> source = active_source(request, "EP_Pready");
    check_partition(partition, source->partitioning.partitions);
    mark(*source, partition);
  });
}

int EP_Pready_range(int first, int last, EP_Request request) {
  return call_on_request(request, [&] {
    const std::shared_ptr<PartitionSource> source = active_source(request, "EP_Pready_range");
    check_partition(first, source->partitioning.partitions);
    check_partition(last, source->partitioning.partitions);
    for (int partition = first; partition <= last; ++partition) mark(*source, partition);
  });
}

int EP_Pready_list(int count, const int partitions[], EP_Request request) {
  return call_on_request(request, [&] {
    if (count < 0) fail(EP_ERR_ARG, count, " partitions of a message (negative).");
    if (count > 0) check_out(partitions);
    const std::shared_ptr<PartitionSource> source = active_source(request, "EP_Pready_list");
    for (int i = 0; i < count; ++i) check_partition(partitions[i], source->partitioning.partitions);
    for (int i = 0; i < count; ++i) mark(*source, partitions[i]);
  });
}

int EP_Parrived(EP_Request request, int partition, int* flag) {
  return call_on_request(request, [&] {
    check_out(flag);
    const auto& operation =
        operation_of<PartitionedReceive>(request, "EP_Parrived", "EP_Precv_init");
    PartitionTarget& target = *operation.target;
    check_partition(partition, target.partitioning.partitions);
    const auto has_come = [&] {
      return !operation.is_active || is_done(*request) || target.report(partition);
    };
    if (!has_come()) engine().progress();
    *flag = has_come() ? 1 : 0;
  });
}
