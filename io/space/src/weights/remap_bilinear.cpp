// Bilinear weights. For each target it finds the ring of source centres around it, and interpolates
// in degrees if the edges of the source are parallels, otherwise along great circles.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "config/elementary.hpp"
#include "config/index.hpp"
#include "sphere/remap_threads.hpp"
#include "weights/remap_centres.hpp"
#include "weights/remap_rows.hpp"

namespace epios::io {

namespace {

/// How far corners of neighbours may miss those of a cell, relative to its size.
constexpr double slack = 1e-6;

/// A place in the plane that touches the sphere at a point, as seen from the sphere's centre: great
/// circles are straight.
struct Place {
  double x = 0, y = 0;
};
Place operator-(const Place& a, const Place& b) { return {a.x - b.x, a.y - b.y}; }
double turn(const Place& a, const Place& b) { return a.x * b.y - a.y * b.x; }

/// Weights of the corners of a triangle that has the origin in it.
void by_triangle(std::span<const Place> corners, std::span<double> weights) {
  const double whole = turn(corners[1] - corners[0], corners[2] - corners[0]);
  for (std::size_t k = 0; k < 3; ++k) {
    weights[k] = turn(corners[(k + 1) % 3], corners[(k + 2) % 3]) / whole;
  }
}

/// Weights of the corners of a quadrilateral: a and b with origin = (1-a)(1-b) c0 + a (1-b) c1 + a
/// b c2 + (1-a) b c3, by Newton's method; false: there are none.
bool by_quadrilateral(std::span<const Place> c, std::span<double> weights) {
  double a = 0.5;
  double b = 0.5;
  constexpr int rounds = 25;
  for (int round = 0; round < rounds; ++round) {
    const auto mix = [&](double Place::*k) {
      return (1 - a) * (1 - b) * c[0].*k + a * (1 - b) * c[1].*k + a * b * c[2].*k +
             (1 - a) * b * c[3].*k;
    };
    const auto by_a = [&](double Place::*k) {
      return (1 - b) * (c[1].*k - c[0].*k) + b * (c[2].*k - c[3].*k);
    };
    const auto by_b = [&](double Place::*k) {
      return (1 - a) * (c[3].*k - c[0].*k) + a * (c[2].*k - c[1].*k);
    };
    const Place off{mix(&Place::x), mix(&Place::y)};
    const Place da{by_a(&Place::x), by_a(&Place::y)};
    const Place db{by_b(&Place::x), by_b(&Place::y)};
    const double whole = turn(da, db);
    const double step_a = turn(off, db) / whole;
    const double step_b = turn(da, off) / whole;
    a -= step_a;
    b -= step_b;
    if (std::max(std::abs(step_a), std::abs(step_b)) < 1e-14) break;
  }
  constexpr double rounding = 1e-9;
  if (!(a >= -rounding && a <= 1 + rounding && b >= -rounding && b <= 1 + rounding)) return false;
  a = std::clamp(a, 0.0, 1.0);
  b = std::clamp(b, 0.0, 1.0);
  weights[0] = (1 - a) * (1 - b);
  weights[1] = a * (1 - b);
  weights[2] = a * b;
  weights[3] = (1 - a) * b;
  return true;
}

/// Mean value coordinates (Floater 2003, doi:10.1016/S0167-8396(03)00002-5): linear fields stay
/// what they are.
void by_mean_values(std::span<const Place> c, std::span<double> weights) {
  const std::size_t n = c.size();
  const auto half_tangent = [](const Place& a, const Place& b) {
    const double lengths = std::hypot(a.x, a.y) * std::hypot(b.x, b.y);
    const double sine = turn(a, b);
    return sine / (lengths + a.x * b.x + a.y * b.y);
  };
  double sum = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const double distance = std::hypot(c[k].x, c[k].y);
    if (distance == 0) {
      std::fill(weights.begin(), weights.end(), 0.0);
      weights[k] = 1;
      return;
    }
    weights[k] =
        (half_tangent(c[(k + n - 1) % n], c[k]) + half_tangent(c[k], c[(k + 1) % n])) / distance;
    sum += weights[k];
  }
  for (double& weight : weights) weight /= sum;
}

class PointMaker {
 public:
  PointMaker(const Cells& source, const Shapes& shapes, const SpaceTree& tree,
             std::span<const Vector> centres)
      : source_(source), shapes_(shapes), tree_(tree), centres_(centres) {}

  std::span<const RowEntry> row(const Vector& point);

 private:
  /// The cell that has the point in it, of several the one with the lowest number; -1: none.
  std::int64_t cell_at(const Vector& point);
  void look_around(std::size_t cell);
  /// The cells around a corner of a cell, anticlockwise.
  void find_ring(std::size_t cell, const Vector& corner, double size);
  /// Returns true if the row can be made of the centres around one corner of a cell.
  bool around(std::size_t cell, const Vector& corner, double size, const Vector& point);
  bool has_corner(std::size_t cell, const Vector& corner, double size) const;
  void place_by_degrees(const Vector& point);
  bool place_by_circles(const Vector& point);
  bool make(bool has_round_rim);

