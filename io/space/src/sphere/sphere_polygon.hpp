/// @file
/// Polygons of great circles and parallels on the unit sphere: area, moment, clipping.
///
/// Nothing here compares with a tolerance. A corner is inside of a side if its rounded distance
/// says so. An edge is cut exactly if its ends are on different sides, or if its bulge is on the
/// other side than its ends, at points between them or at the ends themselves. Whatever the
/// rounding of distances decides, the result is the overlap except for a strip as narrow as the
/// rounding of the corners, so that near and touching edges need no special treatment.
#pragma once

#include <span>
#include <vector>

#include "sphere/sphere_points.hpp"

namespace epios::io {

/// A corner, and the edge from it to the next one.
struct Corner {
  Vector at;
  bool along_parallel = false;
};

/// The side to the left of an edge: half of the sphere, or the part on one side of a parallel.
struct PolygonSide {
  Vector normal;  ///< towards the inside; (0, 0, 1) or (0, 0, -1) for a parallel
  Vector on;      ///< a point of it
  bool along_parallel = false;
  double distance(const Vector& p) const {
    if (along_parallel) return normal.z * (p.z - on.z);
    return dot(normal, p - on);
  }
};

/// Returns true if an edge crosses a side between its ends, although no end is beyond it. Parallels
/// do so with great circles, and great circles with parallels.
bool goes_beyond(const Corner& from, const Vector& to, const PolygonSide& side);

/// Sets the sides of a convex anticlockwise polygon, great circles first, as overlap() requires.
void sides_of(std::span<const Corner> corners, std::vector<PolygonSide>& sides);

/// Returns the area, positive if anticlockwise. For polygons smaller than half the sphere.
double area_of(std::span<const Corner> corners);
/// Returns the integral of the position over the area.
Vector moment_of(std::span<const Corner> corners);
/// Returns the length of all edges, as straight lines through space.
double perimeter_of(std::span<const Corner> corners);
/// Returns how deep the corners lie in a half of the sphere: among all planes through the centre,
/// the largest distance of the nearest corner. If it is not above 0 (or NaN), no half contains all
/// of them.
double depth_in_half(std::span<const Corner> corners);

/// Clips polygons; keeps its working memory.
class Clipper {
 public:
  /// Returns the part of a polygon inside of all sides, which are those of a convex polygon; valid
  /// until the next call. For a non-convex polygon the result may pass edges along a side in both
  /// directions, which areas and moments do not notice.
  std::span<const Corner> overlap(std::span<const Corner> polygon,
                                  std::span<const PolygonSide> sides);

 private:
  bool cut(const PolygonSide& side);
  std::vector<Corner> from_, to_;
  std::vector<double> distance_;
};

}  // namespace epios::io
