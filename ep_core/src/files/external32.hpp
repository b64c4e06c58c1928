#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

namespace ep {

/// Returns the size of an element whose external32 form is its bytes in reverse order; 0 for types
/// that MPI must convert, 1 for types that need no conversion.
int swapped_width(MPI_Datatype type);

/// Copies `bytes` bytes, elements of `width` with their bytes reversed. The memory must not
/// overlap.
void copy_swapped(const std::byte* from, std::byte* to, std::int64_t bytes, int width);

/// The same without instructions that only some processors have.
void copy_swapped_by_words(const std::byte* from, std::byte* to, std::int64_t bytes, int width);

}  // namespace ep
