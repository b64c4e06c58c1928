// Preloaded into a run: counts the messages between processes that MPI is asked to send and those
// that are taken from it. A message that nobody takes makes UCX complain at the end, if it has
// arrived by then.
#include <mpi.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

namespace {

std::mutex mutex;
std::map<int, std::array<long long, 2>> by_tag;  // sent, taken

void count(int tag, std::size_t which) {
  const std::lock_guard lock(mutex);
  ++by_tag[tag][which];
}

/// An attribute of MPI_COMM_SELF: those set first are deleted last (MPI-3.1, 8.7.1), so this is the
/// end of all communication.
int report(MPI_Comm /*comm*/, int /*key*/, void* /*value*/, void* /*state*/) {
  std::array<long long, 2> own{};
  for (const auto& [tag, counts] : by_tag) {
    own[0] += counts[0];
    own[1] += counts[1];
  }
  std::array<long long, 2> all{};
  PMPI_Allreduce(own.data(), all.data(), 2, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    std::fprintf(stderr, "message_spy: %lld messages sent, %lld never taken\n", all[0],
                 all[0] - all[1]);
  }
  if (all[0] == all[1] || std::getenv("MESSAGE_SPY_TAGS") == nullptr) return MPI_SUCCESS;
  for (const auto& [tag, counts] : by_tag) {
    std::fprintf(stderr, "message_spy: rank %d, tag %#x: %lld sent, %lld taken\n", rank,
                 static_cast<unsigned>(tag), counts[0], counts[1]);
  }
  return MPI_SUCCESS;
}

}  // namespace

extern "C" int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int code = PMPI_Init_thread(argc, argv, required, provided);
  int key = MPI_KEYVAL_INVALID;
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, report, &key, nullptr);
  PMPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
  return code;
}

extern "C" int MPI_Isend(const void* data, int size, MPI_Datatype type, int dest, int tag,
                         MPI_Comm comm, MPI_Request* request) {
  count(tag, 0);
  return PMPI_Isend(data, size, type, dest, tag, comm, request);
}

extern "C" int MPI_Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
                           MPI_Status* status) {
  MPI_Status own;
  MPI_Status* seen = status == MPI_STATUS_IGNORE ? &own : status;
  const int code = PMPI_Improbe(source, tag, comm, flag, message, seen);
  if (code == MPI_SUCCESS && *flag != 0) count(seen->MPI_TAG, 1);
  return code;
}

extern "C" int MPI_Recv(void* data, int size, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                        MPI_Status* status) {
  const int code = PMPI_Recv(data, size, type, source, tag, comm, status);
  if (code == MPI_SUCCESS) count(tag, 1);
  return code;
}
