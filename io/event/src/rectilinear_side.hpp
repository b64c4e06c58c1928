/// @file
/// Coordinates along the sides of rectilinear domains, as clients give them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "config/model_fwd.hpp"
#include "config/value.hpp"
#include "grid/part.hpp"

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

/// The global indices of this client's columns or rows; places are those of along_side(). `begin`:
/// of a block, or of all cells when only the other side is listed.
Part indices(const RectilinearSide& side, const std::optional<config::value::integers>& index,
             std::int64_t begin);

/// `each` values per place of indices().
std::vector<double> along_side(std::span<const double> values, const RectilinearSide& side,
                               std::int64_t each);

/// Two bounds per place: given as such along the side, or the extremes of the vertices of each
/// cell. `longitudes`: those of the places, where bounds are such, around which they lie.
std::vector<double> side_bounds(std::span<const double> values, const RectilinearSide& side,
                                std::int64_t vertices, std::span<const double> longitudes = {});

}  // namespace epios::io
