#pragma once

#include "schedules/operation.hpp"

namespace ep {

// The recipes of all kinds of collectives. Each comment lists the arguments that a Call must have.

/// Needs no arguments.
const Recipe& barrier_recipe();
/// `receive` is the buffer of every endpoint that has one (also the root's); `root` is EP_ROOT or a
/// rank of the group from which the caller receives, EP_PROC_NULL for bystanders.
const Recipe& bcast_recipe();
/// Moves blocks from endpoint to endpoint in any pattern: `out` and `send`, `in` and `receive`.
const Recipe& move_recipe();
/// Move blocks from all endpoints to a root, from a root to all, and from all to all; `regular`
/// allows algorithms that do not move single blocks.
const Recipe& gather_recipe();
const Recipe& scatter_recipe();
const Recipe& alltoall_recipe();
/// For intracommunicators; all have `receive`, and `send` may be in place.
const Recipe& allgather_recipe();
/// `send` is the operand, `receive` the result of every endpoint that gets one, `root` as for
/// bcast.
const Recipe& reduce_recipe();
const Recipe& allreduce_recipe();
/// `receive` has the count of each rank's block.
const Recipe& reduce_scatter_recipe();
const Recipe& scan_recipe();
/// Does not touch rank 0's result.
const Recipe& exscan_recipe();

/// Smallest size of a stage whose work the endpoints of the process share.
constexpr std::int64_t heavy_bytes = std::int64_t{256} * 1024;

// Sizes that differ. Each process writes its schedule from the arguments of its own endpoints. So
// an empty message is omitted only in collectives with a size for each pair of ranks, since another
// process might expect data. A message of unexpected size is an error of all endpoints in the
// receiving process; an error that a process detects before it sends is one of all processes to
// which it sends.

/// Reports a size error to the endpoint in `slot` if the message or block that it receives has
/// another size than `bytes`.
void check_size(Operation& operation, int slot, int source, std::int64_t bytes,
                std::int64_t expected);
/// Checks a block whose receivers could not use it. An error is one of all endpoints, before
/// anything is sent.
void check_sent_size(Operation& operation, int slot, std::int64_t bytes, std::int64_t expected);

}  // namespace ep
