/// @file
/// Points on the unit sphere, and basic geometry on a few of them.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace epios::io {

struct Vector {
  double x = 0, y = 0, z = 0;
  bool operator==(const Vector&) const = default;
};
inline Vector operator+(const Vector& a, const Vector& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vector operator-(const Vector& a, const Vector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Vector operator*(double s, const Vector& a) { return {s * a.x, s * a.y, s * a.z}; }
inline double dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vector cross(const Vector& a, const Vector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(const Vector& a) { return std::sqrt(dot(a, a)); }
inline Vector unit(const Vector& a) { return (1 / length(a)) * a; }

/// Returns sine and cosine of an angle in degrees: the same bits for one direction whatever the
/// number of turns, exact for multiples of 90.
struct Direction {
  double sine = 0, cosine = 1;
};
Direction direction(double degrees);

/// Directions with the same bits, of which those asked for lately are remembered: cells of most
/// grids share their edges with many others.
class RecentDirections {
 public:
  Direction operator()(double degrees) {
    const auto bits = std::bit_cast<std::uint64_t>(degrees);
    constexpr std::uint64_t scatter = 0x9e3779b97f4a7c15U;  // 2^64 over the golden ratio
    Entry& entry = entries_[(bits * scatter) >> (64 - index_bits)];
    if (entry.bits != bits) entry = {bits, direction(degrees)};
    return entry.direction;
  }

 private:
  static constexpr int index_bits = 9;
  struct Entry {
    std::uint64_t bits = 0;
    Direction direction;
  };
  std::array<Entry, std::size_t{1} << index_bits> entries_{};  // of 0 degrees, all of them
};

/// Returns the point, with the same bits for equal meridians; all longitudes of a pole give one
/// point.
Vector point_at(double lon, double lat);
Vector point_at(const Direction& lon, const Direction& lat);

/// Returns the vector across the great circle from a to b, pointing to its left. Its length is the
/// sine of the distance, and it is accurate for close points.
inline Vector across(const Vector& a, const Vector& b) { return cross(a, b - a); }

/// Returns the area of the triangle, positive if anticlockwise, with the relative accuracy of its
/// corners. Below 2 pi.
double triangle_area(const Vector& a, const Vector& b, const Vector& c);

/// Returns the contribution of an edge from a to b to the integral of the position over the area to
/// its left: half of the integral of x cross dx along it.
Vector great_circle_moment(const Vector& a, const Vector& b);
/// Returns the contribution of an edge along the parallel of both points, the shorter way.
Vector parallel_moment(const Vector& a, const Vector& b);
/// Returns the area between the parallel from a to b and the great circle, positive to the left of
/// the parallel.
double parallel_area(const Vector& a, const Vector& b);
/// Returns the tangent of half the longitude from a to b, positive eastwards; both are on one
/// parallel.
inline double half_turn(const Vector& a, const Vector& b) {
  const double sine = a.x * (b.y - a.y) - a.y * (b.x - a.x);
  return sine / (a.x * a.x + a.y * a.y + a.x * b.x + a.y * b.y);
}

}  // namespace epios::io
