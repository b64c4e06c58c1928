// Finds processes that were started together and do not know of each other: the launcher of one MPI
// started programs of another one. Each would run the whole job, and write the files of the others.
#include "programs/lone_process.hpp"

#include <ep/ep.h>

#include <array>
#include <cstdlib>

#include "process/error.hpp"

namespace ep {

namespace {

struct Launcher {
  const char* name;
  const char* variable;  ///< with the number of processes that it has started
  MpiKind understood_by;
  const char* instead;
};

// srun speaks with any MPI, if it is told to.
constexpr std::array launchers{
    Launcher{"mpiexec of MPICH", "PMI_SIZE", MpiKind::mpich,
             "Start the job with the mpiexec of this MPI?"},
    Launcher{"mpiexec of Open MPI", "OMPI_COMM_WORLD_SIZE", MpiKind::open_mpi,
             "Start the job with the mpiexec of this MPI?"},
    Launcher{"srun", "SLURM_STEP_NUM_TASKS", MpiKind::other,
             "Tell srun how to start this MPI (srun --mpi=list names the ways), or start the job "
             "with the mpiexec of this MPI?"}};

std::optional<int> number_of_environment(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? std::nullopt : std::optional(std::atoi(text));
}

bool is_spawned() {
  MPI_Comm parent = MPI_COMM_NULL;
  check_mpi(MPI_Comm_get_parent(&parent), "MPI_Comm_get_parent");
  return parent != MPI_COMM_NULL;
}

}  // namespace

std::string started_apart(const MpiLibrary& running,
                          const std::function<std::optional<int>(const char*)>& number) {
  if (running.kind == MpiKind::other || number("EP_ALONE").value_or(0) != 0) return {};
  // What its own launcher started is as that one says, whatever started the launcher.
  for (const Launcher& launcher : launchers) {
    if (launcher.understood_by == running.kind && number(launcher.variable)) return {};
  }
  for (const Launcher& launcher : launchers) {
    const int started = number(launcher.variable).value_or(0);
    if (started < 2) continue;
    return "this process is one of " + std::to_string(started) + " that " + launcher.name +
           " has started (" + launcher.variable + "), but '" + running.name +
           "', its MPI, knows of no other one (each would run the whole job and write the same "
           "files). " +
           launcher.instead + " EP_ALONE=1 says that each is meant to be alone.";
  }
  return {};
}

void check_launcher() {
  int size = 0;
  check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &size), "MPI_Comm_size");
  if (size > 1) return;
  const std::string why = started_apart(running_library(), number_of_environment);
  if (!why.empty() && !is_spawned()) fail(EP_ERR_OTHER, why);
}

}  // namespace ep
