#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "process.hpp"

namespace ep {

/// One collective operation as seen by one endpoint.
struct Turn {
  Endpoint& endpoint;
  Meeting::Half& half;
  std::uint64_t number;
  const char* what;

  /// Tells concurrent operations of a communicator apart between processes.
  int tag() const noexcept { return static_cast<int>(number & 0x3fffU); }
  Contribution& contribution(int slot) const {
    return half.contributions[static_cast<std::size_t>(slot)];
  }
};

/// The in-process stage of every collective: all endpoints of this process publish their
/// contribution; the last to come runs `act` (which deals with the other processes) for all; then
/// each runs `take`, which returns whether siblings may be reading its buffers, so that it has to
/// stay until all have left. An error of `act` is thrown in every endpoint of the process.
void run_collective(Endpoint& endpoint, const char* what, const Contribution& mine,
                    const std::function<void(Turn&)>& act, const std::function<bool(Turn&)>& take);

/// Bytes from every process to every process, any size each; by the thread that runs `act`.
std::vector<std::vector<std::byte>> exchange_between_processes(const Turn& turn,
                                                               std::vector<std::byte> mine);

/// Whether a send buffer is EP_IN_PLACE.
inline bool is_in_place(const void* data) {
  return data == EP_IN_PLACE;  // NOLINT(performance-no-int-to-ptr): MPI's way to say so
}

/// How the blocks of a (all)gather lie in the receive buffer.
struct Blocks {
  const int* counts;  ///< per rank, or null: `uniform` for all
  const int* displacements;
  int uniform;
  MPI_Datatype type;

  int count(int rank) const { return counts != nullptr ? counts[rank] : uniform; }
  std::int64_t displacement(int rank) const {
    return counts != nullptr ? displacements[rank] : std::int64_t{rank} * uniform;
  }
  TypedView view(void* base, int rank) const {
    return {element_address(base, displacement(rank), type), count(rank), type};
  }
};

void barrier(Endpoint& endpoint);
void bcast(Endpoint& endpoint, const TypedView& view, int root);
/// `send` may be the IN_PLACE view (data == EP_IN_PLACE); `blocks` counts at the root only.
void gather(Endpoint& endpoint, const TypedView& send, void* receive, const Blocks& blocks,
            int root);
void allgather(Endpoint& endpoint, const TypedView& send, void* receive, const Blocks& blocks);
void allreduce(Endpoint& endpoint, const void* send, const TypedView& receive, MPI_Op op);

}  // namespace ep
