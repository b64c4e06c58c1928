#include "tried_receiver.hpp"

#include <ep/ep.hpp>
#include <utility>

#include "local_channel.hpp"
#include "message_channel.hpp"
#include "ring.hpp"

namespace epios::io {

TriedReceiver::TriedReceiver(std::shared_ptr<Memory> memory, std::byte* ring, EP_Comm comm,
                             int client, int tag)
    : memory_(std::move(memory)),
      ring_(ring),
      comm_(comm),
      client_(client),
      tag_(tag),
      receiver_(std::make_unique<LocalReceiver>(CarrierKind::shared_memory, ring, comm, client)) {}

std::span<std::byte> TriedReceiver::front() {
  if (memory_ != nullptr) {
    int is_there = 0;
    if (is_claimed(ring_)) {
      memory_.reset();
    } else {
      ep::check(EP_Iprobe(client_, tag_, comm_, &is_there, EP_STATUS_IGNORE));
    }
    if (is_there != 0) receive_messages();
  }
  return receiver_->front();
}

void TriedReceiver::settle() {
  if (memory_ == nullptr) return;
  if (is_claimed(ring_)) {
    memory_.reset();
  } else {
    receive_messages();
  }
}

void TriedReceiver::receive_messages() {
  receiver_ = std::make_unique<MessageReceiver>(std::move(memory_), ring_, comm_, client_, tag_);
  memory_.reset();
}

}  // namespace epios::io
