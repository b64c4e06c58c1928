#pragma once

#include "datatypes/datatype.hpp"

namespace ep {

/// True if both views are the same elements, as far as a cheap test can tell: always for blocks;
/// for elements with gaps, if they have the same datatype. Equal addresses alone say nothing: they
/// may be MPI_BOTTOM, or an array of which the datatypes choose different elements.
bool coincide(const MappedView& one, const MappedView& other) noexcept;

/// True if elements of both views share memory, as far as a cheap test can tell: always for blocks;
/// for elements with gaps, if both begin at the same address and have the same datatype.
bool overlap(const MappedView& one, const MappedView& other) noexcept;

/// Throws EP_ERR_BUFFER for arguments that may not overlap (MPI-3.1, 2.3).
void check_disjoint(const MappedView& one, const MappedView& other, const char* what);

/// Throws EP_ERR_COUNT if the number of bytes, or their span in memory, exceeds 64 bits.
void check_size(std::int64_t count, std::int64_t size, std::int64_t extent);

}  // namespace ep
