/// @file
/// What parts take in the memory of a channel.
#pragma once

#include <cstddef>

namespace epios::io {

/// Parts and their headers start at multiples of this (one cache line).
inline constexpr std::size_t ring_alignment = 64;

/// Bytes that a part takes in a ring: its header and its payload, rounded up.
constexpr std::size_t ring_footprint(std::size_t part_bytes) {
  return ring_alignment + (part_bytes + ring_alignment - 1) / ring_alignment * ring_alignment;
}

}  // namespace epios::io
