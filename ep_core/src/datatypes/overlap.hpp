#pragma once

#include "datatypes/datatype.hpp"

namespace ep {

/// Whether elements of both lie in common memory, as far as that is cheap to say: of blocks always,
/// of elements with gaps where both begin at one address and have one datatype.
bool overlap(const MappedView& one, const MappedView& other) noexcept;

/// Throws EP_ERR_BUFFER for arguments that may not overlap (MPI-3.1, 2.3).
void check_disjoint(const MappedView& one, const MappedView& other, const char* what);

/// Throws EP_ERR_COUNT for more bytes, or a longer way through memory, than numbers of bytes hold.
void check_size(std::int64_t count, std::int64_t size, std::int64_t extent);

}  // namespace ep
