#pragma once

#include <ep/ep.h>

#include "coarray.hpp"

namespace ep::caf {

/// Returns the calling endpoint's rank in a communicator.
inline int rank_of(EP_Comm comm) {
  int rank = 0;
  check(EP_Comm_rank(comm, &rank));
  return rank;
}

/// Returns the number of a communicator's endpoints.
inline int size_of(EP_Comm comm) {
  int size = 0;
  check(EP_Comm_size(comm, &size));
  return size;
}

}  // namespace ep::caf
