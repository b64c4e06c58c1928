#include "messages/process_receiver.hpp"

#include <mutex>

#include "messages/clique_messages.hpp"

namespace ep {

void receive_by(const Clique& clique, const std::shared_ptr<ProcessReceiver>& receiver) {
  CliqueMessages& messages = messages_of(clique);
  const std::lock_guard lock(messages.mutex);
  messages.receiver = receiver;
}

std::shared_ptr<ProcessReceiver> receiver_of(const Clique& clique) {
  auto* const messages = clique.extensions().find<CliqueMessages>();
  if (messages == nullptr) return nullptr;
  const std::lock_guard lock(messages->mutex);
  return messages->receiver.lock();
}

}  // namespace ep
