#include "request.hpp"

#include "generalized.hpp"
#include "persistent.hpp"
#include "process.hpp"
#include "send_buffer.hpp"

namespace ep {

// Here, where what the pointers lead to is known.
Request::Request() = default;
Request::~Request() = default;

std::byte* Payload::resize(std::size_t bytes) {
  large_.reset();
  if (bytes > small_.size()) large_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
  return data();
}

ArrivalPtr make_arrival() {
  ArrivalPtr arrival(process().arrivals().borrow());
  arrival->kind = Arrival::Kind::buffered;
  return arrival;
}

void ArrivalReturn::operator()(Arrival* arrival) const noexcept {
  arrival->payload.clear();
  arrival->payload_offset = 0;
  arrival->sender = nullptr;
  arrival->message = MPI_MESSAGE_NULL;
  arrival->body.reset();
  arrival->process = -1;
  arrival->label = {};
  process().arrivals().give(arrival);
}

}  // namespace ep
