#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace ep {

class Clique;

/// Receives the messages between processes of a communicator that are not messages of endpoints.
/// Rooms above implement it.
class ProcessReceiver {
 public:
  ProcessReceiver() = default;
  ProcessReceiver(const ProcessReceiver&) = delete;
  ProcessReceiver(ProcessReceiver&&) = delete;
  ProcessReceiver& operator=(const ProcessReceiver&) = delete;
  ProcessReceiver& operator=(ProcessReceiver&&) = delete;
  virtual ~ProcessReceiver() = default;

  /// Takes a message from a process, given by its index in the clique. Under the engine's lock.
  virtual void take_in(const std::shared_ptr<Clique>& clique, int source,
                       std::span<const std::byte> message) noexcept = 0;
};

/// Sets the receiver of a communicator for the receiver's lifetime. Messages before or after it are
/// dropped.
void receive_by(const Clique& clique, const std::shared_ptr<ProcessReceiver>& receiver);
/// Returns the receiver, or null if there is none.
std::shared_ptr<ProcessReceiver> receiver_of(const Clique& clique);

}  // namespace ep
