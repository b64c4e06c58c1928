/// @file
/// Neighbouring cells, found by their corners.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "space/cells.hpp"

namespace epios::io {

/// The neighbours of each cell: those that share an edge (two consecutive corners) with it, or a
/// corner; ascending by place. Corners are equal if they are closer than a millionth of an edge.
struct CellNeighbours {
  std::vector<std::size_t> begin;  ///< one more than cells
  std::vector<std::size_t> cells;
  std::span<const std::size_t> of(std::size_t cell) const {
    return std::span(cells).subspan(begin[cell], begin[cell + 1] - begin[cell]);
  }
};
enum class Shared { edge, corner };
/// Finds neighbours among all cells, whether they count or not. Local; O(n log n).
CellNeighbours cell_neighbours(const Cells& cells, Shared what);

}  // namespace epios::io
