// Preloaded into a run: messages between processes leave late, and are taken late, by pauses that
// EPIOS_TEST_DELAYS=<seed> repeats. (Channels in memory pause by themselves.)
#include <mpi.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace {

std::atomic<std::uint64_t> calls{0};
std::atomic<std::uint64_t> pauses{0};

std::uint64_t number_of(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
}

/// Each process has pauses of its own.
void linger() {
  static const std::uint64_t seed = number_of("EPIOS_TEST_DELAYS") * 1000 + number_of("PMI_RANK");
  std::uint64_t z = seed * 0x9E3779B97F4A7C15U + ++calls;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z ^= z >> 27U;
  if (z % 4 != 0) return;
  ++pauses;
  std::this_thread::sleep_for(std::chrono::microseconds((z >> 8U) % 2000));
}

/// That there were any.
struct Account {
  Account() = default;
  Account(const Account&) = delete;
  Account(Account&&) = delete;
  Account& operator=(const Account&) = delete;
  Account& operator=(Account&&) = delete;
  ~Account() {
    if (pauses > 0)
      std::fprintf(stderr, "message_delays: %llu pauses\n",
                   static_cast<unsigned long long>(pauses));
  }
} const account;

}  // namespace

extern "C" int MPI_Isend(const void* data, int size, MPI_Datatype type, int dest, int tag,
                         MPI_Comm comm, MPI_Request* request) {
  linger();
  return PMPI_Isend(data, size, type, dest, tag, comm, request);
}

extern "C" int MPI_Improbe(int source, int tag, MPI_Comm comm, int* found, MPI_Message* message,
                           MPI_Status* status) {
  const int code = PMPI_Improbe(source, tag, comm, found, message, status);
  if (*found != 0) linger();
  return code;
}

// Of small messages, which have been found by MPI_Iprobe.
extern "C" int MPI_Recv(void* data, int size, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                        MPI_Status* status) {
  linger();
  return PMPI_Recv(data, size, type, source, tag, comm, status);
}
