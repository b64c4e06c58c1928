#include "messages/message_wire.hpp"

#include <exception>

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

std::uint32_t MessageWire::await_locked(const Unacknowledged& entry) {
  do {
    ++last_acknowledgement_;
  } while (last_acknowledgement_ == 0 || unacknowledged_.count(last_acknowledgement_) != 0);
  unacknowledged_.emplace(last_acknowledgement_, entry);
  return last_acknowledgement_;
}

std::uint32_t MessageWire::await_acknowledgement(Request& request) {
  const std::lock_guard lock(acknowledgement_mutex_);
  return await_locked({&request, false});
}

std::uint32_t MessageWire::await_reader(Request& request) {
  constexpr std::size_t most = most_shm_answers / 4;  // two each, and synchronous sends have some
  const std::lock_guard lock(acknowledgement_mutex_);
  if (read_count_ == most) return 0;
  const std::uint32_t number = await_locked({&request, true});
  ++read_count_;
  return number;
}

std::shared_ptr<Clique> MessageWire::clique_of_unacknowledged(std::uint32_t number) {
  const std::lock_guard lock(acknowledgement_mutex_);
  const auto found = unacknowledged_.find(number);
  return found == unacknowledged_.end() ? nullptr : found->second.request->clique;
}

Request* MessageWire::take_acknowledged(std::uint32_t number) {
  const std::lock_guard lock(acknowledgement_mutex_);
  const auto found = unacknowledged_.find(number);
  if (found == unacknowledged_.end()) return nullptr;
  Request* const request = found->second.request;
  if (found->second.is_read) --read_count_;
  unacknowledged_.erase(found);
  return request;
}

}  // namespace ep
