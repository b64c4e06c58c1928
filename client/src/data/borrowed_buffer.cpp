#include "data/borrowed_buffer.hpp"

#include <algorithm>

namespace epios::client {

void BorrowedBuffer::acquire(int field, std::size_t value_bytes, std::span<std::byte> array,
                             bool is_own) {
  field_ = field;
  value_bytes_ = value_bytes;
  array_ = array;
  is_own_ = is_own;
}

std::span<std::byte> BorrowedBuffer::own(int field, std::size_t bytes) {
  const auto at = static_cast<std::size_t>(field);
  if (buffers_.size() <= at) buffers_.resize(at + 1);
  std::vector<double>& values = buffers_[at];
  // A client without points has an address, too: only what nobody needs has none.
  const std::size_t needed =
      std::max<std::size_t>(1, (bytes + sizeof(double) - 1) / sizeof(double));
  if (values.size() < needed) values.resize(needed);
  return std::as_writable_bytes(std::span(values)).first(bytes);
}

}  // namespace epios::client