  const Cells& source_;
  const Shapes& shapes_;
  const SpaceTree& tree_;
  std::span<const Vector> centres_;
  std::vector<PolygonSide> sides_;
  std::vector<std::uint32_t> near_, ring_;
  std::int64_t near_of_ = -1;  ///< the cell that near_ is around
  std::vector<std::pair<double, std::uint32_t>> angles_;
  std::array<std::vector<std::uint32_t>, 2> pole_rings_;  ///< south, north: of thousands of columns
  std::vector<Place> places_;
  std::vector<double> weights_;
  std::vector<RowEntry> row_;
};

SpaceBox box_at(const Vector& p, double size) {
  const auto low = [&](double v) { return static_cast<float>(v - size - 1e-7); };
  const auto high = [&](double v) { return static_cast<float>(v + size + 1e-7); };
  return {{low(p.x), low(p.y), low(p.z)}, {high(p.x), high(p.y), high(p.z)}};
}

bool is_in(std::span<const PolygonSide> sides, const Vector& point) {
  constexpr double rounding = 1e-15;
  return std::all_of(sides.begin(), sides.end(), [&](const PolygonSide& side) {
    return side.distance(point) >= -rounding * (side.along_parallel ? 1 : length(side.normal));
  });
}

std::int64_t PointMaker::cell_at(const Vector& point) {
  std::int64_t found = -1;
  tree_.visit(box_at(point, 0), [&](std::uint32_t number) {
    const Piece& piece = shapes_.pieces()[number];
    sides_of(shapes_.corners(piece), sides_);
    // Sides are whole great circles: a triangle has its opposite on the other side of the sphere.
    if (!is_in(sides_, point) || dot(point, shapes_.corners(piece)[0].at) < -0.5) return;
    if (found < 0 || source_.number(piece.cell) < source_.number(static_cast<std::size_t>(found))) {
      found = piece.cell;
    }
  });
  return found;
}

void PointMaker::look_around(std::size_t cell) {
  near_.clear();
  for (const Piece& piece : shapes_.pieces_of(cell)) {
    SpaceBox box = nth(shapes_.bounds(), &piece - shapes_.pieces().data());
    for (std::size_t k = 0; k < 3; ++k) {
      const float more = 1e-5F * (box.high.at(k) - box.low.at(k)) + 1e-7F;
      box.low.at(k) -= more;
      box.high.at(k) += more;
    }
    tree_.visit(box, [&](std::uint32_t n) { near_.push_back(shapes_.pieces()[n].cell); });
  }
  std::sort(near_.begin(), near_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return source_.number(a) < source_.number(b);
  });
  near_.erase(std::unique(near_.begin(), near_.end()), near_.end());
}

bool PointMaker::has_corner(std::size_t cell, const Vector& corner, double size) const {
  for (const Piece& piece : shapes_.pieces_of(cell)) {
    const auto corners = shapes_.corners(piece);
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const Vector& a = corners[k].at;
      const Vector& b = corners[k + 1 < corners.size() ? k + 1 : 0].at;
      if (length(corner - a) <= slack * size) return true;
      // A corner of one may lie on an edge of the other.
      const double part = dot(corner - a, b - a) / dot(b - a, b - a);
      if (!(part > 0 && part < 1)) continue;
      double off = length(corner - (a + part * (b - a)));
      // A parallel leaves its straight line, but not by its own length.
      if (corners[k].along_parallel && off < length(b - a)) off = std::abs(corner.z - a.z);
      if (off <= slack * size) return true;
    }
  }
  return false;
}

