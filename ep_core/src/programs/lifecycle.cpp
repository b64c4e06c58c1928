#include "programs/lifecycle.hpp"

#include <mpi.h>

#include <mutex>

#include "process/before_finalize.hpp"
#include "process/error.hpp"
#include "process/first_exception.hpp"
#include "process/mpi_library.hpp"
#include "process/process.hpp"
#include "programs/job_statistics.hpp"
#include "programs/lone_process.hpp"
#include "programs/program_tables.hpp"
#include "programs/start_watch.hpp"
#include "progress/progress.hpp"

namespace ep {

namespace {

bool mpi_is_initialized() {
  int flag = 0;
  check_mpi(MPI_Initialized(&flag), "MPI_Initialized");
  return flag != 0;
}

}  // namespace

int enter_library(int* argc, char*** argv, int required) {
  ProgramTables& here = program_tables();
  const std::lock_guard lock(here.mutex);
  check_mpi_library();
  if (mpi_is_finalized()) {
    fail(EP_ERR_OTHER, "EP_Init_thread after MPI_Finalize (MPI cannot start twice).");
  }
  if (!mpi_is_initialized()) {
    int provided = MPI_THREAD_SINGLE;
    const StartWatch watch;
    check_mpi(MPI_Init_thread(argc, argv, required, &provided), "MPI_Init_thread");
    here.initialised_mpi = true;
    // Registered first, it runs last: other callbacks may communicate.
    const auto shut_down = [](void* engine) { static_cast<Engine*>(engine)->shut_down(); };
    before_finalize(shut_down, &engine());
  }
  if (!process().is_entered()) check_launcher();
  process().enter();
  return process().thread_level();
}

void leave_library() {
  ProgramTables& here = program_tables();
  // Threads leave one after the other; otherwise, of two that leave at the same time, neither would
  // be the last.
  const std::lock_guard leaving(here.leaving);
  // The attributes are deleted first, while communication still works.
  const bool is_last = process().entries() == 1;
  FirstException problem;  // error of a callback of the program: the library ends all the same
  if (is_last) problem.guard([&] { here.start.delete_attributes(); });
  if (is_last && here.start.exist()) {
    problem.guard([&] { conclude_observation(here.start.world()); });
  }
  if (is_last) problem.guard([] { engine().send_queued(); });
  if (is_last && here.spares.exist() && here.start.exist()) here.spares.dismiss(here.start.world());
  bool ends_mpi = false;
  {
    const std::lock_guard lock(here.mutex);
    if (!process().is_entered()) {
      fail(EP_ERR_OTHER, "EP_Finalize without EP_Init_thread (calls must pair).");
    }
    process().leave();
    if (process().is_entered()) return;
    here.ports.end();
    here.start.free();
    here.spares.free();
    ends_mpi = here.initialised_mpi && !mpi_is_finalized();
  }
  // Callbacks of EP_On_finalize may use this library.
  if (ends_mpi) check_mpi(MPI_Finalize(), "MPI_Finalize");
  problem.rethrow();
}

}  // namespace ep
