#pragma once

#include "schedules/operation.hpp"

namespace ep {

/// Throws EP_ERR_BUFFER if a block to send and a block to receive overlap. The test takes time
/// proportional to the number of blocks, so it compares all pairs only if either side is one block
/// or has blocks of one size, otherwise pairs of equal index.
void check_blocks_disjoint(const Blocks& send, int sends, const Blocks& receive, int receives,
                           const char* what);

}  // namespace ep
