#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "event/job.hpp"
#include "event/watch.hpp"

namespace epios::client {

/// What a client tells about its waits for servers.
struct ServerWaits {
  const io::Job& job;
  io::Actor client;
  io::WaitLimits limits;
  std::string context;  ///< " of context 'ocean'"
  std::int64_t number = -1;

  /// Servers say themselves for whom they wait, and give up first.
  static io::WaitLimits limits_of(double patience_s, double give_up_s) {
    return {patience_s, give_up_s, 0.5 * give_up_s + 1};
  }
  io::Actor server(int rank) const { return job.server(rank, number); }
  /// Those of the servers 0 ... count - 1 for which `is_missing(rank)`.
  template <class IsMissing>
  std::vector<io::Actor> servers(int count, const IsMissing& is_missing) const {
    std::vector<io::Actor> out;
    for (int rank = 0; rank < count; ++rank) {
      if (is_missing(rank)) out.push_back(server(rank));
    }
    return out;
  }
};

}  // namespace epios::client
