#include "messages/request.hpp"

#include "messages/generalized.hpp"
#include "messages/message_tables.hpp"
#include "messages/p2p.hpp"
#include "messages/persistent.hpp"
#include "messages/send_buffer.hpp"

namespace ep {

// Defined here, where the types of the members are complete.
Request::Request() = default;
Request::~Request() = default;

void Request::end_raw(int code) noexcept { complete_raw(*this, code); }

std::byte* Payload::resize(std::size_t bytes) {
  large_.reset();
  if (bytes > small_.size()) large_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
  return data();
}

ArrivalPtr make_arrival() {
  ArrivalPtr arrival(arrival_arena().borrow());
  arrival->kind = Arrival::Kind::buffered;
  return arrival;
}

void Arrival::give_back() noexcept {
  payload.clear();
  payload_offset = 0;
  sender = nullptr;
  message = MPI_MESSAGE_NULL;
  body.reset();
  process = -1;
  label = {};
  arrival_arena().give(this);
}

Request* take_posted(Mailbox& box, int source, int tag) noexcept {
  PostedReceive* const posted = box.take_posted(source, tag);
  return posted != nullptr ? static_cast<PostedRequest*>(posted)->request : nullptr;
}

Arrival* find_arrival(Mailbox& box, int source, int tag) noexcept {
  return static_cast<Arrival*>(box.find_message(source, tag));
}

ArrivalPtr take_arrival(Mailbox& box, int source, int tag) noexcept {
  Arrival* const arrival = find_arrival(box, source, tag);
  return arrival != nullptr ? withdraw(box, *arrival) : nullptr;
}

ArrivalPtr withdraw(Mailbox& box, Arrival& arrival) noexcept {
  if (arrival.sender != nullptr) arrival.sender->undelivered = nullptr;
  static_cast<void>(box.withdraw(arrival).release());
  return ArrivalPtr(&arrival);
}

}  // namespace ep
