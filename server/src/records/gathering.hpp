#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "event/opening.hpp"
#include "grid/box.hpp"
#include "grid/pattern.hpp"
#include "grid/pieces.hpp"

namespace epios::server {

/// indexed_output: what is kept of a slab, the points of its elements that have values on some
/// client. Of all elements together, so that no index stands twice.
struct Gathering {
  /// Per element of the grid, in model order: ascending positions in its window; empty: all.
  std::vector<std::vector<std::int64_t>> points;
  io::Box box;       ///< of what is kept, in file order; elements with `points` have one dimension
  io::Pattern kept;  ///< places in the slab

  /// Brings what is kept to the front of a slab, and returns it.
  std::span<std::byte> gather(std::span<std::byte> slab, int value_bytes) const;
};

/// Returns the gathering of grid piece number `number`. Elements of which no point has a value stay
/// whole.
Gathering gathering_of(const config::Model& model, const io::Pieces& pieces, std::size_t number,
                       std::span<const io::OpeningPart> parts);

}  // namespace epios::server
