/// @file
/// Corners of the cells of a curvilinear grid that only has centres.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sphere/sphere_points.hpp"

namespace epios::io {

/// Centres of a grid of rows and columns, or those around a piece of one. Corners lie amid the four
/// centres around them; where some of these are not there (the rim of the grid, cells that nobody
/// describes), as if the others went on. Each corner is the same for all cells that have it.
class CornersBetween {
 public:
  CornersBetween(std::int64_t ni, std::int64_t nj) : ni_(ni), nj_(nj) {}

  /// Numbers of the cells whose centres those of a cell's corners depend on, -1: there is none.
  static constexpr std::size_t needed = 21;
  std::array<std::int64_t, needed> needed_for(std::int64_t i, std::int64_t j) const;

  /// Numbers (j * ni + i) in any order, some perhaps several times; degrees. What is no point of
  /// the sphere is not there.
  void add(std::span<const std::int64_t> numbers, std::span<const double> lon,
           std::span<const double> lat);

  /// Anticlockwise in the order of i and j; nothing: its neighbours do not say how far it reaches.
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

/// True if the cell has the very centre of two of the four beside it: a block that was never filled
/// in, as where a model leaves out processes that have only land. `is_same(i, j)`: true if the cell
/// there has this one's centre. The last column may be beside the first.
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

/// Degrees of a point.
double longitude_of(const Vector& point);
double latitude_of(const Vector& point);

}  // namespace epios::io
