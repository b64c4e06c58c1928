// Turns cells into convex shapes for clipping. It cleans the corners, decides whether a cell is a
// box, a convex polygon or none, and cuts others into triangles. Invalid cells get their defect.
#include "sphere/sphere_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "config/elementary.hpp"
#include "sphere/remap_threads.hpp"

namespace epios::io {

namespace {

/// Corners nearer than their own rounding are one.
constexpr double point_rounding = 4 * std::numeric_limits<double>::epsilon();
constexpr double widest_piece = 90;
/// Corners nearer to the rim of a half of the sphere do not tell which side of it is meant: what
/// edges have in common there is only good to their rounding over its square.
constexpr double least_depth = 1e-4;

bool is_one(const Vector& a, const Vector& b) {
  const Vector d = b - a;
  return std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)}) <= point_rounding;
}

bool is_finite(std::span<const double> lon, std::span<const double> lat) {
  constexpr double beyond_pole = 90.001;  // numbers of single precision pass it a little
  for (std::size_t k = 0; k < lon.size(); ++k) {
    if (!std::isfinite(lon[k]) || !(std::abs(lat[k]) <= beyond_pole)) return false;
  }
  return true;
}

/// Returns true if all corners, and all edges between them, lie inside of all sides, except for
/// rounding.
bool is_convex_polygon(std::span<const Corner> corners, std::span<const PolygonSide> sides) {
  const bool has_parallel =
      std::any_of(corners.begin(), corners.end(), [](const Corner& c) { return c.along_parallel; });
  const std::size_t n = corners.size();
  for (const PolygonSide& side : sides) {
    const double least = -point_rounding * (side.along_parallel ? 1 : length(side.normal));
    for (std::size_t k = 0; k < n; ++k) {
      if (side.distance(corners[k].at) < least) return false;
      const Corner& next = corners[k + 1 < n ? k + 1 : 0];
      if (has_parallel && goes_beyond(corners[k], next.at, side)) return false;
    }
  }
  return true;
}

double volume(const Vector& a, const Vector& b, const Vector& c) {
  return dot(a, cross(b - a, c - a));
}

/// Returns true if corners that lie inside of all sides go round once: seen from the first corner,
/// each next one is further to the left than all before it.
bool goes_round_once(std::span<const Corner> corners) {
  constexpr std::size_t least_of_two_rounds = 6;
  const std::size_t n = corners.size();
  if (n < least_of_two_rounds) return true;
  const Vector& first = corners[0].at;
  for (std::size_t k = 2; k < n; ++k) {
    for (std::size_t j = 1; j < k; ++j) {
      const double rounding = point_rounding * length(corners[j].at - first);
      if (volume(first, corners[j].at, corners[k].at) < -rounding) return false;
    }
  }
  return true;
}

/// Sums over all edges along parallels.
struct Turn {
  double east = 0;  ///< eastwards minus westwards
  double all = 0;   ///< either way
};
Turn turn_of_parallels(std::span<const Corner> corners) {
  Turn turn;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    if (!corners[k].along_parallel) continue;
    const double own =
        2 * config::arc_tangent(half_turn(corners[k].at, corners[(k + 1) % corners.size()].at));
    turn.east += own;
    turn.all += std::abs(own);
  }
  return turn;
}

/// Returns true if a point lies on an edge, except for rounding.
bool is_on_edge(const Vector& p, const Vector& a, const Vector& b) {
  const Vector d = b - a;
  const double part = std::clamp(dot(p - a, d) / dot(d, d), 0.0, 1.0);
  return is_one(unit(a + part * d), p);
}

bool is_inside(const Vector& p, const Vector& a, const Vector& b, const Vector& c) {
  return volume(a, b, p) > 0 && volume(b, c, p) > 0 && volume(c, a, p) > 0;
}

/// Returns true if corner k can be cut off: it turns left, and no other corner lies in its
/// triangle.
bool is_ear(const std::vector<Vector>& ring, std::size_t k) {
  const std::size_t n = ring.size();
  const Vector& a = ring[(k + n - 1) % n];
  const Vector& b = ring[k];
  const Vector& c = ring[(k + 1) % n];
  if (!(volume(a, b, c) > 0)) return false;
  return std::none_of(ring.begin(), ring.end(),
                      [&](const Vector& p) { return is_inside(p, a, b, c); });
}

