// Geometry of polygons on the sphere whose edges are great circles or parallels: intersections of
// edges and sides, area, moment and clipping.
#include "sphere/sphere_polygon.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace epios::io {

namespace {

/// Where an edge passes a side, in the order of the edge.
struct Passages {
  std::array<Vector, 2> at;
  int count = 0;
};

/// How far along an edge a side lies (parts of the edge): where it is entered, and where left.
struct Ways {
  double in = 0, out = 0;
};

/// Limits a part to [0, 1], which rounding may exceed. NaN becomes the guess.
double on_edge(double part, double guess) {
  return std::isnan(part) ? guess : std::clamp(part, 0.0, 1.0);
}

/// The ways at which a x^2 + b x + c rises through 0, and falls through it.
Ways ways_through(double a, double b, double c, double discriminant) {
  const double w = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
  return std::signbit(b) ? Ways{w / a, c / w} : Ways{c / w, w / a};
}

/// Which passages an edge has, of which the ends are on known sides, and which is bent in between:
/// `begins` and `ends` are its slopes, upwards into the side, at the ends. Two if it goes out (or
/// comes in) and back; where the ends lie on the side itself, their distances are rounding, and
/// their roots may be anywhere near the ends, but slopes tell what it does.
bool goes_there_and_back(bool is_inside, double begins, double ends) {
  return is_inside ? begins < 0 && ends > 0 : begins > 0 && ends < 0;
}

Vector on_parallel(const Vector& towards, double z) {
  const double wide = std::hypot(towards.x, towards.y);
  if (wide == 0) return {0, 0, z};
  const double scale = std::sqrt((1 - z) * (1 + z)) / wide;
  return {towards.x * scale, towards.y * scale, z};
}

/// The edge is a great circle, the side a parallel: where the line that both planes have in common
/// meets the sphere. Of short edges, on which rounding may hide that place, the straight guess is
/// as good.
Passages across_parallel(const Vector& p, const Vector& q, double dp, double dq,
                         const PolygonSide& side) {
  const double z = side.on.z;
  const double up = side.normal.z;
  const Vector d = q - p;
  const Vector n = across(p, q);
  const double flat = n.x * n.x + n.y * n.y;
  const double discriminant = flat - z * z * (flat + n.z * n.z);
  const bool is_met = discriminant > 0 && flat > 0;
  const bool is_inside = dp >= 0;
  const auto passage = [&](bool goes_in, double guess) {
    if (!is_met) return on_parallel(p + guess * d, z);
    // On the whole circle one point rises through the parallel and one falls.
    const double s = std::copysign(std::sqrt(discriminant) / flat, goes_in ? up : -up);
    const double middle = -n.z * z / flat;
    const Vector x{middle * n.x - s * n.y, middle * n.y + s * n.x, z};
    const double t = dot(x - p, d) / dot(d, d);
    if (std::isnan(t)) return on_parallel(p + guess * d, z);
    return t <= 0 ? on_parallel(p, z) : t >= 1 ? on_parallel(q, z) : x;
  };
  Passages passages;
  if (is_inside != (dq >= 0)) {
    passages.count = 1;
    passages.at[0] = passage(!is_inside, dp / (dp - dq));
  } else if (is_met && goes_there_and_back(is_inside, up * (n.x * p.y - n.y * p.x),
                                           up * (n.x * q.y - n.y * q.x))) {
    passages.count = 2;
    passages.at = {passage(!is_inside, 0), passage(is_inside, 1)};
  }
  return passages;
}

/// The edge is a parallel, the side a great circle: by the tangent of half the way, in parts of the
/// whole way's.
Passages along_parallel(const Vector& p, const Vector& q, double dp, double dq, const Vector& n) {
  const double whole = half_turn(p, q);
  const double in = n.x * p.x + n.y * p.y;
  const double over = n.y * p.x - n.x * p.y;
  const double a = (dp - 2 * in) * whole * whole;
  const double b = 2 * over * whole;
  const double discriminant = b * b - 4 * a * dp;
  const Ways ways = ways_through(a, b, dp, discriminant);  // no numbers if there are none
  const bool is_inside = dp >= 0;
  const auto passage = [&](bool goes_in, double guess) {
    const double t = on_edge(goes_in ? ways.in : ways.out, guess) * whole;
    const double scale = 1 / (1 + t * t);
    const double c = (1 - t * t) * scale;
    const double s = 2 * t * scale;
    return Vector{c * p.x - s * p.y, s * p.x + c * p.y, p.z};
  };
  Passages passages;
  if (is_inside != (dq >= 0)) {
    passages.count = 1;
    passages.at[0] = passage(!is_inside, dp / (dp - dq));
  } else if (discriminant > 0 && goes_there_and_back(is_inside, b, 2 * a + b)) {
    passages.count = 2;
    passages.at = {passage(!is_inside, 0), passage(is_inside, 1)};
  }
  return passages;
}

Passages passages_of(const Corner& a, const Vector& q, double dp, double dq,
                     const PolygonSide& side) {
  if (side.along_parallel) {
    if (a.along_parallel) return {};
    return across_parallel(a.at, q, dp, dq, side);
  }
  if (a.along_parallel) return along_parallel(a.at, q, dp, dq, side.normal);
  Passages passages;
  if ((dp >= 0) != (dq >= 0)) {
    passages.count = 1;
    passages.at[0] = unit(a.at + (dp / (dp - dq)) * (q - a.at));
  }
  return passages;
}

/// A cap on the sphere: what is at least so far along its axis.
struct Cap {
  Vector axis;
  double least = 1;
  bool has(const Vector& p) const {
    constexpr double rounding = 4e-16;
    return dot(axis, p) >= least - rounding;  // no numbers: none
  }
};

Cap cap_between(const Vector& a, const Vector& b) {
  const Vector axis = unit(a + b);
  return {axis, dot(axis, a)};
}

Cap cap_through(const Vector& a, const Vector& b, const Vector& c) {
  const Vector axis = unit(cross(b - a, c - a));
  const double least = dot(axis, a);
  return least < 0 ? Cap{-1.0 * axis, -least} : Cap{axis, least};
}

/// The smallest one with all corners, if they lie in a half of the sphere: a corner outside of that
/// of those before it is on the rim of the next (E. Welzl, 1991, doi:10.1007/BFb0038202).
Cap smallest_cap(std::span<const Corner> corners) {
  Cap cap{corners[0].at};
  for (std::size_t i = 1; i < corners.size(); ++i) {
    if (cap.has(corners[i].at)) continue;
    cap = {corners[i].at};
    for (std::size_t j = 0; j < i; ++j) {
      if (cap.has(corners[j].at)) continue;
      cap = cap_between(corners[i].at, corners[j].at);
      for (std::size_t k = 0; k < j; ++k) {
        if (cap.has(corners[k].at)) continue;
        cap = cap_through(corners[i].at, corners[j].at, corners[k].at);
      }
    }
  }
  return cap;
}

double nearest_along(const Vector& axis, std::span<const Corner> corners) {
  double least = 1;
  for (const Corner& corner : corners) {
    const double along = dot(axis, corner.at);
    if (!(along >= least)) least = along;
  }
  return least;
}

}  // namespace

