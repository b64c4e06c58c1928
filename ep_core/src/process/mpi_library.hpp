#pragma once

#include <string>
#include <string_view>

namespace ep {

/// What makes MPI libraries exchangeable: what their handles are. Those of one kind may replace
/// each other below a program that is already linked.
enum class MpiKind { mpich, open_mpi, other };

/// The MPI whose header this library was compiled with, or the one that runs.
struct MpiLibrary {
  MpiKind kind = MpiKind::other;
  std::string name;  ///< as people call it: "MPICH 4.0.2"
  int standard = 0;  ///< version of the standard, 100 * 4 + 0
};

/// Returns what a text of MPI_Get_library_version says; the name is its first line.
MpiLibrary described_library(std::string_view text, int standard);
MpiLibrary library_of_build();
/// Returns the library of this process. May be called before MPI is initialised.
MpiLibrary running_library();

/// Returns why a library that was built with one MPI cannot run with another one; empty if it can.
std::string mismatch(const MpiLibrary& built, const MpiLibrary& running);

/// Fails with EP_ERR_OTHER if this process runs with an MPI that the library was not built for. May
/// be called before MPI is initialised.
void check_mpi_library();

}  // namespace ep
