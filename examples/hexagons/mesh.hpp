/// @file
/// A mesh of the sphere that the model makes itself: hexagons and twelve pentagons.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace hexagons {

/// A point of the unit sphere.
using Point = std::array<double, 3>;

double longitude(const Point& p);  ///< degrees, from 0 to 360
double latitude(const Point& p);   ///< degrees

constexpr std::size_t most_corners = 6;

/// One cell: the points nearer to its centre than to any other.
struct Cell {
  Point centre{};
  std::size_t corner_count = most_corners;
  /// Counter-clockwise, seen from outside; of a pentagon the last one twice, as CF has it.
  std::array<Point, most_corners> corners{};
  /// The cell beyond the edge from corner k to corner k + 1.
  std::array<int, most_corners> neighbours{};
  double area_m2 = 0;
};

constexpr double earth_radius_m = 6'371'229.0;

/// The dual of an icosahedron whose edges are halved `level` times: 10 * 4^level + 2 cells, in the
/// order in which halving makes them, which is none that a map shows.
std::vector<Cell> make_mesh(int level);

}  // namespace hexagons
