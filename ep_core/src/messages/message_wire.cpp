#include "messages/message_wire.hpp"

#include <exception>

#include "process/error.hpp"
#include "progress/progress.hpp"

namespace ep {

std::shared_ptr<MessageWire> MessageWire::make(MPI_Comm comm) {
  std::shared_ptr<MessageWire> wire;
  try {
    wire = std::make_shared<MessageWire>(comm);
  } catch (const std::exception&) {
    static_cast<void>(MPI_Comm_free(&comm));  // one error at a time
    throw;
  }
  engine().attach(wire);
  return wire;
}

std::uint32_t MessageWire::await_acknowledgement(Request& request) {
  const std::lock_guard lock(acknowledgement_mutex_);
  do {
    ++last_acknowledgement_;
  } while (last_acknowledgement_ == 0 || unacknowledged_.count(last_acknowledgement_) != 0);
  unacknowledged_[last_acknowledgement_] = &request;
  unacknowledged_count_.store(unacknowledged_.size(), std::memory_order_relaxed);
  return last_acknowledgement_;
}

std::shared_ptr<Clique> MessageWire::clique_of_unacknowledged(std::uint32_t number) {
  const std::lock_guard lock(acknowledgement_mutex_);
  const auto found = unacknowledged_.find(number);
  return found == unacknowledged_.end() ? nullptr : found->second->clique;
}

Request* MessageWire::take_acknowledged(std::uint32_t number) {
  const std::lock_guard lock(acknowledgement_mutex_);
  const auto found = unacknowledged_.find(number);
  if (found == unacknowledged_.end()) {
    fail(EP_ERR_INTERN, "a message was acknowledged that nobody sent.");
  }
  Request* const request = found->second;
  unacknowledged_.erase(found);
  unacknowledged_count_.store(unacknowledged_.size(), std::memory_order_relaxed);
  return request;
}

}  // namespace ep
