/// @file
/// Chains of components and subscripts that lead to a part of a coarray.
#pragma once

#include "transfer.hpp"

namespace ep::caf {

/// Thrown if a component on the way is not allocated or associated.
class NotAllocated : public Failure {
 public:
  explicit NotAllocated(int image);
};

/// Returns the section on an image to which `references` lead, elements of `type` (its bytes are
/// those of the last reference). Throws Failure.
RemoteSection follow(Connection& connection, const Coarray& coarray, int rank,
                     const Reference* references, ElementType type);

}  // namespace ep::caf
