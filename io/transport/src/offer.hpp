/// @file
/// The contents of a ChannelOffer and their encoding.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "memory.hpp"
#include "ring.hpp"
#include "transport/channel.hpp"

namespace epios::io {

/// Where a sender finds its ring. The carrier determines which members are used. A sender that
/// cannot map the ring of an offer of shared_memory sends messages with `tag` instead.
struct OfferedChannel {
  CarrierKind carrier = CarrierKind::in_process;
  RingLayout layout;
  int peer = 0;               ///< rank of the client that the channel is for
  int tag = 0;                ///< tag of the group
  ProcessToken token;         ///< the process of the server; its random part is the ring's nonce
  std::uint64_t address = 0;  ///< in_process, one_sided: the group's Memory
  std::uint64_t offset = 0;   ///< offset of the ring in its memory
  std::uint64_t segment_bytes = 0;  ///< shared_memory, one_sided
  std::string segment_name;         ///< shared_memory, and one_sided if there is a segment
  std::uint64_t displacement = 0;   ///< one_sided: displacement of the ring in the window
};

/// Version of the format of offers; client and server must have the same.
inline constexpr std::uint32_t offer_version = 3;

/// Throws ep::Error if the name of the segment is too long.
ChannelOffer encode(const OfferedChannel& channel);
/// Throws ep::Error for bytes that are no offer, an offer of another version, or a damaged one.
OfferedChannel decode(std::span<const std::byte> offer);

}  // namespace epios::io
