#include "messages/shared_copy.hpp"

#include <algorithm>
#include <cstring>

#include "progress/work_board.hpp"

namespace ep {

namespace {

constexpr std::size_t item_bytes = std::size_t{32} * 1024;

}  // namespace

void SharedCopy::make(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
  const auto copy = [=](std::size_t item) {
    const std::size_t begin = item * item_bytes;
    std::memcpy(to + begin, from + begin, std::min(item_bytes, bytes - begin));
  };
  work_.begin((bytes + item_bytes - 1) / item_bytes, copy);
  const WorkOffer offer(work_);
  work_.complete();
}

}  // namespace ep
