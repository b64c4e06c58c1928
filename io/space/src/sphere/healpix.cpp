// Computes pixels of HEALPix. First come the numbers of pixels in both orders, then points of a
// base pixel on the sphere, then areas beside edges, from which corners follow.
#include "sphere/healpix.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "config/elementary.hpp"
#include "grid/index.hpp"

namespace epios::io {

namespace {

constexpr double pi = std::numbers::pi;
constexpr double degrees = 180 / pi;

/// Latitude of the southern corner of each base pixel, in units of its size from the north pole,
/// and longitude of its middle, in eighths of a turn.
constexpr std::array<std::int64_t, 12> southern_corner{2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4};
constexpr std::array<std::int64_t, 12> middle{1, 3, 5, 7, 0, 2, 4, 6, 1, 3, 5, 7};

template <class T>
T of(const std::array<T, 12>& list, std::int64_t base) {
  return list.at(as_index(base));
}

/// Returns the bits of a number at even places.
std::int64_t spread(std::int64_t number) {
  std::int64_t out = 0;
  for (int bit = 0; bit < 31; ++bit) out |= (number >> bit & 1) << (2 * bit);
  return out;
}

/// Returns the bits at even places of a number.
std::int64_t gathered(std::int64_t number) {
  std::int64_t out = 0;
  for (int bit = 0; bit < 31; ++bit) out |= (number >> (2 * bit) & 1) << bit;
  return out;
}

std::int64_t whole_root(std::int64_t number) {
  auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(number)));
  while (root * root > number) --root;
  while ((root + 1) * (root + 1) <= number) ++root;
  return root;
}

/// Rings of a cap around a pole have 4, 8, 12 ... pixels.
std::int64_t pixels_in_cap(std::int64_t rings) { return 2 * rings * (rings + 1); }

/// Returns the ring of a cap, from 1 on, that has a pixel.
std::int64_t ring_in_cap(std::int64_t pixel) { return (1 + whole_root(1 + 2 * pixel)) / 2; }

/// Returns the corner between `from` and `to` with which the triangle has an area, positive if the
/// corner is to the right.
Vector corner_beside(const Vector& from, const Vector& to, double area) {
  const Vector middle_of_both = unit(from + to);
  const Vector chord = to - from;
  const Vector right = unit(cross(chord, from));
  double offset = 2 * area / length(chord);
  Vector corner = unit(middle_of_both + offset * right);
  constexpr int steps = 4;  // each leaves the square of the offset, which is small, of the error
  for (int step = 0; step < steps && area != 0; ++step) {
    const double found = triangle_area(from, corner, to);
    if (found == 0) break;
    offset *= area / found;
    corner = unit(middle_of_both + offset * right);
  }
  return corner;
}

}  // namespace

HealpixGrid::Place HealpixGrid::place_in_rings(std::int64_t pixel) const {
  const std::int64_t n = nside_;
  const std::int64_t cap = pixels_in_cap(n - 1);
  Place place;
  std::int64_t ring = 0;    // from the north, from 1 on
  std::int64_t number = 0;  // in the ring, from 1 on
  std::int64_t each = n;    // pixels of the ring in a quarter
  std::int64_t shift = 0;   // 1 where rings begin half a pixel further west
  if (pixel < cap) {
    ring = each = ring_in_cap(pixel);
    number = pixel + 1 - pixels_in_cap(ring - 1);
    place.base = (number - 1) / each;
  } else if (pixel < size() - cap) {
    ring = (pixel - cap) / (4 * n) + n;
    number = (pixel - cap) % (4 * n) + 1;
    shift = (ring + n) & 1;
    const std::int64_t down = ring - n + 1;
    const std::int64_t up = 2 * n + 2 - down;
    const std::int64_t falling = (number - down / 2 + n - 1) / n;
    const std::int64_t rising = (number - up / 2 + n - 1) / n;
    place.base = rising == falling ? (rising | 4) : rising < falling ? rising : falling + 8;
  } else {
    const std::int64_t from_end = size() - 1 - pixel;
    const std::int64_t from_south = ring_in_cap(from_end);
    each = from_south;
    number = 4 * from_south - (from_end - pixels_in_cap(from_south - 1));
    ring = 4 * n - from_south;
    place.base = 8 + (number - 1) / each;
  }
  const std::int64_t along = ring - of(southern_corner, place.base) * n + 1;
  std::int64_t across = 2 * number - of(middle, place.base) * each - shift - 1;
  if (across >= 2 * n) across -= 8 * n;
  place.x = (across - along) / 2;
  place.y = (-across - along) / 2;
  return place;
}

HealpixGrid::Place HealpixGrid::place_of(std::int64_t pixel, Order order) const {
  if (order == Order::ring) return place_in_rings(pixel);
  const std::int64_t inside = pixel % (nside_ * nside_);
  return {pixel / (nside_ * nside_), gathered(inside), gathered(inside >> 1)};
}

