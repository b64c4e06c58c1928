/// @file
/// Cells between two longitudes and two latitudes, whose intersections have a closed form.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "sphere/sphere_polygon.hpp"

namespace epios::io {

/// In degrees: from `west` eastwards over `width` in (0, 360].
struct LatLonBox {
  double west = 0, width = 0;
  double south = 0, north = 0;
};

/// Returns nullopt if the corners are not those of a box, or if it has no area. `is_turned` means
/// that the corners go round clockwise, like those of most cells of the grid.
std::optional<LatLonBox> box_of(std::span<const double> lon, std::span<const double> lat,
                                bool is_turned);
/// Returns twice the area of the corners as points of a plane. Its sign tells whether they go round
/// clockwise, except for cells across the date line.
double area_in_plane(std::span<const double> lon, std::span<const double> lat);

double area_of(const LatLonBox& box);
double area_of(const LatLonBox& box, RecentDirections& directions);
Vector moment_of(const LatLonBox& box);
Vector moment_of(const LatLonBox& box, RecentDirections& directions);

/// The intersection of two boxes: at most two boxes, since both may extend around the sphere. An
/// intersection as narrow as the rounding of degrees is empty.
struct CommonBoxes {
  std::array<LatLonBox, 2> box;
  int count = 0;
};
CommonBoxes common(const LatLonBox& a, const LatLonBox& b);

/// Sets the corners of a box, anticlockwise. The box is at most 180 degrees wide.
void corners_of(const LatLonBox& box, RecentDirections& directions, std::vector<Corner>& corners);
/// Sets its sides, great circles first, accurate also for tiny boxes. The box is at most 90 degrees
/// wide.
void sides_of(const LatLonBox& box, std::vector<PolygonSide>& sides);

}  // namespace epios::io
