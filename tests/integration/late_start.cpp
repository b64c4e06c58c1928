// Preloaded into a run: process LATE_PROCESS of the job pauses for LATE_MS milliseconds as soon as
// it has begun MPI, while all others go on.
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace {

void come_late() {
  const char* const rank = std::getenv("PMI_RANK");
  const char* const late = std::getenv("LATE_PROCESS");
  const char* const pause_ms = std::getenv("LATE_MS");
  if (rank == nullptr || late == nullptr || pause_ms == nullptr) return;
  if (std::strcmp(rank, late) != 0) return;
  std::this_thread::sleep_for(std::chrono::milliseconds(std::atoi(pause_ms)));
  std::fprintf(stderr, "late_start: process %s comes %s ms late\n", rank, pause_ms);
}

}  // namespace

extern "C" int MPI_Init(int* argc, char*** argv) {
  const int code = PMPI_Init(argc, argv);
  come_late();
  return code;
}

extern "C" int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int code = PMPI_Init_thread(argc, argv, required, provided);
  come_late();
  return code;
}
