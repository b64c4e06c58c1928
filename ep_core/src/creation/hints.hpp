#pragma once

#include <mpi.h>

#include <map>
#include <string>

#include "creation/creation.hpp"
#include "handles/endpoint.hpp"

namespace ep {

/// What the library itself reads in info objects: "ep_reduction" (fast or ordered) and
/// "ep_algorithm" (collective=algorithm,...), agreed on by all endpoints, and "ep_check_types".
/// Everything else is only kept.

/// Writes what `info` asks of reductions and algorithms into `mine`, for create_members() to agree
/// on: a value that is none of the known ones fails the call everywhere.
void read_hints(MPI_Info info, Membership& mine);

/// What several endpoints say together: of one process, then of all. Flat, to be sent as it is.
struct CommHints {
  bool fast = true;
  int error = EP_SUCCESS;
  bool unknown_algorithm = false;  ///< why `error`
  AlgorithmOverrides algorithms;

  /// Of an endpoint of `clique`.
  void add(const Membership& one, const Clique& clique);
  /// Those of processes in ascending order.
  void add(const CommHints& others);
  /// Makes `clique` follow them. Throws for a value that nobody knows.
  void apply(const Clique& clique, const char* what) const;
};

/// Keeps the hints of an endpoint, and does what is not agreed on.
void apply_info(Endpoint& endpoint, MPI_Info info);
void apply_hints(Endpoint& endpoint, std::map<std::string, std::string> hints);

/// Collective, both groups of an intercommunicator: from here on, the communicator reduces fast if
/// nobody's `info` wants the order kept, and uses the algorithms that an `info` names (of several,
/// the one of the lowest process counts); as before where nobody's says anything.
void agree_on_hints(Endpoint& endpoint, MPI_Info info, const char* what);

}  // namespace ep
