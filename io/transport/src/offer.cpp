#include "offer.hpp"

#include <fmt/format.h>

#include <cstring>
#include <ep/ep.hpp>
#include <type_traits>

namespace epios::io {
namespace {

constexpr std::array<char, 8> magic = {'E', 'P', 'I', 'O', 'S', 'C', 'H', '\n'};

// Magic and version keep their places in all versions.
struct Image {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t carrier;
  std::uint64_t capacity_bytes;
  std::uint64_t data_bytes;
  std::int32_t peer;
  std::int32_t tag;
  std::uint64_t token_random;
  std::int64_t token_pid;
  std::uint64_t address;
  std::uint64_t offset;
  std::uint64_t segment_bytes;
  std::array<char, 64> segment_name;
  std::uint64_t displacement;
  std::uint64_t checksum;  // of all bytes before it
};
static_assert(std::is_trivially_copyable_v<Image>);
static_assert(std::has_unique_object_representations_v<Image>, "padding would be hashed");

// FNV-1a.
std::uint64_t checksum_of(const Image& image) {
  const std::span bytes = std::as_bytes(std::span(&image, 1)).first(offsetof(Image, checksum));
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::byte byte : bytes) {
    hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3;
  }
  return hash;
}

[[noreturn]] void throw_damaged(const char* why) {
  throw ep::Error(
      EP_ERR_ARG,
      fmt::format("a channel's offer cannot be read ({}). Did its bytes arrive whole?", why));
}

}  // namespace

ChannelOffer encode(const OfferedChannel& channel) {
  Image image{};
  image.magic = magic;
  image.version = offer_version;
  image.carrier = static_cast<std::uint32_t>(channel.carrier);
  image.capacity_bytes = channel.layout.capacity_bytes;
  image.data_bytes = channel.layout.data_bytes;
  image.peer = channel.peer;
  image.tag = channel.tag;
  image.token_random = channel.token.random;
  image.token_pid = channel.token.pid;
  image.address = channel.address;
  image.offset = channel.offset;
  image.segment_bytes = channel.segment_bytes;
  image.displacement = channel.displacement;
  if (channel.segment_name.size() >= image.segment_name.size()) {
    throw ep::Error(EP_ERR_ARG,
                    fmt::format("the segment name {} does not fit an offer ({} bytes). Can "
                                "it be shorter?",
                                channel.segment_name, image.segment_name.size()));
  }
  channel.segment_name.copy(image.segment_name.data(), channel.segment_name.size());
  image.checksum = checksum_of(image);
  const std::span bytes = std::as_bytes(std::span(&image, 1));
  return {bytes.begin(), bytes.end()};
}

OfferedChannel decode(std::span<const std::byte> offer) {
  Image image{};
  if (offer.size() < offsetof(Image, carrier) ||
      std::memcmp(offer.data(), magic.data(), magic.size()) != 0) {
    throw_damaged("it does not begin like one");
  }
  std::memcpy(&image.version, offer.data() + offsetof(Image, version), sizeof image.version);
  if (image.version != offer_version) {
    throw ep::Error(EP_ERR_ARG,
                    fmt::format("client and server cannot be connected (the server offers "
                                "channels of version {}, this client knows version {}). Are "
                                "both of the same release?",
                                image.version, offer_version));
  }
  if (offer.size() != sizeof image) throw_damaged("it has the wrong length");
  std::memcpy(&image, offer.data(), sizeof image);
  if (image.checksum != checksum_of(image)) throw_damaged("its checksum is wrong");
  OfferedChannel out;
  out.carrier = static_cast<CarrierKind>(image.carrier);
  out.layout = {image.capacity_bytes, image.data_bytes};
  out.peer = image.peer;
  out.tag = image.tag;
  out.token = {image.token_random, image.token_pid};
  out.address = image.address;
  out.offset = image.offset;
  out.segment_bytes = image.segment_bytes;
  out.displacement = image.displacement;
  out.segment_name = image.segment_name.data();
  return out;
}

}  // namespace epios::io
