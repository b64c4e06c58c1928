#pragma once

#include <mpi.h>

#include <map>
#include <string>

#include "creation/creation.hpp"
#include "handles/endpoint.hpp"

namespace ep {

/// The hints in info objects that the library reads itself: "ep_reduction" (fast or ordered) and
/// "ep_algorithm" (collective=algorithm,...), on which all endpoints agree, and "ep_check_types".
/// All others are only stored.

/// Reads the hints of reductions and algorithms in `info` into `mine`, for create_members() to
/// agree on: an unknown value fails the call everywhere.
void read_hints(MPI_Info info, Membership& mine);

/// The joint hints of several endpoints: of one process, then of all. A flat object, which is sent
/// as raw bytes.
struct CommHints {
  bool fast = true;
  int error = EP_SUCCESS;
  bool unknown_algorithm = false;  ///< true if this is the reason of `error`
  AlgorithmOverrides algorithms;

  /// Adds the hints of an endpoint of `clique`.
  void add(const Membership& one, const Clique& clique);
  /// Adds the hints of further processes, in ascending order.
  void add(const CommHints& others);
  /// Applies the hints to `clique`. Throws for an unknown value.
  void apply(const Clique& clique, const char* what) const;
};

/// Stores the hints of an endpoint, and applies those that need no agreement.
void apply_info(Endpoint& endpoint, MPI_Info info);
void apply_hints(Endpoint& endpoint, std::map<std::string, std::string> hints);

/// Makes the communicator reduce fast if no `info` requires the order of ranks, and use the
/// algorithms that an `info` names (if values differ, those of the lowest process). A hint that no
/// endpoint gives changes nothing. Collective over both groups of an intercommunicator.
void agree_on_hints(Endpoint& endpoint, MPI_Info info, const char* what);

}  // namespace ep