/// One that can be cut off; else, as nothing else is left of what crosses itself or lies on a line,
/// the flattest.
std::size_t next_ear(const std::vector<Vector>& ring) {
  const std::size_t n = ring.size();
  std::size_t flattest = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < n; ++k) {
    if (is_ear(ring, k)) return k;
    const double size = std::abs(volume(ring[(k + n - 1) % n], ring[k], ring[(k + 1) % n]));
    if (size < least) {
      least = size;
      flattest = k;
    }
  }
  return flattest;
}

float rounded_down(double value) {
  return std::nextafter(static_cast<float>(value), -std::numeric_limits<float>::infinity());
}
float rounded_up(double value) {
  return std::nextafter(static_cast<float>(value), std::numeric_limits<float>::infinity());
}

}  // namespace

void triangulate(std::span<const Corner> polygon, Triangles& triangles) {
  triangles.positive.clear();
  triangles.negative.clear();
  std::vector<Vector> ring;
  ring.reserve(polygon.size());
  for (const Corner& corner : polygon) ring.push_back(corner.at);
  while (ring.size() >= 3) {
    const std::size_t k = next_ear(ring);
    const std::size_t n = ring.size();
    const Vector& a = ring[(k + n - 1) % n];
    const Vector& b = ring[k];
    const Vector& c = ring[(k + 1) % n];
    const double size = volume(a, b, c);
    if (size > 0) {
      triangles.positive.insert(triangles.positive.end(), {{a, false}, {b, false}, {c, false}});
    } else if (size < 0) {
      triangles.negative.insert(triangles.negative.end(), {{a, false}, {c, false}, {b, false}});
    }
    ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(k));
  }
}

CellKind CellOutline::look(std::size_t cell) {
  const auto first = static_cast<std::size_t>(cells_.offsets[cell]);
  const std::size_t count = static_cast<std::size_t>(cells_.offsets[cell + 1]) - first;
  const auto lon = std::span(cells_.lon).subspan(first, count);
  const auto lat = std::span(cells_.lat).subspan(first, count);
  is_box_ = false;
  was_clockwise_ = false;
  goes_round_again_ = false;
  corners_.clear();
  if (!is_finite(lon, lat)) return CellKind::not_finite;
  if (cells_.edges == Edges::parallels) {
    if (const auto box = box_of(lon, lat, is_turned_)) {
      is_box_ = is_convex_ = true;
      box_ = {box->west, box->width, std::max(box->south, -90.0), std::min(box->north, 90.0)};
      const bool crosses = box->west != *std::min_element(lon.begin(), lon.end());  // the date line
      was_clockwise_ = (area_in_plane(lon, lat) < 0) != crosses;
      return box_.north > box_.south ? CellKind::good : CellKind::no_area;
    }
  }
  return look_at_polygon(lon, lat);
}

