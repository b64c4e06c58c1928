#include "messages/process_receiver.hpp"

#include <mutex>

#include "cliques/clique.hpp"
#include "process/parts.hpp"

namespace ep {

namespace {

struct CliqueReceiver final : Part {
  static constexpr Room room = Room::messages;
  std::mutex mutex;
  std::weak_ptr<ProcessReceiver> receiver;
};

}  // namespace

void receive_by(const Clique& clique, const std::shared_ptr<ProcessReceiver>& receiver) {
  auto& part = clique.parts().get<CliqueReceiver>();
  const std::lock_guard lock(part.mutex);
  part.receiver = receiver;
}

std::shared_ptr<ProcessReceiver> receiver_of(const Clique& clique) {
  auto* const part = clique.parts().find<CliqueReceiver>();
  if (part == nullptr) return nullptr;
  const std::lock_guard lock(part->mutex);
  return part->receiver.lock();
}

}  // namespace ep
