#pragma once

#include <mpi.h>

#include <map>
#include <optional>
#include <string>

namespace ep {

// What MPI_Info objects say.

/// The value of one key, if `info` has it.
std::optional<std::string> find_hint(MPI_Info info, const char* key);
/// All keys and values.
std::map<std::string, std::string> hints_of(MPI_Info info);
/// In a new object.
MPI_Info info_of(const std::map<std::string, std::string>& hints);

}  // namespace ep
