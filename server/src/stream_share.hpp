#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/model.hpp"
#include "event/event_queue.hpp"
#include "event/wire.hpp"
#include "grid/box.hpp"
#include "grid/routing.hpp"
#include "transport/channel.hpp"

namespace epios::server {

/// One server's share of one stream: its slab, and who sends which part of it.
struct StreamShare {
  int file = 0;
  int index_in_file = 0;
  bool concerned = false;  ///< this server writes a part of the stream
  int value_bytes = 8;
  io::Box slab;
  std::vector<int> expected;     ///< clients that send, ascending
  std::vector<io::Box> regions;  ///< parallel to expected: client's box ∩ slab
  bool in_place = false;         ///< one part that is the whole slab: written from its channel
  bool covered = false;          ///< the parts leave no holes
  std::optional<double> fill;    ///< value of missing points on file; none: NaN

  std::size_t slab_bytes() const {
    return static_cast<std::size_t>(slab.volume()) * static_cast<std::size_t>(value_bytes);
  }
  std::size_t region_bytes(std::size_t part) const {
    return static_cast<std::size_t>(regions[part].volume()) * static_cast<std::size_t>(value_bytes);
  }
};

/// Pure. `server`: rank of the server.
StreamShare share_of_stream(const config::Model& model, int stream,
                            const io::FilePlacement& placement, int server,
                            const std::vector<io::ClientPart>& clients);

/// Replaces missing values of a slab by the fill value, if there is one.
void fill_missing(const StreamShare& share, std::span<std::byte> slab);

/// Puts the parts of a record together in `slab`; holes become missing, where clients overlap the
/// lowest rank wins.
void assemble(const StreamShare& share, std::span<const io::EventQueue::Part> parts,
              std::span<std::byte> slab);

/// Channel memory of a server process, shared by the contexts that are open at a time.
struct ChannelBudget {
  std::size_t bytes = 0;
  std::size_t taken_bytes = 0;  ///< by other contexts
};

/// Channels for all clients: each carries its largest part, and twice what one step sends as far as
/// half of the budget that is left goes; the other half is for contexts that open later. Throws
/// Error{resource} when the budget does not reach for the largest parts.
std::vector<io::ChannelSpec> channel_specs(const std::vector<StreamShare>& shares,
                                           const std::vector<io::ClientPart>& clients,
                                           const ChannelBudget& budget);

}  // namespace epios::server
