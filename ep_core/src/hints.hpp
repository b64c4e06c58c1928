#pragma once

#include <mpi.h>

#include "creation.hpp"
#include "process.hpp"

namespace ep {

/// What the library itself reads in info objects: "ep_reduction" (fast or ordered; agreed on by all
/// endpoints) and "ep_check_types". Everything else is only kept.

/// Writes what `info` asks of reductions into `mine`, for create_members() to agree on: a value
/// that is none of the known ones fails the call everywhere.
void read_reduction_wish(MPI_Info info, Membership& mine);

/// Keeps the hints of an endpoint, and does what is not agreed on.
void apply_info(Endpoint& endpoint, MPI_Info info);

/// Collective, both groups of an intercommunicator: the communicator reduces fast from here on if
/// nobody's `info` wants the order kept; as before if nobody's names the key.
void agree_on_reduction(Endpoint& endpoint, MPI_Info info, const char* what);

}  // namespace ep
