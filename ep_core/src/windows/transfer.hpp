#pragma once

#include "datatypes/datatype.hpp"
#include "windows/window.hpp"

namespace ep {

struct Request;

// Data movement of an endpoint to and from the segment of a target. The access is covered by an
// epoch already, see epoch.hpp.

/// The target of a function of <ep/rma.h>, checked.
struct Destination {
  int rank = 0;
  const Target* target = nullptr;
  std::int64_t offset = 0;  ///< bytes from the base of the segment, or an address
  MappedView view;          ///< its data where this process reads and writes the segment
};

/// Throws for wrong arguments and if the segment does not have the bytes.
Destination checked_destination(const EndpointWindow& window, int rank, MPI_Aint disp,
                                std::int64_t count, MPI_Datatype type, const char* what);

/// `request` is null if the operation has none. It is prepared, and whoever ends the operation
/// completes it.
void put(EndpointWindow& window, const MappedView& origin, const Destination& to, Request* request);
void get(EndpointWindow& window, const MappedView& origin, const Destination& from,
         Request* request);

struct Combination {
  MappedView origin;
  MappedView result;  ///< without a map: none wanted
  MPI_Op op = MPI_OP_NULL;
};
void accumulate(EndpointWindow& window, const Combination& what, const Destination& to,
                Request* request, const char* name);

struct Swap {
  const void* value;
  const void* compare;
  void* result;
  MPI_Datatype type;
};
void compare_and_swap(EndpointWindow& window, const Swap& swap, const Destination& at);

}  // namespace ep
