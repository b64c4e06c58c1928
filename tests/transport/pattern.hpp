/// @file
/// Bytes that tell where they belong: written by the sender, recomputed by the receiver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace epios::io::test {

/// Next state of a splitmix64 generator, and its output.
inline std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// Fills `part` with what part `number` of stream `seed` contains.
inline void fill_pattern(std::span<std::byte> part, std::uint64_t seed, std::uint64_t number) {
  std::uint64_t state = seed * 0x100000001b3 + number;
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (i % sizeof word == 0) word = next_random(state);
    part[i] = static_cast<std::byte>(word >> (8 * (i % sizeof word)));
  }
}

/// Whether `part` holds exactly that.
inline bool has_pattern(std::span<const std::byte> part, std::uint64_t seed, std::uint64_t number) {
  std::uint64_t state = seed * 0x100000001b3 + number;
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (i % sizeof word == 0) word = next_random(state);
    if (part[i] != static_cast<std::byte>(word >> (8 * (i % sizeof word)))) return false;
  }
  return true;
}

/// Size of that part: 1 ... capacity; small, large and largest ones.
inline std::size_t pattern_bytes(std::uint64_t seed, std::uint64_t number, std::size_t capacity) {
  std::uint64_t state = seed + number * 0x2545f4914f6cdd1d;
  const std::uint64_t kind = next_random(state) % 4;
  if (kind == 0) return capacity;
  const std::size_t limit = kind == 1 && capacity > 200 ? 200 : capacity;
  return 1 + static_cast<std::size_t>(next_random(state) % limit);
}

}  // namespace epios::io::test
