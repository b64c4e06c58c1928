// A program to be heard (EP_TRACE, EP_STATISTICS): 2 endpoints in each process, whose messages and
// waits are known. With "kill" the last process dies while others send, with "stuck" when they have
// waited for long.
#include <signal.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <ep/ep.hpp>
#include <string>
#include <thread>

namespace {

using ep::check;

constexpr std::chrono::milliseconds late{60};

void ring(EP_Comm comm, int rank, int size) {
  std::array<int, 100> out{};
  std::array<int, 100> in{};
  EP_Request request = EP_REQUEST_NULL;
  check(EP_Isend(out.data(), 100, MPI_INT, (rank + 1) % size, 7, comm, &request));
  check(EP_Recv(in.data(), 100, MPI_INT, EP_ANY_SOURCE, 7, comm, EP_STATUS_IGNORE));
  check(EP_Wait(&request, EP_STATUS_IGNORE));
}

// In parts, with the tag of other messages.
void send_in_parts(EP_Comm comm, int rank) {
  if (rank > 1) return;
  std::array<int, 4> parts{};
  EP_Request request = EP_REQUEST_NULL;
  if (rank == 0) {
    check(EP_Psend_init(parts.data(), 2, 2, MPI_INT, 1, 7, comm, MPI_INFO_NULL, &request));
  } else {
    check(EP_Precv_init(parts.data(), 2, 2, MPI_INT, 0, 7, comm, MPI_INFO_NULL, &request));
  }
  check(EP_Start(&request));
  if (rank == 0) check(EP_Pready_range(0, 1, request));
  check(EP_Wait(&request, EP_STATUS_IGNORE));
  check(EP_Request_free(&request));
}

// Rank 0 waits for the last one, which is late.
void wait_for_late_receiver(EP_Comm comm, int rank, int size) {
  double value = 0;
  if (rank == 0) check(EP_Ssend(&value, 1, MPI_DOUBLE, size - 1, 8, comm));
  if (rank != size - 1) return;
  std::this_thread::sleep_for(late);
  check(EP_Recv(&value, 1, MPI_DOUBLE, 0, 8, comm, EP_STATUS_IGNORE));
}

void collectives(EP_Comm comm, int rank) {
  std::array<double, 10> operand{};
  std::array<double, 10> result{};
  check(EP_Allreduce(operand.data(), result.data(), 10, MPI_DOUBLE, MPI_SUM, comm));
  EP_Request request = EP_REQUEST_NULL;
  check(EP_Ibcast(operand.data(), 10, MPI_DOUBLE, 0, comm, &request));
  check(EP_Wait(&request, EP_STATUS_IGNORE));
  if (rank == 1) std::this_thread::sleep_for(late);
  check(EP_Barrier(comm));
}

// The last endpoint is not in the library, and so says nothing.
void get_stuck(EP_Comm comm, int rank, int size) {
  if (rank == size - 1) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2500));
    ::kill(::getpid(), SIGKILL);
  }
  if (rank == 0) check(EP_Recv(nullptr, 0, MPI_BYTE, size - 1, 99, comm, EP_STATUS_IGNORE));
  check(EP_Barrier(comm));
}

void run(int endpoint, const std::string& way) {
  check(EP_Thread_attach(endpoint, EP_COMM_CLIQUE));
  EP_Comm comm = EP_COMM_NULL;
  check(EP_Comm_dup(EP_COMM_ENDPOINTS, &comm));
  check(EP_Comm_set_name(comm, "the \"ocean\""));
  int rank = 0;
  int size = 0;
  check(EP_Comm_rank(comm, &rank));
  check(EP_Comm_size(comm, &size));
  send_in_parts(comm, rank);
  ring(comm, rank, size);
  wait_for_late_receiver(comm, rank, size);
  collectives(comm, rank);
  if (way == "stuck") get_stuck(comm, rank, size);
  if (way == "kill") {
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    ring(comm, rank, size);
    check(EP_Barrier(comm));
    if (rank == size - 1) ::kill(::getpid(), SIGKILL);
    check(EP_Barrier(comm));
  }
  check(EP_Comm_free(&comm));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string way = argc > 1 ? argv[1] : "whole";
  check(EP_Init_endpoint(&argc, &argv, 2, MPI_THREAD_MULTIPLE, nullptr, nullptr));
  std::thread other(run, 1, way);
  run(0, way);
  other.join();
  check(EP_Finalize());
  return 0;
}
