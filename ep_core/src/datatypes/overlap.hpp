#pragma once

#include "datatypes/datatype.hpp"

namespace ep {

/// True if elements of both views lie in common memory, as far as that is cheap to find out: for
/// blocks always, for elements with gaps if both begin at one address and have one datatype.
bool overlap(const MappedView& one, const MappedView& other) noexcept;

/// Throws EP_ERR_BUFFER for arguments that may not overlap (MPI-3.1, 2.3).
void check_disjoint(const MappedView& one, const MappedView& other, const char* what);

/// Throws EP_ERR_COUNT if the bytes, or their span in memory, are more than 64 bits count.
void check_size(std::int64_t count, std::int64_t size, std::int64_t extent);

}  // namespace ep
