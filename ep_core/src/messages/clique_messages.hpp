#pragma once

#include <memory>
#include <mutex>

#include "cliques/clique.hpp"
#include "messages/partition_matches.hpp"
#include "messages/process_receiver.hpp"
#include "process/extensions.hpp"

namespace ep {

/// The state of messages of a communicator in this process.
struct CliqueMessages final : Extension {
  static constexpr Room room = Room::messages;

  std::mutex mutex;  // the next
  std::weak_ptr<ProcessReceiver> receiver;
  PartitionMatches partitions;
};

inline CliqueMessages& messages_of(const Clique& clique) {
  return clique.extensions().get<CliqueMessages>();
}

}  // namespace ep
