/// @file
/// Memory that parts take in a channel.
#pragma once

#include <cstddef>

namespace epios::io {

/// Alignment of parts and their headers (one cache line).
inline constexpr std::size_t ring_alignment = 64;

/// Returns the bytes that a part takes in a ring: its header and its payload, rounded up.
constexpr std::size_t ring_footprint(std::size_t part_bytes) {
  return ring_alignment + (part_bytes + ring_alignment - 1) / ring_alignment * ring_alignment;
}

}  // namespace epios::io
