#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

namespace ep {

/// Bytes of an element whose external32 form is its bytes in the other order; 0 for types of which
/// MPI must make it. 1: nothing to do.
int swapped_width(MPI_Datatype type);

/// Copies `bytes` bytes, elements of `width` with their bytes turned round. Must not overlap.
void copy_swapped(const std::byte* from, std::byte* to, std::int64_t bytes, int width);

}  // namespace ep