CellKind CellOutline::look_at_polygon(std::span<const double> lon, std::span<const double> lat) {
  const bool parallels = cells_.edges == Edges::parallels;
  // An edge belongs to the corner before it: what is merged hands on the edge of the last.
  const auto follows = [&](std::size_t k) {
    const std::size_t next = k + 1 < lat.size() ? k + 1 : 0;
    return parallels && lat[k] == lat[next] && lat[k] != 0 && std::abs(lat[k]) < 90;
  };
  for (std::size_t k = 0; k < lon.size(); ++k) {
    const Vector p = point_at(lon[k], lat[k]);
    if (!corners_.empty() && is_one(corners_.back().at, p)) {
      corners_.back().along_parallel = follows(k) && corners_.back().at.z == p.z;
    } else {
      corners_.push_back({p, follows(k)});
    }
    if (!follows(k)) continue;
    // A parallel of half a turn may go either way round: as its longitudes do.
    constexpr double long_turn = 170;
    const double turn = std::remainder(lon[k + 1 < lon.size() ? k + 1 : 0] - lon[k], 360);
    if (std::abs(turn) <= long_turn) continue;
    corners_.push_back({point_at(lon[k] + turn / 2, lat[k]), true});
  }
  while (corners_.size() > 1 && is_one(corners_.front().at, corners_.back().at)) {
    corners_.pop_back();
  }
  leave_out_spikes();
  if (corners_.size() < 3) return CellKind::few_corners;
  leave_out_turns();
  // Merging may have left an edge between different latitudes.
  const auto straighten = [&] {
    for (std::size_t k = 0; k < corners_.size(); ++k) {
      const std::size_t next = k + 1 < corners_.size() ? k + 1 : 0;
      if (corners_[k].at.z != corners_[next].at.z) corners_[k].along_parallel = false;
    }
  };
  straighten();
  const Turn turn = turn_of_parallels(corners_);
  const bool is_cap = std::abs(turn.east) > 1.5 * std::numbers::pi &&
                      std::all_of(corners_.begin(), corners_.end(),
                                  [](const Corner& c) { return c.along_parallel; });
  if (is_cap) {
    // Uses the first corner as given, in case it has been left out.
    const double z = corners_[0].at.z;
    std::size_t k = 0;
    while (k + 1 < lat.size() &&
           !(follows(k) && std::abs(point_at(lon[k], lat[k]).z - z) <= point_rounding)) {
      ++k;
    }
    goes_round_again_ =
        goes_round_again_ || turn.all > 2 * std::numbers::pi * (1 + 4 * point_rounding);
    was_clockwise_ = turn.east * z < 0;
    is_box_ = is_convex_ = true;
    box_ = z > 0 ? LatLonBox{0, 360, lat[k], 90} : LatLonBox{0, 360, -90, lat[k]};
    return CellKind::good;
  }
  if (!(depth_in_half(corners_) > least_depth)) return CellKind::half_sphere;
  const double area = epios::io::area_of(corners_);
  const double rounding = point_rounding * perimeter_of(corners_);
  if (std::abs(area) <= rounding) return CellKind::no_area;
  if (area < 0) {
    was_clockwise_ = true;
    std::reverse(corners_.begin(), corners_.end());
    const bool first = corners_.front().along_parallel;
    for (std::size_t k = 0; k + 1 < corners_.size(); ++k) {
      corners_[k].along_parallel = corners_[k + 1].along_parallel;
    }
    corners_.back().along_parallel = first;
  }
  sides_of(corners_, sides_);
  // A parallel may cut off the longer way around the pole, which is not known here.
  is_convex_ = is_convex_polygon(corners_, sides_) && goes_round_once(corners_) &&
               std::abs(turn.east) <= std::numbers::pi * (1 + point_rounding);
  return CellKind::good;
}

/// Corners from which an edge goes back to where the one before came from.
void CellOutline::leave_out_spikes() {
  for (std::size_t k = 0; k < corners_.size() && corners_.size() >= 3;) {
    const std::size_t n = corners_.size();
    const std::size_t before = (k + n - 1) % n;
    const std::size_t next = (k + 1) % n;
    if (!is_one(corners_[before].at, corners_[next].at)) {
      ++k;
      continue;
    }
    corners_[before] = corners_[next];
    for (const std::size_t gone : {std::max(k, next), std::min(k, next)}) {
      corners_.erase(corners_.begin() + static_cast<std::ptrdiff_t>(gone));
    }
    k = 0;
  }
}

/// A polygon that goes round several times is one that does so once.
void CellOutline::leave_out_turns() {
  const std::size_t n = corners_.size();
  for (std::size_t once = 3; once <= n / 2; ++once) {
    if (n % once != 0) continue;
    bool is_repeated = true;
    for (std::size_t k = once; k < n && is_repeated; ++k) {
      is_repeated = is_one(corners_[k].at, corners_[k - once].at);
    }
    if (!is_repeated) continue;
    corners_.resize(once);
    goes_round_again_ = true;
    return;
  }
}

