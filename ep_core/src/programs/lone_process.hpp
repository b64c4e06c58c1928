#pragma once

#include <functional>
#include <optional>
#include <string>

#include "process/mpi_library.hpp"

namespace ep {

/// Returns why a process whose MPI knows no other one cannot be meant to be alone: a launcher that
/// this MPI does not understand has started several. Empty if there is no such sign. `number`
/// returns the value of an environment variable.
std::string started_apart(const MpiLibrary& running,
                          const std::function<std::optional<int>(const char* variable)>& number);

/// Throws EP_ERR_OTHER if this process is one of several that a launcher of another MPI has
/// started, each of which takes itself for rank 0 of 1. MPI has started.
void check_launcher();

}  // namespace ep
