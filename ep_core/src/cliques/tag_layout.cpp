#include "cliques/tag_layout.hpp"

#include <algorithm>
#include <bit>

namespace ep {

namespace {

// Enough for 3 + 3 slot bits and the 15 bits of tag that MPI promises.
constexpr unsigned wanted_rest_bits = 21;
constexpr unsigned most_context_bits = 8;

unsigned usable_bits(int raw_tag_ub) {
  const auto values = static_cast<std::uint64_t>(std::max(raw_tag_ub, 3)) + 1;
  return std::min(30U, static_cast<unsigned>(std::bit_width(values)) - 1);
}

}  // namespace

TagLayout::TagLayout(int raw_tag_ub, int largest_clique) {
  const unsigned bits = usable_bits(raw_tag_ub) - 1;  // one is the header flag
  header_flag_ = 1 << bits;
  context_bits_ =
      bits > wanted_rest_bits ? std::min(bits - wanted_rest_bits, most_context_bits) : 0;
  rest_bits_ = bits - context_bits_;
  slot_bits_ = static_cast<unsigned>(
      std::bit_width(static_cast<unsigned>(std::max(largest_clique, 1)) - 1U));
  slot_bits_ = std::min(slot_bits_, rest_bits_ / 2);
  tag_bits_ = rest_bits_ - 2 * slot_bits_;
}

bool TagLayout::fits(const Identity& id) const noexcept {
  const unsigned slots = 1U << slot_bits_;
  return id.tag >= 0 && id.tag <= largest_short_tag() && id.context < (1U << context_bits_) &&
         static_cast<unsigned>(id.source_slot) < slots &&
         static_cast<unsigned>(id.dest_slot) < slots;
}

int TagLayout::encode(const Identity& id) const noexcept {
  std::uint32_t raw = id.context;
  raw = (raw << slot_bits_) | static_cast<std::uint32_t>(id.source_slot);
  raw = (raw << slot_bits_) | static_cast<std::uint32_t>(id.dest_slot);
  raw = (raw << tag_bits_) | static_cast<std::uint32_t>(id.tag);
  return static_cast<int>(raw);
}

TagLayout::Identity TagLayout::decode(int raw) const noexcept {
  const auto bits = static_cast<std::uint32_t>(raw);
  const std::uint32_t slot_mask = (1U << slot_bits_) - 1U;
  return {bits >> rest_bits_, static_cast<int>((bits >> (tag_bits_ + slot_bits_)) & slot_mask),
          static_cast<int>((bits >> tag_bits_) & slot_mask),
          static_cast<int>(bits & ((1U << tag_bits_) - 1U))};
}

int TagLayout::body_tag(std::uint32_t n) const noexcept {
  const auto flag = static_cast<std::uint32_t>(header_flag_);
  return static_cast<int>(flag + 1U + n % (flag - 1U));
}

std::uint32_t TagLayout::context_of(int raw) const noexcept {
  return static_cast<std::uint32_t>(raw) >> rest_bits_;
}

}  // namespace ep
