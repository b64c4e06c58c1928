#include <ep/ep.h>

#include <algorithm>
#include <cstdlib>

#include "api_arguments.hpp"
#include "api_creation.hpp"
#include "attachment.hpp"
#include "process.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

/// From the launcher: EP_NUM_ENDPOINTS, which may differ from process to process.
int launched_endpoints() {
  const char* const text = std::getenv("EP_NUM_ENDPOINTS");
  if (text == nullptr || *text == '\0') return 1;
  char* end = nullptr;
  const long number = std::strtol(text, &end, 10);
  if (*end != '\0' || number < 1 || number > EP_MAX_ENDPOINTS) {
    fail(EP_ERR_ENDPOINTS, "EP_NUM_ENDPOINTS is '", text, "' (a number of endpoints from 1 to ",
         EP_MAX_ENDPOINTS, ").");
  }
  return static_cast<int>(number);
}

/// Collective over all processes, when the start communicators are not there yet.
void start(int* argc, char*** argv, int endpoints, int level) {
  if (level < MPI_THREAD_SINGLE || level > MPI_THREAD_MULTIPLE) {
    fail(EP_ERR_ARG, "thread level ", level, " is none of MPI's four.");
  }
  // Of MPI several endpoints need all there is; the level asked for holds per endpoint.
  const int granted = process().enter(argc, argv, endpoints > 1 ? MPI_THREAD_MULTIPLE : level);
  if (process().start().exist()) return;
  try {
    Spares& spares = process().spares();
    if (const char* const number = std::getenv("EP_SPARES"); number != nullptr && *number != '0') {
      spares.meet(false);
    }
    const EP_Comm world = spares.exist() ? spares.main_processes()
                                         : handle_of(nullptr, create_from_mpi(MPI_COMM_WORLD));
    process().start().create(world, endpoints, endpoints > 1 ? level : std::min(level, granted));
  } catch (...) {
    process().leave();
    throw;
  }
}

}  // namespace

int EP_Init_library(int required, int* provided) {
  return guarded([&] {
    const int level = process().enter(nullptr, nullptr, required);
    if (provided != nullptr) *provided = level;
  });
}

int EP_Init_thread(int* argc, char*** argv, int required, int* provided) {
  return guarded([&] {
    start(argc, argv, launched_endpoints(), required);
    if (provided != nullptr) *provided = process().start().level();
  });
}

int EP_Init(int* argc, char*** argv) {
  return EP_Init_thread(argc, argv, MPI_THREAD_SINGLE, nullptr);
}

int EP_Init_endpoint(int* argc, char*** argv, int num_endpoints, int required, int* size,
                     int* rank) {
  return guarded([&] {
    if (num_endpoints < 0 || num_endpoints > EP_MAX_ENDPOINTS) {
      fail(EP_ERR_ENDPOINTS, num_endpoints, " endpoints in a process (0 to ", EP_MAX_ENDPOINTS,
           ").");
    }
    start(argc, argv, num_endpoints > 0 ? num_endpoints : launched_endpoints(), required);
    if (size != nullptr) *size = process().start().size();
    if (rank != nullptr) *rank = process().start().rank_of_first();
  });
}

int EP_Thread_attach(int rank, EP_Comm comm) {
  return guarded([&] { process().start().attach(rank, comm); });
}

int EP_Thread_attached(int* endpoint) {
  return guarded([&] {
    check_out(endpoint);
    *endpoint = process().start().attached();
  });
}

int EP_Thread_inherit(int endpoint) {
  return guarded([&] { process().start().inherit(endpoint); });
}