bool CellOutline::is_crossed() const {
  const std::size_t n = corners_.size();
  if (goes_round_again_) return true;
  if (is_box_ || is_convex_) return false;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 2; j < n; ++j) {
      if (i == 0 && j + 1 == n) continue;
      const Vector& a = corners_[i].at;
      const Vector& b = corners_[i + 1].at;
      const Vector& c = corners_[j].at;
      const Vector& d = corners_[(j + 1) % n].at;
      if (is_on_edge(a, c, d) || is_on_edge(b, c, d) || is_on_edge(c, a, b) ||
          is_on_edge(d, a, b)) {
        return true;
      }
      if (volume(a, b, c) * volume(a, b, d) < 0 && volume(c, d, a) * volume(c, d, b) < 0 &&
          dot(a + b, c + d) > 0) {
        return true;
      }
    }
  }
  return false;
}

bool mostly_clockwise(const Cells& cells) {
  return cells.clockwise ? *cells.clockwise : clockwise_votes(cells) < 0;
}

std::int64_t clockwise_votes(const Cells& cells) {
  if (cells.edges != Edges::parallels) return 0;
  std::int64_t left = 0;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const auto first = static_cast<std::size_t>(cells.offsets[c]);
    const std::size_t count = static_cast<std::size_t>(cells.offsets[c + 1]) - first;
    const auto lon = std::span(cells.lon).subspan(first, count);
    if (count == 0) continue;
    // Across the date line the plane says nothing.
    const auto [west, east] = std::minmax_element(lon.begin(), lon.end());
    if (!(*east - *west <= 180)) continue;
    const double area = area_in_plane(lon, std::span(cells.lat).subspan(first, count));
    if (area > 0) ++left;
    if (area < 0) --left;
  }
  return left;
}

SpaceBox space_box(std::span<const Corner> corners) {
  Vector low{2, 2, 2};
  Vector high{-2, -2, -2};
  Vector sum;
  for (const Corner& corner : corners) {
    const Vector& p = corner.at;
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    sum = sum + p;
  }
  // All lies in the cap around the corners, so that it bulges no further than that.
  const bool is_round_about = length(sum) < 0.2 * static_cast<double>(corners.size());
  const Vector middle = is_round_about ? Vector{} : unit(sum);
  double nearest = 1;
  double bulge = 0;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Vector& p = corners[k].at;
    nearest = std::min(nearest, dot(middle, p));
    if (corners[k].along_parallel) {
      const double t = half_turn(p, corners[k + 1 < corners.size() ? k + 1 : 0].at);
      bulge = std::max(bulge, std::hypot(p.x, p.y) * (1 - 1 / std::hypot(1.0, t)));
    }
  }
  bulge = std::max(bulge, 1 - nearest);
  if (!(nearest > 0.2)) bulge = 2;  // too large for the estimate
  constexpr double rounding = 1e-15;
  bulge += rounding;
  return {{rounded_down(low.x - bulge), rounded_down(low.y - bulge), rounded_down(low.z - bulge)},
          {rounded_up(high.x + bulge), rounded_up(high.y + bulge), rounded_up(high.z + bulge)}};
}

/// Makes the shapes of a share of the cells.
class ShapeMaker {
 public:
  ShapeMaker(const Cells& cells, bool is_turned, Shapes::BoxCorners box_corners)
      : cells_(cells), outline_(cells, is_turned), box_corners_(box_corners) {}

  void add(std::size_t cell) {
    if (!cells_.counts(cell) || outline_.look(cell) != CellKind::good) return;
    if (outline_.is_box()) {
      add_box(cell, outline_.box());
    } else if (outline_.is_convex()) {
      add_polygon(cell, outline_.corners(), false);
    } else {
      triangulate(outline_.corners(), triangles_);
      add_triangles(cell, triangles_.positive, false);
      add_triangles(cell, triangles_.negative, true);
    }
  }

  std::vector<Piece> pieces;
  std::vector<Corner> corners;
  std::vector<SpaceBox> bounds;
  bool has_only_boxes = true;

