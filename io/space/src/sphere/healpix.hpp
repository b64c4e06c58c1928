/// @file
/// The pixels of HEALPix: their numbers, centres and edges. Source: Gorski et al. 2005,
/// doi 10.1086/427976.
#pragma once

#include <cstdint>
#include <vector>

#include "sphere/sphere_points.hpp"

namespace epios::io {

/// Equal areas in 12 base pixels of nside x nside pixels each. Pixel 0 in nested order has its
/// southern corner at 45 degrees East. Immutable; all functions are pure.
class HealpixGrid {
 public:
  enum class Order {
    nested,  ///< the 4 children of pixel p at the next finer level are 4p ... 4p + 3
    ring     ///< along circles of latitude from north to south, eastwards in each
  };
  /// `nside` is a power of two.
  HealpixGrid(std::int64_t nside, Order order) : nside_(nside), order_(order) {}

  std::int64_t size() const { return 12 * nside_ * nside_; }
  /// Returns the number of a pixel in the other order.
  std::int64_t in_other_order(std::int64_t pixel) const;

  struct Point {
    double lon = 0;  ///< degrees from 0 to 360
    double lat = 0;  ///< degrees
  };
  Point centre(std::int64_t pixel) const;

  /// Returns the number of corners of each polygon, a multiple of 8: edges of pixels are no great
  /// circles, so that they have corners in between.
  std::int64_t corners_each() const { return 8 * pairs(); }
  /// Appends the corners of a pixel, anticlockwise from the southern one. Every other corner lies
  /// on the edge; the one after it lies a little beside it, where the two great circles enclose the
  /// same area as the edge. So the area of the polygon is that of the pixel except for rounding,
  /// and neighbours have the same corners except for rounding.
  void add_corners(std::int64_t pixel, std::vector<double>& lon, std::vector<double>& lat) const;

 private:
  /// A pixel as column and row of a base pixel.
  struct Place {
    std::int64_t base = 0, x = 0, y = 0;
  };
  /// A point of a base pixel; x and y are from 0 to 1, from its southern corner to its eastern and
  /// western one.
  struct Spot {
    std::int64_t base = 0;
    double x = 0, y = 0;
  };

  Place place_of(std::int64_t pixel, Order order) const;
  std::int64_t number_of(const Place& place, Order order) const;
  Place place_in_rings(std::int64_t pixel) const;
  /// Pieces of each edge, of two great circles each.
  std::int64_t pairs() const;

  static Point point(const Spot& spot);
  /// Returns the area to the left of the edge from `a` to `b`, along which x or y is constant,
  /// minus that to the left of the great circle.
  static double area_beside(const Spot& a, const Spot& b, const Vector& from, const Vector& to);

  std::int64_t nside_;
  Order order_;
};

}  // namespace epios::io
