/// @file
/// Questions about communicators of MPI itself, which the layers above may not ask it.
#pragma once

#include <ep/ep.hpp>
#include <vector>

namespace ep {

inline MPI_Fint to_fortran(MPI_Comm comm) { return MPI_Comm_c2f(comm); }
inline MPI_Comm from_fortran(MPI_Fint comm) { return MPI_Comm_f2c(comm); }

/// Ranks in `in` of the processes of `comm`, in the order of `comm`; MPI_UNDEFINED for those that
/// are not there. Local. 6.3.1.
inline std::vector<int> process_ranks(MPI_Comm comm, MPI_Comm in) {
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group others = MPI_GROUP_NULL;
  check(MPI_Comm_group(comm, &group));
  check(MPI_Comm_group(in, &others));
  int size = 0;
  check(MPI_Group_size(group, &size));
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::vector<int> out(ranks.size());
  for (int i = 0; i < size; ++i) ranks[static_cast<std::size_t>(i)] = i;
  check(MPI_Group_translate_ranks(group, size, ranks.data(), others, out.data()));
  check(MPI_Group_free(&group));
  check(MPI_Group_free(&others));
  return out;
}

}  // namespace ep