 private:
  void add_box(std::size_t cell, const LatLonBox& box) {
    if (box.south < 0 && box.north - box.south > widest_piece) {
      add_box(cell, {box.west, box.width, box.south, 0});
      add_box(cell, {box.west, box.width, 0, box.north});
      return;
    }
    const double parts = std::ceil(box.width / widest_piece);
    for (double k = 0; k < parts; ++k) {
      const double west = box.width * k / parts;
      const double east = box.width * (k + 1) / parts;
      const LatLonBox part{box.west + west, east - west, box.south, box.north};
      corners_of(part, directions_, box_);
      bounds.push_back(space_box(box_));
      Piece piece{static_cast<std::uint32_t>(cell), true, false, 0, corners.size(), part};
      if (box_corners_ == Shapes::BoxCorners::also) {
        piece.corners = static_cast<std::uint32_t>(box_.size());
        corners.insert(corners.end(), box_.begin(), box_.end());
      }
      pieces.push_back(piece);
    }
  }
  void add_triangles(std::size_t cell, std::span<const Corner> triangles, bool is_negative) {
    for (std::size_t t = 0; t + 3 <= triangles.size(); t += 3) {
      add_polygon(cell, triangles.subspan(t, 3), is_negative);
    }
  }
  void add_polygon(std::size_t cell, std::span<const Corner> polygon, bool is_negative) {
    has_only_boxes = false;
    bounds.push_back(space_box(polygon));
    pieces.push_back({static_cast<std::uint32_t>(cell),
                      false,
                      is_negative,
                      static_cast<std::uint32_t>(polygon.size()),
                      corners.size(),
                      {}});
    corners.insert(corners.end(), polygon.begin(), polygon.end());
  }

  const Cells& cells_;
  CellOutline outline_;
  Shapes::BoxCorners box_corners_;
  Triangles triangles_;
  std::vector<Corner> box_;
  RecentDirections directions_;
};

Shapes::Shapes(const Cells& cells, BoxCorners box_corners, int threads) {
  const bool is_turned = mostly_clockwise(cells);
  std::vector<ShapeMaker> makers(static_cast<std::size_t>(std::max(1, threads)),
                                 ShapeMaker(cells, is_turned, box_corners));
  in_shares(threads, cells.size(), [&](std::size_t share, std::size_t begin, std::size_t end) {
    ShapeMaker& maker = makers[share];
    maker.pieces.reserve(end - begin);
    maker.bounds.reserve(end - begin);
    for (std::size_t cell = begin; cell < end; ++cell) maker.add(cell);
  });
  first_.assign(cells.size() + 1, 0);
  for (ShapeMaker& maker : makers) {
    for (Piece& piece : maker.pieces) {
      piece.first += corners_.size();
      ++first_[piece.cell + 1];
    }
    corners_.insert(corners_.end(), maker.corners.begin(), maker.corners.end());
    if (pieces_.empty()) {
      pieces_ = std::move(maker.pieces);
      bounds_ = std::move(maker.bounds);
    } else {
      pieces_.insert(pieces_.end(), maker.pieces.begin(), maker.pieces.end());
      bounds_.insert(bounds_.end(), maker.bounds.begin(), maker.bounds.end());
    }
    has_only_boxes_ = has_only_boxes_ && maker.has_only_boxes;
  }
  for (std::size_t c = 0; c < cells.size(); ++c) first_[c + 1] += first_[c];
}

bool are_boxes(const Cells& cells) {
  if (cells.edges != Edges::parallels) return false;
  CellOutline outline(cells, mostly_clockwise(cells));
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (cells.counts(c) && outline.look(c) == CellKind::good && !outline.is_box()) return false;
  }
  return true;
}

double area_of(const Shapes& shapes, std::size_t cell) {
  double area = 0;
  for (const Piece& piece : shapes.pieces_of(cell)) {
    const double part = piece.is_box ? area_of(piece.box) : area_of(shapes.corners(piece));
    area += piece.is_negative ? -part : part;
  }
  return std::max(area, 0.0);  // where nothing is left, rounding may go below
}

Vector moment_of(const Shapes& shapes, std::size_t cell) {
  Vector moment;
  for (const Piece& piece : shapes.pieces_of(cell)) {
    const Vector part = piece.is_box ? moment_of(piece.box) : moment_of(shapes.corners(piece));
    moment = piece.is_negative ? moment - part : moment + part;
  }
  return moment;
}

}  // namespace epios::io
