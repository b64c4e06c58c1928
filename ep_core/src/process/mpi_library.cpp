#include "process/mpi_library.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>

#include "process/error.hpp"

namespace ep {

namespace {

constexpr int standard_number(int version, int subversion) { return 100 * version + subversion; }

std::string standard_name(int standard) {
  return std::to_string(standard / 100) + '.' + std::to_string(standard % 100);
}

bool has(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

}  // namespace

MpiLibrary described_library(std::string_view text, int standard) {
  MpiLibrary out;
  out.standard = standard;
  if (has(text, "Open MPI")) {
    out.kind = MpiKind::open_mpi;
  } else if (has(text, "MPICH") || has(text, "Intel(R) MPI") || has(text, "MVAPICH")) {
    // The members of MPICH's ABI initiative.
    out.kind = MpiKind::mpich;
  }
  out.name = text.substr(0, std::min(text.find_first_of("\n,"), text.size()));
  std::replace(out.name.begin(), out.name.end(), '\t', ' ');
  return out;
}

MpiLibrary library_of_build() {
  constexpr int standard = standard_number(MPI_VERSION, MPI_SUBVERSION);
#if defined(OMPI_MAJOR_VERSION)
  return {MpiKind::open_mpi,
          "Open MPI v" + std::to_string(OMPI_MAJOR_VERSION) + '.' +
              std::to_string(OMPI_MINOR_VERSION) + '.' + std::to_string(OMPI_RELEASE_VERSION),
          standard};
#elif defined(MPICH_VERSION)
  return {MpiKind::mpich, "MPICH Version: " MPICH_VERSION, standard};
#else
  return {MpiKind::other, "an MPI of version " + standard_name(standard), standard};
#endif
}

std::string mismatch(const MpiLibrary& built, const MpiLibrary& running) {
  const bool are_known = built.kind != MpiKind::other && running.kind != MpiKind::other;
  if (are_known && built.kind != running.kind) {
    return "this process runs with '" + running.name + "', but ep_core was built with '" +
           built.name +
           "' (handles of one mean nothing to the other). Compile and link the program with the "
           "wrappers of that MPI and start it with its mpiexec, or build this library with the "
           "program's MPI?";
  }
  if (running.standard < built.standard) {
    return "this process runs with '" + running.name + "', which has version " +
           standard_name(running.standard) + " of the standard, but ep_core was built with '" +
           built.name + "' and version " + standard_name(built.standard) +
           " (some functions are not there). Is another MPI first in LD_LIBRARY_PATH?";
  }
  return {};
}

MpiLibrary running_library() {
  // Another MPI may write more than the header of this one says.
  std::array<char, std::max(MPI_MAX_LIBRARY_VERSION_STRING, 16384)> text{};
  int length = 0;
  check_mpi(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  int version = 0;
  int subversion = 0;
  check_mpi(MPI_Get_version(&version, &subversion), "MPI_Get_version");
  return described_library({text.data(), static_cast<std::size_t>(length)},
                           standard_number(version, subversion));
}

void check_mpi_library() {
  const std::string why = mismatch(library_of_build(), running_library());
  if (!why.empty()) fail(EP_ERR_OTHER, why);
}

}  // namespace ep
