/// @file
/// Agreement on an outcome. Endpoints agree before they enter an operation that all of them must
/// enter.
#pragma once

#include <ep/ep.hpp>
#include <optional>
#include <string>

namespace ep {

/// Describes the failure of one endpoint.
struct Failure {
  int code = 0;  ///< caller's own code, > 0
  std::string text;
};

/// The outcome that all endpoints of a communicator receive: the failure of the lowest rank that
/// has one. Converts to true if no endpoint has failed.
struct Agreement {
  int rank = -1;  ///< lowest rank that failed; -1 if none has
  Failure failure;
  /// True if no endpoint has failed.
  explicit operator bool() const { return rank < 0; }
};

/// Agrees on an outcome: every endpoint passes its own failure (nullopt if it has none), and all
/// receive the same result. Collective over `comm`. Costs one allreduce, plus two broadcasts if an
/// endpoint has failed. Throws Error.
inline Agreement agree(const Comm& comm, const std::optional<Failure>& own) {
  const int size = comm.size();
  const int mine = own ? comm.rank() : size;
  Agreement out;
  int first = size;
  check(EP_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm.get()));
  if (first == size) return out;
  int header[2] = {0, 0};
  if (first == comm.rank()) {
    out.failure = *own;
    header[0] = own->code;
    header[1] = static_cast<int>(own->text.size());
  }
  check(EP_Bcast(header, 2, MPI_INT, first, comm.get()));
  out.rank = first;
  out.failure.code = header[0];
  out.failure.text.resize(static_cast<std::size_t>(header[1]));
  check(EP_Bcast(out.failure.text.data(), header[1], MPI_CHAR, first, comm.get()));
  return out;
}

}  // namespace ep
