// A ring of parts in memory that two sides share. The writer reserves and commits, the reader takes
// the front part and releases it; positions only grow, and headers are checked against damage.
#include "ring.hpp"

#include <fmt/format.h>

#include <cstring>
#include <ep/ep.hpp>
#include <limits>
#include <new>

namespace epios::io {
namespace {

// A header that names no bytes: the next part is at the start of the ring.
constexpr std::uint64_t skip_to_start = 0;

void put_header(std::byte* header, std::uint64_t bytes) {
  std::memcpy(header, &bytes, sizeof bytes);
}

RingControl* control_in(std::byte* memory) {
  return std::launder(reinterpret_cast<RingControl*>(memory));
}
const RingControl* control_in(const std::byte* memory) {
  return std::launder(reinterpret_cast<const RingControl*>(memory));
}

[[noreturn]] void throw_damaged(std::uint64_t position, std::uint64_t bytes) {
  throw ep::Error(
      EP_ERR_INTERN,
      fmt::format("the channel is damaged at byte {} (a part there claims {} bytes). Does "
                  "something overwrite shared memory?",
                  position, bytes));
}

}  // namespace

std::uint64_t part_bytes_in(const std::byte* header) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, header, sizeof bytes);
  return bytes;
}

RingLayout RingLayout::of(std::size_t capacity_bytes, int depth) {
  constexpr std::size_t limit = std::numeric_limits<std::int64_t>::max() / 4;
  if (capacity_bytes == 0 || depth < 1) {
    throw ep::Error(
        EP_ERR_ARG,
        fmt::format("a channel for {} parts of {} bytes makes no sense (both must be at "
                    "least 1). Is the largest part known yet?",
                    depth, capacity_bytes));
  }
  const auto rooms = static_cast<std::size_t>(depth);
  if (capacity_bytes > limit / rooms - 2 * ring_alignment) {
    throw ep::Error(
        EP_ERR_ARG,
        fmt::format("a channel for {} parts of {} bytes cannot be made (more than memory "
                    "addresses reach). Is the size negative?",
                    depth, capacity_bytes));
  }
  return {capacity_bytes, rooms * ring_footprint(capacity_bytes)};
}

std::size_t RingLayout::memory_bytes() const { return sizeof(RingControl) + data_bytes; }

void format_ring(std::byte* memory, const RingLayout& layout, std::uint64_t nonce) {
  auto* control = new (memory) RingControl;
  control->nonce = nonce;
  control->capacity_bytes = layout.capacity_bytes;
  control->data_bytes = layout.data_bytes;
}

bool is_ring(const std::byte* memory, const RingLayout& layout, std::uint64_t nonce) {
  const RingControl* control = control_in(memory);
  return control->magic == RingControl::expected_magic && control->nonce == nonce &&
         RingLayout{control->capacity_bytes, control->data_bytes} == layout;
}

bool is_claimed(const std::byte* memory) {
  return control_in(memory)->has_sender.load(std::memory_order_acquire) != 0;
}

void claim_ring(std::byte* memory, const RingLayout& layout) {
  RingControl* control = control_in(memory);
  if (control->magic != RingControl::expected_magic ||
      RingLayout{control->capacity_bytes, control->data_bytes} != layout) {
    throw ep::Error(
        EP_ERR_ARG,
        "the channel cannot be opened (the memory it names holds another channel or none). "
        "Is the offer older than the server?");
  }
  if (control->has_sender.exchange(1, std::memory_order_acq_rel) != 0) {
    throw ep::Error(
        EP_ERR_ARG,
        "the channel cannot be opened (it already had a sender). Was the same offer opened "
        "twice?");
  }
}

RingWriter::RingWriter(std::byte* memory)
    : control_(control_in(memory)), data_(memory + sizeof(RingControl)) {}

std::span<std::byte> RingWriter::try_reserve(std::size_t bytes) {
  if (bytes == 0 || bytes > control_->capacity_bytes) {
    throw ep::Error(EP_ERR_ARG,
                    fmt::format("a part of {} bytes does not fit the channel (parts have 1 "
                                "to {} bytes). Did definitions change after they closed?",
                                bytes, control_->capacity_bytes));
  }
  if (!reserved_.empty()) {
    throw ep::Error(EP_ERR_ARG,
                    "no second part can be reserved (the first one is not committed). Is a commit "
                    "missing?");
  }
  const std::uint64_t size = control_->data_bytes;
  const std::uint64_t footprint = ring_footprint(bytes);
  const std::uint64_t released = control_->released.load(std::memory_order_acquire);
  const std::uint64_t offset = written_ % size;
  const std::uint64_t to_end = size - offset;
  std::uint64_t start = written_;
  std::uint64_t live = released > floor_ ? released : floor_;
  const bool starts_over = released == written_ && offset != 0;
  const bool wraps = !starts_over && footprint > to_end;
  if (starts_over || wraps) start += to_end;
  if (starts_over) {
    // While the receiver keeps up, the same warm pages are used again and again.
    live = start;
    control_->restart_from = written_;
    control_->restart_to = start;
  }
  if (start + footprint - live > size) {
    most_ = size;
    return {};
  }
  if (start + footprint - live > most_) most_ = start + footprint - live;
  skip_mark_ = {};
  if (wraps) skip_mark_ = {data_ + offset, sizeof(std::uint64_t)};
  if (wraps) put_header(data_ + offset, skip_to_start);
  starts_over_ = starts_over;
  floor_ = live;
  end_ = start + footprint;
  reserved_ = {data_ + start % size + ring_alignment, bytes};
  return reserved_;
}

std::span<std::byte> RingWriter::reserved_image() const {
  return {reserved_.data() - ring_alignment, ring_footprint(reserved_.size())};
}

void RingWriter::commit() { commit_as(reserved_.size()); }

void RingWriter::commit_as(std::size_t bytes) {
  if (reserved_.empty() || bytes == 0 ||
      ring_footprint(bytes) != ring_footprint(reserved_.size())) {
    throw ep::Error(EP_ERR_ARG,
                    "there is no part to commit (nothing was reserved). Was commit called twice?");
  }
  put_header(reserved_.data() - ring_alignment, bytes);
  reserved_ = {};
  written_ = end_;
  control_->written.store(written_, std::memory_order_release);
}

bool RingWriter::is_drained() const {
  return control_->released.load(std::memory_order_acquire) == written_;
}

RingReader::RingReader(std::byte* memory)
    : control_(control_in(memory)), data_(memory + sizeof(RingControl)) {}

std::span<std::byte> RingReader::front() {
  if (!front_.empty()) return front_;
  const std::uint64_t written = control_->written.load(std::memory_order_acquire);
  if (written == position_) return {};
  const std::uint64_t size = control_->data_bytes;
  std::uint64_t start = position_ == control_->restart_from ? control_->restart_to : position_;
  std::uint64_t bytes = part_bytes_in(data_ + start % size);
  if (bytes == skip_to_start) {
    start += size - start % size;
    bytes = part_bytes_in(data_);
  }
  if (bytes == 0 || bytes > control_->capacity_bytes || start + ring_footprint(bytes) > written ||
      start % size + ring_footprint(bytes) > size) {
    throw_damaged(start, bytes);
  }
  position_ = start;
  front_ = {data_ + start % size + ring_alignment, bytes};
  return front_;
}

void RingReader::release() {
  if (front().empty()) {
    throw ep::Error(EP_ERR_ARG,
                    "there is no part to release (none has arrived). Was release called twice?");
  }
  position_ += ring_footprint(front_.size());
  front_ = {};
  control_->released.store(position_, std::memory_order_release);
}

}  // namespace epios::io
