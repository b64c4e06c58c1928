#pragma once

#include "schedules/operation.hpp"

namespace ep {

// How each kind of collective is done. What a Call must say is with each.

/// Nothing.
const Recipe& barrier_recipe();
/// `receive` is the buffer of everyone who has one (also the root's), `root` is EP_ROOT or a rank
/// of the group that the caller receives from, EP_PROC_NULL for bystanders.
const Recipe& bcast_recipe();
/// Blocks from endpoint to endpoint, of any pattern: `out` and `send`, `in` and `receive`.
const Recipe& move_recipe();
/// The same for a root that gets from everyone, or everyone from it, and for everyone with
/// everyone; `regular` lets them go other ways than block by block.
const Recipe& gather_recipe();
const Recipe& scatter_recipe();
const Recipe& alltoall_recipe();
/// Intracommunicators; `receive` everywhere, `send` may be in place.
const Recipe& allgather_recipe();
/// `send` is the operand, `receive` the result of whoever gets one, `root` as for bcast.
const Recipe& reduce_recipe();
const Recipe& allreduce_recipe();
/// `receive` has the count of each rank's block.
const Recipe& reduce_scatter_recipe();
const Recipe& scan_recipe();
/// Leaves rank 0's result alone.
const Recipe& exscan_recipe();

/// From this size on the work of a stage is shared by the endpoints of the process.
constexpr std::int64_t heavy_bytes = std::int64_t{256} * 1024;

// Sizes that differ. Each process writes its schedule from what its own endpoints say, so that no
// message is left out for being empty where another process may expect data: only in collectives
// with sizes of their own for each pair of ranks. A message of another size than expected is an
// error of all endpoints at its receiver; what a process knows before it sends, of all it sends to.

/// Reports a message or block of `bytes` that meets one of another size to the endpoint in `slot`,
/// which receives it.
void check_size(Operation& operation, int slot, int source, std::int64_t bytes,
                std::int64_t expected);
/// The same for one that others would receive in vain: an error of all, before anything is sent.
void check_sent_size(Operation& operation, int slot, std::int64_t bytes, std::int64_t expected);

}  // namespace ep
