#include "interposed.hpp"

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <vector>

namespace ep::test {
namespace {

struct Faults {
  std::array<std::atomic<std::int64_t>, static_cast<std::size_t>(Raw::last)> calls{};
  std::atomic<Raw> function{Raw::last};
  std::atomic<std::int64_t> first{0};  // in calls of `function`
  std::atomic<std::int64_t> end{0};
  std::atomic<int> error_class{MPI_SUCCESS};
  std::atomic<int> failures{0};
};

Faults& faults() {
  static Faults instance;
  return instance;
}

std::atomic<std::int64_t>& counter(Raw function) {
  return faults().calls[static_cast<std::size_t>(function)];
}

// A receive that fails has eaten its message, or the sender would wait for ever inside MPI.
void eat(int count, MPI_Message* message) {
  std::vector<std::byte> data(static_cast<std::size_t>(count) + 1);
  PMPI_Mrecv(data.data(), count, MPI_BYTE, message, MPI_STATUS_IGNORE);
}

}  // namespace

int count_call(Raw function) {
  Faults& all = faults();
  const std::int64_t number = counter(function).fetch_add(1);
  if (all.function.load() != function) return MPI_SUCCESS;
  if (number < all.first.load() || number >= all.end.load()) return MPI_SUCCESS;
  all.failures.fetch_add(1);
  return all.error_class.load();
}

void fail_calls(Raw function, int nth, int times, int error_class) {
  Faults& all = faults();
  let_all_work();
  all.first.store(counter(function).load() + nth - 1);
  all.end.store(all.first.load() + times);
  all.error_class.store(error_class);
  all.function.store(function);
}

void let_all_work() {
  faults().function.store(Raw::last);
  faults().failures.store(0);
}

std::int64_t calls(Raw function) { return counter(function).load(); }

int failures() { return faults().failures.load(); }

}  // namespace ep::test

using ep::test::Raw;

extern "C" {

int MPI_Isend(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
              MPI_Request* request) {
  const int code = ep::test::count_call(Raw::isend);
  return code != MPI_SUCCESS ? code : PMPI_Isend(buf, count, type, dest, tag, comm, request);
}

int MPI_Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
                MPI_Status* status) {
  const int code = ep::test::count_call(Raw::improbe);
  return code != MPI_SUCCESS ? code : PMPI_Improbe(source, tag, comm, flag, message, status);
}

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  const int code = ep::test::count_call(Raw::iprobe);
  return code != MPI_SUCCESS ? code : PMPI_Iprobe(source, tag, comm, flag, status);
}

int MPI_Recv(void* buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
             MPI_Status* status) {
  const int code = ep::test::count_call(Raw::recv);
  if (code == MPI_SUCCESS) return PMPI_Recv(buf, count, type, source, tag, comm, status);
  std::vector<std::byte> eaten(static_cast<std::size_t>(count) + 1);
  PMPI_Recv(eaten.data(), count, type, source, tag, comm, status);
  return code;
}

int MPI_Imrecv(void* buf, int count, MPI_Datatype type, MPI_Message* message,
               MPI_Request* request) {
  const int code = ep::test::count_call(Raw::imrecv);
  if (code == MPI_SUCCESS) return PMPI_Imrecv(buf, count, type, message, request);
  ep::test::eat(count, message);
  return code;
}

int MPI_Mrecv(void* buf, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
  const int code = ep::test::count_call(Raw::mrecv);
  if (code == MPI_SUCCESS) return PMPI_Mrecv(buf, count, type, message, status);
  ep::test::eat(count, message);
  return code;
}

// As in MPI, an operation that failed is over.
int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  ep::test::count_call(Raw::tried_test);
  const int code = PMPI_Test(request, flag, status);
  if (code != MPI_SUCCESS || *flag == 0) return code;
  return ep::test::count_call(Raw::test);
}

int MPI_Iallgather(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                   int receive_count, MPI_Datatype receive_type, MPI_Comm comm,
                   MPI_Request* request) {
  const int code = ep::test::count_call(Raw::iallgather);
  if (code != MPI_SUCCESS) return code;
  return PMPI_Iallgather(send, send_count, send_type, receive, receive_count, receive_type, comm,
                         request);
}

int MPI_Ialltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                  int receive_count, MPI_Datatype receive_type, MPI_Comm comm,
                  MPI_Request* request) {
  const int code = ep::test::count_call(Raw::ialltoall);
  if (code != MPI_SUCCESS) return code;
  return PMPI_Ialltoall(send, send_count, send_type, receive, receive_count, receive_type, comm,
                        request);
}

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* out, MPI_Request* request) {
  const int code = ep::test::count_call(Raw::comm_idup);
  return code != MPI_SUCCESS ? code : PMPI_Comm_idup(comm, out, request);
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* out) {
  const int code = ep::test::count_call(Raw::comm_create_group);
  return code != MPI_SUCCESS ? code : PMPI_Comm_create_group(comm, group, tag, out);
}

int MPI_Comm_free(MPI_Comm* comm) {
  const int code = ep::test::count_call(Raw::comm_free);
  return code != MPI_SUCCESS ? code : PMPI_Comm_free(comm);
}

int MPI_Type_get_envelope(MPI_Datatype type, int* integers, int* addresses, int* types,
                          int* combiner) {
  const int code = ep::test::count_call(Raw::type_get_envelope);
  if (code != MPI_SUCCESS) return code;
  return PMPI_Type_get_envelope(type, integers, addresses, types, combiner);
}

int MPI_Type_dup(MPI_Datatype type, MPI_Datatype* out) {
  const int code = ep::test::count_call(Raw::type_dup);
  return code != MPI_SUCCESS ? code : PMPI_Type_dup(type, out);
}

int MPI_Reduce_local(const void* in, void* inout, int count, MPI_Datatype type, MPI_Op op) {
  const int code = ep::test::count_call(Raw::reduce_local);
  return code != MPI_SUCCESS ? code : PMPI_Reduce_local(in, inout, count, type, op);
}

}  // extern "C"
