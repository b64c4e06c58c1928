#include "sphere/sphere_points.hpp"

#include <numbers>

#include "config/elementary.hpp"

namespace epios::io {

namespace {

/// u - atan(u) without the loss of digits for small u.
double short_of_arc(double u) {
  if (std::abs(u) > 0.1) return u - config::arc_tangent(u);
  const double s = u * u;
  return u * s *
         (1.0 / 3 - s * (1.0 / 5 - s * (1.0 / 7 - s * (1.0 / 9 - s * (1.0 / 11 - s / 13)))));
}

/// An angle over its sine.
double angle_over_sine(double sine, double cosine) {
  if (cosine < 0 || sine > 0.1) return sine == 0 ? 1 : config::arc_tangent(sine, cosine) / sine;
  const double s = sine * sine;
  return 1 + s * (1.0 / 6 +
                  s * (3.0 / 40 + s * (5.0 / 112 +
                                       s * (35.0 / 1152 + s * (63.0 / 2816 + s * 231.0 / 13312)))));
}

}  // namespace

Direction direction(double degrees) {
  // Both are exact: the nearest multiple of 90, and what is left of the angle.
  const double turned = std::remainder(degrees, 360.0);
  const double quarter = std::nearbyint(turned / 90);
  const double rest = (turned - 90 * quarter) * (std::numbers::pi / 180);
  const double s = config::sine(rest);
  const double c = config::cosine(rest);
  switch (static_cast<int>(quarter)) {
    case 1:
      return {c, -s};
    case -1:
      return {-c, s};
    case 2:
    case -2:
      return {-s, -c};
    default:
      return {s, c};
  }
}

Vector point_at(const Direction& lon, const Direction& lat) {
  return {lat.cosine * lon.cosine, lat.cosine * lon.sine, lat.sine};
}

Vector point_at(double lon, double lat) {
  if (lat >= 90) return {0, 0, 1};
  if (lat <= -90) return {0, 0, -1};
  return point_at(direction(lon), direction(lat));
}

double triangle_area(const Vector& a, const Vector& b, const Vector& c) {
  const double volume = dot(a, cross(b - a, c - a));
  const double base = 1 + dot(a, b) + dot(b, c) + dot(c, a);
  const double t = volume / base;
  if (base > 0 && std::abs(t) < 0.02) {
    const double s = t * t;
    return 2 * t * (1 - s * (1.0 / 3 - s * (1.0 / 5 - s * (1.0 / 7 - s / 9))));
  }
  return 2 * config::arc_tangent(volume, base);
}

Vector great_circle_moment(const Vector& a, const Vector& b) {
  const Vector n = across(a, b);
  return (0.5 * angle_over_sine(length(n), dot(a, b))) * n;
}

Vector parallel_moment(const Vector& a, const Vector& b) {
  const double turn = 2 * config::arc_tangent(half_turn(a, b));
  const double square = a.x * a.x + a.y * a.y;
  return {-0.5 * a.z * (b.y - a.y), 0.5 * a.z * (b.x - a.x), 0.5 * square * turn};
}

double parallel_area(const Vector& a, const Vector& b) {
  const double t = half_turn(a, b);
  return 2 * (a.z * short_of_arc(t) - short_of_arc(a.z * t));
}

}  // namespace epios::io
