#include "event/long_message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ep/ep.hpp>
#include <utility>

#include "event/wire.hpp"
#include "message.hpp"

namespace epios::io {

std::size_t longest_piece() {
  constexpr std::size_t usual = std::size_t{1} << 30U;
  const char* const wish = std::getenv("EPIOS_TEST_PIECE_BYTES");
  const std::size_t bytes = wish == nullptr ? usual : std::strtoull(wish, nullptr, 10);
  return std::clamp<std::size_t>(bytes, 1, usual);
}

void send_long(const ep::Comm& comm, std::span<const std::byte> bytes, int dest, int tag) {
  const std::size_t longest = longest_piece();
  if (bytes.size() <= longest) return ep::send(comm, bytes, dest, tag);
  ep::send(comm, encode(InPieces{bytes.size()}), dest, tag);
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(longest, bytes.size()))) {
    ep::send(comm, bytes.first(std::min(longest, bytes.size())), dest, tag);
  }
}

bool LongMessages::complete(ep::Received& message) {
  const auto begun = begun_.find(message.source);
  if (begun == begun_.end()) {
    if (message_kind(message.bytes) != MessageKind::in_pieces) return true;
    Begun& next = begun_[message.source];
    next.expected = decode_in_pieces(message.bytes).bytes;
    return false;
  }
  auto& [bytes, expected] = begun->second;
  if (message.bytes.size() > expected - bytes.size()) {
    refuse_message(fmt::format("its pieces have more than {} bytes", expected));
  }
  // What is announced may be wrong, or a lie: the pieces that have come vouch for some more.
  constexpr std::uint64_t trust = 16;
  const std::uint64_t arrived = bytes.size() + message.bytes.size();
  if (arrived > bytes.capacity()) {
    bytes.reserve(expected / trust < arrived ? expected : trust * arrived);
  }
  bytes.insert(bytes.end(), message.bytes.begin(), message.bytes.end());
  if (bytes.size() < expected) return false;
  message.bytes = std::move(bytes);
  begun_.erase(begun);
  return true;
}

}  // namespace epios::io
