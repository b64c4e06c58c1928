#pragma once

#include <cstddef>
#include <cstdint>
#include <ep/fwd.hpp>
#include <span>
#include <vector>

namespace epios::client {

/// Elements whose coordinates several clients have in whole, but not the same: for which of them
/// this client is the lowest that differs from the holder, whose coordinates are written. `digests`
/// as io::coordinate_digests, `holders` their holders on all clients. Collective over `clients`;
/// two further reductions only where clients differ.
std::vector<std::size_t> other_coordinates(std::span<const std::uint64_t> digests,
                                           std::span<const std::int32_t> holders,
                                           const ep::Comm& clients);

}  // namespace epios::client