void PointMaker::find_ring(std::size_t cell, const Vector& corner, double size) {
  if (std::exchange(near_of_, static_cast<std::int64_t>(cell)) != static_cast<std::int64_t>(cell)) {
    look_around(cell);
  }
  const Vector axis = std::abs(corner.z) < 0.8 ? Vector{0, 0, 1} : Vector{1, 0, 0};
  const Vector u = unit(cross(axis, corner));
  const Vector v = cross(corner, u);
  angles_.clear();
  for (const std::uint32_t other : near_) {
    const Vector& centre = centres_[other];
    if (!(dot(centre, centre) > 0) || !has_corner(other, corner, size)) continue;
    const Vector d = centre - corner;
    angles_.emplace_back(config::arc_tangent(dot(d, v), dot(d, u)), other);
  }
  // The cells in near_ are in the order of their numbers.
  std::stable_sort(angles_.begin(), angles_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  ring_.clear();
  for (const auto& [angle, other] : angles_) ring_.push_back(other);
}

bool PointMaker::around(std::size_t cell, const Vector& corner, double size, const Vector& point) {
  constexpr double pole = 1 - 1e-12;
  const bool is_pole = std::abs(corner.z) > pole;
  std::vector<std::uint32_t>& pole_ring = pole_rings_.at(corner.z > 0 ? 1 : 0);
  if (is_pole && !pole_ring.empty()) {
    ring_ = pole_ring;
  } else {
    find_ring(cell, corner, size);
    if (is_pole) pole_ring = ring_;
  }
  if (ring_.size() < 3) return false;
  if (source_.edges == Edges::parallels && !is_pole) {
    place_by_degrees(point);
  } else if (!place_by_circles(point)) {
    return false;
  }
  return make(is_pole && source_.edges == Edges::parallels);
}

/// Longitudes and latitudes as seen from the point: rows of boxes are rectangles there.
void PointMaker::place_by_degrees(const Vector& point) {
  const double lon = config::arc_tangent(point.y, point.x);
  const double lat = config::arc_tangent(point.z, std::hypot(point.x, point.y));
  places_.clear();
  for (const std::uint32_t cell : ring_) {
    const Vector& c = centres_[cell];
    places_.push_back({std::remainder(config::arc_tangent(c.y, c.x) - lon, 2 * std::numbers::pi),
                       config::arc_tangent(c.z, std::hypot(c.x, c.y)) - lat});
  }
}

bool PointMaker::place_by_circles(const Vector& point) {
  const Vector axis = std::abs(point.z) < 0.8 ? Vector{0, 0, 1} : Vector{1, 0, 0};
  const Vector u = unit(cross(axis, point));
  const Vector v = cross(point, u);
  places_.clear();
  for (const std::uint32_t cell : ring_) {
    const double up = dot(centres_[cell], point);
    if (!(up > 0)) return false;
    places_.push_back({dot(centres_[cell], u) / up, dot(centres_[cell], v) / up});
  }
  return true;
}

/// Weights of places_, the point being the origin. `has_round_rim`: what lies between the straight
/// edge of the ring and the parallel through its centres belongs to the edge.
bool PointMaker::make(bool has_round_rim) {
  const std::size_t n = ring_.size();
  weights_.assign(n, 0);
  std::size_t beyond = n;
  for (std::size_t k = 0; k < n; ++k) {
    const Place& a = places_[k];
    const Place& b = places_[(k + 1) % n];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    if (turn(a, b) >= -1e-12 * length * length) continue;
    if (!has_round_rim || beyond < n) return false;
    beyond = k;
  }
  if (beyond < n) {
    const Place& a = places_[beyond];
    const Place d = places_[(beyond + 1) % n] - a;
    const double part = -(a.x * d.x + a.y * d.y) / (d.x * d.x + d.y * d.y);
    weights_[beyond] = 1 - std::clamp(part, 0.0, 1.0);
    weights_[(beyond + 1) % n] = std::clamp(part, 0.0, 1.0);
  } else if (n == 3) {
    by_triangle(places_, weights_);
  } else if (n != 4 || !by_quadrilateral(places_, weights_)) {
    by_mean_values(places_, weights_);
  }
  row_.clear();
  for (std::size_t k = 0; k < n; ++k) {
    if (!std::isfinite(weights_[k])) return false;
    if (weights_[k] != 0) row_.push_back({source_.number(ring_[k]), weights_[k], weights_[k]});
  }
  merge(row_);
  make_sum_one(row_, &RowEntry::weight);
  return true;
}

std::span<const RowEntry> PointMaker::row(const Vector& point) {
  row_.clear();
  const std::int64_t cell = cell_at(point);
  if (cell < 0) return row_;
  const auto own = static_cast<std::size_t>(cell);
  for (const Piece& piece : shapes_.pieces_of(own)) {
    const auto corners = shapes_.corners(piece);
    const double size = perimeter_of(corners);
    for (const Corner& corner : corners) {
      if (around(own, corner.at, size, point)) return row_;
    }
  }
  // At the rim of the grid there are no centres on all sides.
  row_.assign(1, {source_.number(own), 1, 1});
  return row_;
}

}  // namespace

Weights bilinear_weights(const Cells& source, const Cells& target, const RemapOptions& options) {
  const Shapes sources(source, Shapes::BoxCorners::also, options.threads);
  const Shapes targets(target, Shapes::BoxCorners::none, options.threads);
  const std::vector<Vector> from = centres_of(source, sources, options.threads);
  const std::vector<Vector> to = centres_of(target, targets, options.threads);
  const SpaceTree tree(sources.bounds());
  std::vector<RowList> lists(static_cast<std::size_t>(std::max(1, options.threads)));
  in_shares(options.threads, to.size(), [&](std::size_t share, std::size_t begin, std::size_t end) {
    PointMaker maker(source, sources, tree, from);
    for (std::size_t c = begin; c < end; ++c) {
      if (dot(to[c], to[c]) == 0) continue;
      const auto row = maker.row(to[c]);
      if (!row.empty()) lists[share].add(c, row, 1);
    }
  });
  return assembled(target, std::move(lists), false);
}

}  // namespace epios::io
