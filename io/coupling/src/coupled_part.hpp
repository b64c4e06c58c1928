#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace epios::io {

/// Header of a part in a channel between contexts.
struct CoupledPartHeader {
  std::uint32_t magic = magic_value;
  std::uint32_t field = 0;   ///< number among the exchanged fields, the same on both sides
  std::int64_t record = 0;   ///< number of the record, as the sender counts
  std::uint64_t values = 0;  ///< number of values that follow, or no_values

  /// Marks a record for whose period the model had no values.
  static constexpr std::uint64_t no_values = ~std::uint64_t{0};
  static constexpr std::uint32_t magic_value = 0x50435045;  // "EPCP" as bytes
  static constexpr std::size_t payload_offset = 64;
};
static_assert(sizeof(CoupledPartHeader) <= CoupledPartHeader::payload_offset);

constexpr std::size_t coupled_part_bytes(std::int64_t values) {
  return CoupledPartHeader::payload_offset + static_cast<std::size_t>(values) * sizeof(double);
}

/// Returns the values of a part.
inline std::span<double> coupled_values(std::span<std::byte> part) {
  const auto payload = part.subspan(CoupledPartHeader::payload_offset);
  return {reinterpret_cast<double*>(payload.data()), payload.size() / sizeof(double)};
}

}  // namespace epios::io
