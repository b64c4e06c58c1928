#pragma once

#include <mpi.h>

#include <map>
#include <optional>
#include <string>

namespace ep {

// Access to the contents of MPI_Info objects.

/// Returns the value of one key, if `info` has it.
std::optional<std::string> find_hint(MPI_Info info, const char* key);
/// Returns all keys and values of `info`.
std::map<std::string, std::string> hints_of(MPI_Info info);
/// Returns a new info object with these keys and values.
MPI_Info info_of(const std::map<std::string, std::string>& hints);

}  // namespace ep
