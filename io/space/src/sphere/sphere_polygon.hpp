/// @file
/// Polygons of great circles and parallels on the unit sphere: area, moment, clipping.
///
/// Nothing here compares with a tolerance. A corner is inside of a side if its rounded distance
/// says so; an edge is cut exactly if its ends are told apart, or its bulge lies on the other side
/// than they do, at points between them or at the ends themselves. Whatever the distances' rounding
/// decides, what comes out is the overlap but for a strip as narrow as the corners' own rounding,
/// so that near and touching edges need no rules of their own.
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
  Vector normal;  ///< towards the inside; of a parallel (0, 0, 1) or (0, 0, -1)
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

/// Sides of a convex anticlockwise polygon, great circles first: the order that overlap() needs.
void sides_of(std::span<const Corner> corners, std::vector<PolygonSide>& sides);

/// Positive when anticlockwise. Of polygons smaller than half the sphere.
double area_of(std::span<const Corner> corners);
/// The integral of the position over the area.
Vector moment_of(std::span<const Corner> corners);
/// Length of all edges, straight ones through space.
double perimeter_of(std::span<const Corner> corners);
/// How deep corners lie in a half of the sphere: of all planes through the centre, the one from
/// which the nearest corner is furthest. Not above 0 (or no number): no half has them all.
double depth_in_half(std::span<const Corner> corners);

/// Clips polygons; keeps its memory.
class Clipper {
 public:
  /// The part of a polygon inside of all sides, which are those of a convex polygon; valid until
  /// the next call. A polygon that is not convex may come out with edges along a side that are
  /// passed in both directions, which areas and moments do not see.
  std::span<const Corner> overlap(std::span<const Corner> polygon,
                                  std::span<const PolygonSide> sides);

 private:
  bool cut(const PolygonSide& side);
  std::vector<Corner> from_, to_;
  std::vector<double> distance_;
};

}  // namespace epios::io
