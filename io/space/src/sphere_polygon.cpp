#include "sphere_polygon.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace epios::io {

namespace {

/// Where an edge passes a side, in the order of the edge.
struct Passages {
  std::array<Vector, 2> at;
  int count = 0;
};

/// Roots of a x^2 + b x + c between 0 and 1, ascending.
struct Roots {
  std::array<double, 2> at{};
  int count = 0;
};
Roots roots_inside(double a, double b, double c) {
  Roots roots;
  const double discriminant = b * b - 4 * a * c;
  if (discriminant < 0) return roots;
  const double w = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
  const auto add = [&](double above, double below) {
    const double x = above / below;  // may be infinite, or no number
    if (x > 0 && x < 1) roots.at.at(static_cast<std::size_t>(roots.count++)) = x;
  };
  add(w, a);
  add(c, w);
  if (roots.count == 2 && roots.at[0] > roots.at[1]) std::swap(roots.at[0], roots.at[1]);
  return roots;
}

/// The one passage that there must be: of two roots that rounding leaves the nearer to the straight
/// guess, which serves where it leaves none.
double only_root(const Roots& roots, double guess) {
  if (roots.count == 0) return guess;
  if (roots.count == 1) return roots.at[0];
  return std::abs(roots.at[0] - guess) < std::abs(roots.at[1] - guess) ? roots.at[0] : roots.at[1];
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
Passages across_parallel(const Vector& p, const Vector& q, double dp, double dq, double z) {
  const Vector d = q - p;
  const Vector n = across(p, q);
  const double flat = n.x * n.x + n.y * n.y;
  const double discriminant = flat - z * z * (flat + n.z * n.z);
  std::array<Vector, 2> found{};
  Roots roots;
  if (discriminant >= 0 && flat > 0) {
    const double middle = -n.z * z / flat;
    const double aside = std::sqrt(discriminant) / flat;
    for (const double s : {-aside, aside}) {
      const Vector x{middle * n.x - s * n.y, middle * n.y + s * n.x, z};
      const double t = dot(x - p, d) / dot(d, d);
      // The other half of the great circle looks the same from here.
      if (!(t > 0 && t < 1 && dot(x, p + q) > 0)) continue;
      found.at(static_cast<std::size_t>(roots.count)) = x;
      roots.at.at(static_cast<std::size_t>(roots.count++)) = t;
    }
  }
  if (roots.count == 2 && roots.at[0] > roots.at[1]) {
    std::swap(roots.at[0], roots.at[1]);
    std::swap(found[0], found[1]);
  }
  Passages passages;
  if ((dp >= 0) != (dq >= 0)) {
    const double guess = dp / (dp - dq);
    const double t = only_root(roots, guess);
    passages.count = 1;
    passages.at[0] = roots.count > 0 ? found.at(roots.count == 2 && t == roots.at[1] ? 1 : 0)
                                     : on_parallel(p + guess * d, z);
  } else if (roots.count == 2) {
    passages.count = 2;
    passages.at = found;
  }
  return passages;
}

/// The edge is a parallel, the side a great circle: by the tangent of half the way, in parts of the
/// whole way's.
Passages along_parallel(const Vector& p, const Vector& q, double dp, double dq, const Vector& n) {
  const double whole = half_turn(p, q);
  const double in = n.x * p.x + n.y * p.y;
  const double over = n.y * p.x - n.x * p.y;
  const Roots roots = roots_inside((dp - 2 * in) * whole * whole, 2 * over * whole, dp);
  const auto point = [&](double part) {
    const double t = part * whole;
    const double scale = 1 / (1 + t * t);
    const double c = (1 - t * t) * scale;
    const double s = 2 * t * scale;
    return Vector{c * p.x - s * p.y, s * p.x + c * p.y, p.z};
  };
  Passages passages;
  if ((dp >= 0) != (dq >= 0)) {
    passages.count = 1;
    passages.at[0] = point(only_root(roots, dp / (dp - dq)));
  } else if (roots.count == 2) {
    passages.count = 2;
    passages.at = {point(roots.at[0]), point(roots.at[1])};
  }
  return passages;
}

Passages passages_of(const Corner& a, const Vector& q, double dp, double dq, const Side& side) {
  if (side.along_parallel) {
    if (a.along_parallel) return {};
    return across_parallel(a.at, q, dp, dq, side.on.z);
  }
  if (a.along_parallel) return along_parallel(a.at, q, dp, dq, side.normal);
  Passages passages;
  if ((dp >= 0) != (dq >= 0)) {
    passages.count = 1;
    passages.at[0] = unit(a.at + (dp / (dp - dq)) * (q - a.at));
  }
  return passages;
}

}  // namespace

void sides_of(std::span<const Corner> corners, std::vector<Side>& sides) {
  sides.clear();
  const std::size_t n = corners.size();
  for (const bool parallels : {false, true}) {
    for (std::size_t k = 0; k < n; ++k) {
      if (corners[k].along_parallel != parallels) continue;
      const Vector& a = corners[k].at;
      const Vector& b = corners[k + 1 < n ? k + 1 : 0].at;
      const Vector normal =
          parallels ? Vector{0, 0, half_turn(a, b) > 0 ? 1.0 : -1.0} : across(a, b);
      sides.push_back({normal, a, parallels});
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

/// Whether something is left.
bool Clipper::cut(const Side& side) {
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
                                         std::span<const Side> sides) {
  from_.assign(polygon.begin(), polygon.end());
  for (const Side& side : sides) {
    if (!cut(side)) return {};
  }
  return from_;
}

}  // namespace epios::io
