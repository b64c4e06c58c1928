/// @file
/// Corners of the cells of a curvilinear grid that has centres only.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sphere/sphere_points.hpp"

namespace epios::io {

/// Centres of a grid of rows and columns, or those around a piece of one. A corner lies amid the
/// four centres around it. Where some of these are missing (the rim of the grid, cells that nobody
/// describes), the grid is extrapolated. Each corner is the same for all cells that share it.
class CornersBetween {
 public:
  CornersBetween(std::int64_t ni, std::int64_t nj) : ni_(ni), nj_(nj) {}

  /// Number of cells whose centres the corners of a cell depend on; -1 in the list marks a missing
  /// one.
  static constexpr std::size_t needed = 21;
  std::array<std::int64_t, needed> needed_for(std::int64_t i, std::int64_t j) const;

  /// Adds centres in degrees. Numbers (j * ni + i) may be in any order and repeated. Positions that
  /// are no points of the sphere are ignored.
  void add(std::span<const std::int64_t> numbers, std::span<const double> lon,
           std::span<const double> lat);

  /// Returns the corners, anticlockwise in the order of i and j, or nothing if its extent does not
  /// follow from neighbours.
  std::optional<std::array<Vector, 4>> of(std::int64_t i, std::int64_t j) const;

 private:
  std::optional<Vector> known(std::int64_t i, std::int64_t j) const;
  /// Returns true if the last column neighbours the first one.
  bool goes_around(std::int64_t j) const;
  std::optional<Vector> corner(std::int64_t i, std::int64_t j) const;
  std::optional<Vector> amid_two(const Vector& a, const Vector& b,
                                 const std::optional<Vector>& within_a,
                                 const std::optional<Vector>& within_b) const;
  Vector at_pole_or(const Vector& corner, std::int64_t i, std::int64_t row,
                    std::int64_t within) const;

  std::int64_t ni_, nj_;
  std::vector<std::int64_t> numbers_;  ///< ascending
  std::vector<Vector> centres_;
};

/// Returns true if the cell has the same centre as two of its four neighbours: a block that was
/// never filled in, because a model leaves out processes with land only. `is_same(i, j)` is true if
/// the cell there has this one's centre. The last column may neighbour the first.
template <typename IsSame>
bool is_never_filled(std::int64_t ni, std::int64_t nj, std::int64_t i, std::int64_t j,
                     const IsSame& is_same) {
  const auto count = [&](std::int64_t column, std::int64_t row) {
    column = (column + ni) % ni;
    if (row < 0 || row >= nj || (column == i && row == j)) return 0;
    return is_same(column, row) ? 1 : 0;
  };
  return count(i - 1, j) + count(i + 1, j) + count(i, j - 1) + count(i, j + 1) >= 2;
}

/// Return the position of a point in degrees.
double longitude_of(const Vector& point);
double latitude_of(const Vector& point);

}  // namespace epios::io
