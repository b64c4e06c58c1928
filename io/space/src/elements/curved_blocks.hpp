/// @file
/// Blocks of cells of curvilinear domains: centres, corners and areas. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "config/model_fwd.hpp"
#include "config/value.hpp"
#include "elements/ring_cells.hpp"

namespace epios::io {

/// Corners of each cell.
inline constexpr std::size_t curved_corners = 4;

/// Coordinates of the cells of blocks, one block after the other, rows ascending; not finite where
/// nobody has any.
struct CurvedCells {
  std::optional<config::value::reals> lon, lat;                ///< one per cell
  std::optional<config::value::reals> bounds_lon, bounds_lat;  ///< curved_corners per cell
  Surface surface = Surface::sphere;
};

/// Returns the area of each cell between its corners, on a sphere of this radius or on the plane;
/// nothing if there are no corners. A cell without area has 0.
std::optional<config::value::reals> areas_of(const CurvedCells& cells, double radius);

/// Gives blocks the direction amid the centres of their cells as centre, and the outer corners of
/// their cells as corners. `begin` has the first cell of each block of one, two or four, and the
/// end.
void describe_blocks(const CurvedCells& cells, const std::vector<std::size_t>& begin,
                     config::DomainAttributes& out);

}  // namespace epios::io
