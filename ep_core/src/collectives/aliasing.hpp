#pragma once

#include "schedules/operation.hpp"

namespace ep {

/// Throws EP_ERR_BUFFER where blocks to send and blocks to receive lie in common memory, as far as
/// that takes time proportional to their number: all pairs if either side is one block or all its
/// blocks have one size, else those of equal index.
void check_blocks_disjoint(const Blocks& send, int sends, const Blocks& receive, int receives,
                           const char* what);

}  // namespace ep
