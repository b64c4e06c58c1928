#include <ep/ep.h>

#include <algorithm>
#include <cstdlib>

#include "creation/api_creation.hpp"
#include "handles/api_arguments.hpp"
#include "process/process.hpp"
#include "programs/lifecycle.hpp"
#include "programs/program_tables.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

/// Reads the launcher's EP_NUM_ENDPOINTS, which may differ between processes.
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
  // Several endpoints need MPI_THREAD_MULTIPLE from MPI; the requested level applies to each
  // endpoint.
  const int granted = enter_library(argc, argv, endpoints > 1 ? MPI_THREAD_MULTIPLE : level);
  if (start_communicators().exist()) return;
  try {
    Spares& spares = spare_processes();
    if (const char* const number = std::getenv("EP_SPARES"); number != nullptr && *number != '0') {
      spares.connect(false);
    }
    const EP_Comm world = spares.exist() ? spares.main_processes()
                                         : handle_of(nullptr, create_from_mpi(MPI_COMM_WORLD));
    program_tables().ports.begin(*world);  // unless spares have begun
    start_communicators().create(world, endpoints,
                                 endpoints > 1 ? level : std::min(level, granted));
  } catch (...) {
    leave_library();
    throw;
  }
}

}  // namespace

int EP_Init_library(int required, int* provided) {
  return guarded([&] {
    const int level = enter_library(nullptr, nullptr, required);
    if (provided != nullptr) *provided = level;
  });
}

int EP_Init_thread(int* argc, char*** argv, int required, int* provided) {
  return guarded([&] {
    start(argc, argv, launched_endpoints(), required);
    if (provided != nullptr) *provided = start_communicators().level();
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
    if (size != nullptr) *size = start_communicators().size();
    if (rank != nullptr) *rank = start_communicators().rank_of_first();
  });
}

int EP_Thread_attach(int rank, EP_Comm comm) {
  return guarded([&] { start_communicators().attach(rank, comm); });
}

int EP_Thread_attached(int* endpoint) {
  return guarded([&] {
    check_out(endpoint);
    *endpoint = start_communicators().attached();
  });
}

int EP_Thread_inherit(int endpoint) {
  return guarded([&] { start_communicators().inherit(endpoint); });
}

int EP_Finalize(void) {
  return guarded([] { leave_library(); });
}

int EP_Initialized(int* flag) {
  return guarded([&] {
    check_out(flag);
    *flag = process().is_entered() ? 1 : 0;
  });
}

int EP_Finalized(int* flag) {
  return guarded([&] {
    check_out(flag);
    *flag = process().is_left() ? 1 : 0;
  });
}

int EP_Query_thread(int* provided) {
  return guarded([&] {
    check_out(provided);
    check_mpi(MPI_Query_thread(provided), "MPI_Query_thread");
    // With several endpoints, MPI itself has a higher level than each endpoint.
    if (start_communicators().exist()) *provided = start_communicators().level();
  });
}

int EP_Is_thread_main(int* flag) {
  return guarded([&] {
    check_out(flag);
    check_mpi(MPI_Is_thread_main(flag), "MPI_Is_thread_main");
  });
}
