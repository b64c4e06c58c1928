#pragma once

#include <cstddef>
#include <cstdint>

#include "datatypes/datatype.hpp"

namespace ep {

// The portable representation "external32" (MPI-3.1, 13.5.2). It is made here, since MPIs differ in
// it: MPI_LONG has 4 bytes in the standard and in MPICH, and 8 in Open MPI 4.1.4.

/// True if all elements of the datatype have a known form. MPI must convert others, such as those
/// of MPI_Type_create_f90_real.
bool has_external32(const TypeMap& map);

/// Returns the bytes of one element in external32. The form must be known.
std::int64_t external32_size(const TypeMap& map);

/// Packs `from` into external32_size() bytes per element. Throws EP_ERR_CONVERSION for a value that
/// has no room there.
void pack_external32(const MappedView& from, std::byte* to);

/// Unpacks the first `bytes` bytes of packed elements; a predefined datatype of which a part is
/// missing stays as it is.
void unpack_external32(const std::byte* from, std::int64_t bytes, const MappedView& to);

/// Copies `bytes` bytes, elements of `width` with their bytes reversed. The memory must not
/// overlap.
void copy_swapped(const std::byte* from, std::byte* to, std::int64_t bytes, int width);

/// The same without instructions that only some processors have.
void copy_swapped_by_words(const std::byte* from, std::byte* to, std::int64_t bytes, int width);

}  // namespace ep
