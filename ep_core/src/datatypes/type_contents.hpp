#pragma once

#include <mpi.h>

#include <memory>

#include "datatypes/type_map.hpp"

namespace ep {

/// Decomposes a datatype down to predefined ones by MPI_Type_get_envelope and
/// MPI_Type_get_contents. Throws EP_ERR_TYPE for a combiner that MPI does not define.
std::shared_ptr<const TypeMap> take_apart(MPI_Datatype type);

/// Returns the map for callers that only need the layout of elements, for which a datatype need not
/// be committed.
std::shared_ptr<const TypeMap> map_to_measure(MPI_Datatype type);

}  // namespace ep
