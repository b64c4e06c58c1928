#include "messages/process_receiver.hpp"

#include <mutex>

#include "messages/clique_messages.hpp"

namespace ep {

void receive_by(const Clique& clique, const std::shared_ptr<ProcessReceiver>& receiver) {
  CliqueMessages& part = messages_of(clique);
  const std::lock_guard lock(part.mutex);
  part.receiver = receiver;
}

std::shared_ptr<ProcessReceiver> receiver_of(const Clique& clique) {
  auto* const part = clique.parts().find<CliqueMessages>();
  if (part == nullptr) return nullptr;
  const std::lock_guard lock(part->mutex);
  return part->receiver.lock();
}

}  // namespace ep
