#pragma once

#include "datatypes/datatype.hpp"
#include "windows/window.hpp"

namespace ep {

struct Request;

// Data movement between an endpoint and the segment of a target. The caller has checked that an
// epoch covers the access, see epoch.hpp.

/// The checked target of a function in <ep/rma.h>.
struct Destination {
  int rank = 0;
  const Target* target = nullptr;
  std::int64_t offset = 0;  ///< bytes from the base of the segment; an address for dynamic windows
  MappedView view;          ///< its data, if this process reads and writes the segment
};

/// Throws for invalid arguments, and if the access exceeds the segment.
Destination checked_destination(const EndpointWindow& window, int rank, MPI_Aint disp,
                                std::int64_t count, MPI_Datatype type, const char* what);

/// Move data. `request` is null for an operation without a request; otherwise it is prepared, and
/// the thread that ends the operation completes it.
void put(EndpointWindow& window, const MappedView& origin, const Destination& to, Request* request);
void get(EndpointWindow& window, const MappedView& origin, const Destination& from,
         Request* request);

struct Combination {
  MappedView origin;
  MappedView result;  ///< has no map if the result is not wanted
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