std::int64_t HealpixGrid::number_of(const Place& place, Order order) const {
  const std::int64_t n = nside_;
  if (order == Order::nested) {
    return place.base * n * n + spread(place.x) + 2 * spread(place.y);
  }
  const std::int64_t ring = of(southern_corner, place.base) * n - place.x - place.y - 1;
  std::int64_t each = n;
  std::int64_t shift = 0;
  std::int64_t before = 0;
  if (ring < n) {
    each = ring;
    before = pixels_in_cap(ring - 1);
  } else if (ring > 3 * n) {
    each = 4 * n - ring;
    before = size() - pixels_in_cap(each);
  } else {
    shift = (ring - n) & 1;
    before = pixels_in_cap(n - 1) + (ring - n) * 4 * n;
  }
  std::int64_t number = (of(middle, place.base) * each + place.x - place.y + 1 + shift) / 2;
  if (number > 4 * each) number -= 4 * each;
  if (number < 1) number += 4 * each;
  return before + number - 1;
}

std::int64_t HealpixGrid::in_other_order(std::int64_t pixel) const {
  return number_of(place_of(pixel, order_), order_ == Order::nested ? Order::ring : Order::nested);
}

std::int64_t HealpixGrid::pairs() const {
  // Edges that are this short lie near their great circles.
  constexpr std::int64_t pieces_of_base = 64;
  constexpr std::int64_t most = 16;
  return std::clamp<std::int64_t>(pieces_of_base / nside_, 1, most);
}

HealpixGrid::Point HealpixGrid::point(const Spot& spot) {
  const double down = static_cast<double>(of(southern_corner, spot.base)) - spot.x - spot.y;
  const bool is_north = down < 1;
  const bool is_south = down > 3;
  const double each = is_north ? down : is_south ? 4 - down : 1;
  double z = (2 - down) * 2 / 3;
  double radius = std::sqrt((1 - z) * (1 + z));
  if (is_north || is_south) {
    const double beyond = each * each / 3;  // exact at the pole, where 1 - z would not be
    z = is_north ? 1 - beyond : beyond - 1;
    radius = each * std::sqrt((2 - beyond) / 3);
  }
  double eighths = each > 0 ? static_cast<double>(of(middle, spot.base)) + (spot.x - spot.y) / each
                            : static_cast<double>(of(middle, spot.base));
  if (eighths < 0) eighths += 8;
  if (eighths >= 8) eighths -= 8;
  return {45 * eighths, degrees * config::arc_tangent(z, radius)};
}

HealpixGrid::Point HealpixGrid::centre(std::int64_t pixel) const {
  const Place place = place_of(pixel, order_);
  const auto n = static_cast<double>(nside_);
  return point({place.base, (static_cast<double>(place.x) + 0.5) / n,
                (static_cast<double>(place.y) + 0.5) / n});
}

double HealpixGrid::area_beside(const Spot& a, const Spot& b, const Vector& from,
                                const Vector& to) {
  const auto southern = static_cast<double>(of(southern_corner, a.base));
  const auto down = [southern](const Spot& spot) { return southern - spot.x - spot.y; };
  const double begin = down(a);
  const double end = down(b);
  const bool is_in_x = a.y == b.y;
  const double across = is_in_x ? a.y : a.x;
  const double sign = is_in_x ? 1 : -1;
  // The area between the edge and the nearer pole, positive eastwards: the integral of 1 - |z| over
  // longitudes. In a cap, longitudes are linear in 1 / (distance from the pole), and 1 - |z| is a
  // third of its square.
  double of_edge = 0;
  const bool is_north = begin + end < 4;
  if (begin + end < 2) {
    of_edge = -sign * pi / 12 * (southern - 2 * across) * (end - begin);
  } else if (begin + end > 6) {
    of_edge = sign * pi / 12 * 2 * across * (begin - end);
  } else {
    const double east = pi / 4 * ((b.x - a.x) - (b.y - a.y));
    const double z = ((2 - begin) + (2 - end)) / 3;
    of_edge = (1 - std::abs(z)) * east;
  }
  const Vector pole{0, 0, is_north ? 1.0 : -1.0};
  const double of_circle = triangle_area(pole, from, to);
  return is_north ? of_edge - of_circle : -of_edge - of_circle;
}

void HealpixGrid::add_corners(std::int64_t pixel, std::vector<double>& lon,
                              std::vector<double>& lat) const {
  const Place place = place_of(pixel, order_);
  const std::int64_t pieces = pairs();
  const auto n = static_cast<double>(nside_ * pieces);
  const auto spot = [&](std::int64_t x, std::int64_t y) {
    return Spot{place.base, static_cast<double>(place.x * pieces + x) / n,
                static_cast<double>(place.y * pieces + y) / n};
  };
  const auto along = [&](int edge, std::int64_t k) {
    if (edge == 0) return spot(k, 0);
    if (edge == 1) return spot(pieces, k);
    if (edge == 2) return spot(pieces - k, pieces);
    return spot(0, pieces - k);
  };
  for (int edge = 0; edge < 4; ++edge) {
    for (std::int64_t k = 0; k < pieces; ++k) {
      const Spot a = along(edge, k);
      const Spot b = along(edge, k + 1);
      const Point first = point(a);
      const Point last = point(b);
      const Vector from = point_at(first.lon, first.lat);
      const Vector to = point_at(last.lon, last.lat);
      const Vector corner = corner_beside(from, to, area_beside(a, b, from, to));
      const double turn = degrees * config::arc_tangent(corner.y, corner.x);
      lon.push_back(first.lon);
      lat.push_back(first.lat);
      lon.push_back(turn < 0 ? turn + 360 : turn);
      lat.push_back(degrees * config::arc_tangent(
                                  corner.z, std::sqrt(corner.x * corner.x + corner.y * corner.y)));
    }
  }
}

}  // namespace epios::io
