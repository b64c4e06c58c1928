#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace ep {

class Clique;

/// Takes in what the processes of a communicator say to each other beside messages of endpoints.
/// The rooms above have one where they need it.
class ProcessReceiver {
 public:
  ProcessReceiver() = default;
  ProcessReceiver(const ProcessReceiver&) = delete;
  ProcessReceiver(ProcessReceiver&&) = delete;
  ProcessReceiver& operator=(const ProcessReceiver&) = delete;
  ProcessReceiver& operator=(ProcessReceiver&&) = delete;
  virtual ~ProcessReceiver() = default;

  /// From a process, by its index in the clique. Under the engine's lock.
  virtual void take_in(const std::shared_ptr<Clique>& clique, int source,
                       std::span<const std::byte> message) noexcept = 0;
};

/// From here on, as long as it lives. Messages that come before or after are dropped.
void receive_by(const Clique& clique, const std::shared_ptr<ProcessReceiver>& receiver);
/// Null if there is none.
std::shared_ptr<ProcessReceiver> receiver_of(const Clique& clique);

}  // namespace ep