double depth_in_half(std::span<const Corner> corners) {
  if (corners.empty()) return 1;
  Vector sum;
  for (const Corner& corner : corners) sum = sum + corner.at;
  const double depth = nearest_along(unit(sum), corners);
  constexpr double deep = 0.1;  // true for all cells of usual grids, and sufficient to decide
  return depth > deep ? depth : nearest_along(smallest_cap(corners).axis, corners);
}

bool goes_beyond(const Corner& from, const Vector& to, const PolygonSide& side) {
  const auto inside = [&](const Vector& end) { return std::max(side.distance(end), 0.0); };
  return passages_of(from, to, inside(from.at), inside(to), side).count == 2;
}

void sides_of(std::span<const Corner> corners, std::vector<PolygonSide>& sides) {
  sides.clear();
  const std::size_t n = corners.size();
  for (const bool parallels : {false, true}) {
    for (std::size_t k = 0; k < n; ++k) {
      const Vector& a = corners[k].at;
      const Vector& b = corners[k + 1 < n ? k + 1 : 0].at;
      const double up = corners[k].along_parallel && half_turn(a, b) <= 0 ? -1 : 1;
      // The area between a parallel and the equator may continue beyond the pole; the area on one
      // side of a great circle does not.
      const bool is_chord = !parallels && corners[k].along_parallel && up * a.z < 0;
      if (corners[k].along_parallel != parallels && !is_chord) continue;
      sides.push_back({parallels ? Vector{0, 0, up} : across(a, b), a, parallels});
    }
  }
}

double area_of(std::span<const Corner> corners) {
  const std::size_t n = corners.size();
  if (n < 2) return 0;
  double area = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const Vector& a = corners[k].at;
    const Vector& b = corners[k + 1 < n ? k + 1 : 0].at;
    if (k > 0 && k + 1 < n) area += triangle_area(corners[0].at, a, b);
    if (corners[k].along_parallel) area += parallel_area(a, b);
  }
  return area;
}

Vector moment_of(std::span<const Corner> corners) {
  const std::size_t n = corners.size();
  Vector moment;
  for (std::size_t k = 0; k < n; ++k) {
    const Vector& a = corners[k].at;
    const Vector& b = corners[k + 1 < n ? k + 1 : 0].at;
    moment =
        moment + (corners[k].along_parallel ? parallel_moment(a, b) : great_circle_moment(a, b));
  }
  return moment;
}

double perimeter_of(std::span<const Corner> corners) {
  const std::size_t n = corners.size();
  double sum = 0;
  for (std::size_t k = 0; k < n; ++k) {
    sum += length(corners[k + 1 < n ? k + 1 : 0].at - corners[k].at);
  }
  return sum;
}

/// Returns true if something is left.
bool Clipper::cut(const PolygonSide& side) {
  const std::size_t n = from_.size();
  distance_.resize(n);
  double least = 1;
  for (std::size_t k = 0; k < n; ++k) {
    distance_[k] = side.distance(from_[k].at);
    least = std::min(least, distance_[k]);
  }
  to_.clear();
  // Great circles between corners inside of a great circle do not leave it.
  const bool has_parallel =
      side.along_parallel ||
      std::any_of(from_.begin(), from_.end(), [](const Corner& c) { return c.along_parallel; });
  if (least >= 0 && !has_parallel) return true;
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t next = k + 1 < n ? k + 1 : 0;
    bool is_inside = distance_[k] >= 0;
    if (is_inside) to_.push_back(from_[k]);
    const Passages passages =
        passages_of(from_[k], from_[next].at, distance_[k], distance_[next], side);
    for (int p = 0; p < passages.count; ++p) {
      // Going out, it follows the side from here; coming in, its own edge.
      const bool along = is_inside ? side.along_parallel : from_[k].along_parallel;
      to_.push_back({passages.at.at(static_cast<std::size_t>(p)), along});
      is_inside = !is_inside;
    }
  }
  from_.swap(to_);
  return from_.size() >= 2;
}

std::span<const Corner> Clipper::overlap(std::span<const Corner> polygon,
                                         std::span<const PolygonSide> sides) {
  from_.assign(polygon.begin(), polygon.end());
  for (const PolygonSide& side : sides) {
    if (!cut(side)) return {};
  }
  return from_;
}

}  // namespace epios::io
