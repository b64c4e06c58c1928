/// @file
/// Coordinates along the sides of rectilinear domains, as clients give them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace epios::io {

/// One side of a client's part of a rectilinear domain: its columns or its rows. Values along it
/// are given as such, `n` of them, or one per cell. Of a block the cells of the first row or column
/// count; where the client lists its cells, each says where its value belongs.
struct RectilinearSide {
  std::int64_t n = 0;
  std::int64_t step = 1;   ///< cells from one point of the side to the next
  std::int64_t width = 0;  ///< points after which the next row begins; columns only
  std::int64_t cells = 0;
  bool is_listed = false;

  /// The point of the side to which a cell belongs.
  std::int64_t of_cell(std::int64_t cell) const { return width > 0 ? cell % width : cell / step; }
};
/// Return the sides of a part of `ni` by `nj` cells.
RectilinearSide columns_of(std::int64_t ni, std::int64_t nj, bool is_listed);
RectilinearSide rows_of(std::int64_t ni, std::int64_t nj, bool is_listed);

/// Returns `each` values per place: per point of the side of a block, per cell where cells are
/// listed.
std::vector<double> along_side(std::span<const double> values, const RectilinearSide& side,
                               std::int64_t each);

/// Returns two bounds per place: given as such along the side, or the extremes of the vertices of
/// each cell. `longitudes`: those of the places, where bounds are such, around which they lie.
std::vector<double> side_bounds(std::span<const double> values, const RectilinearSide& side,
                                std::int64_t vertices, std::span<const double> longitudes = {});

}  // namespace epios::io
