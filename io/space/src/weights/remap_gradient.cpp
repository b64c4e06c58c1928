// Gradients for conservative weights of second order. It finds the neighbours of each source cell
// that share an edge with it, and makes the gradient of the cell from their values.
#include "weights/remap_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "config/elementary.hpp"
#include "sphere/remap_threads.hpp"
#include "sphere/sphere_tree.hpp"

namespace epios::io {

namespace {

constexpr double beyond_sphere = 1.0001;
/// How far corners of two cells may miss each other, relative to an edge.
constexpr double box_slack = 1e-6;

bool share_a_side(const LatLonBox& a, const LatLonBox& b) {
  const double lon_slack = box_slack * std::min(a.width, b.width);
  const double lat_slack = box_slack * std::min(a.north - a.south, b.north - b.south);
  const double shift = std::remainder(b.west - a.west, 360.0);
  const double lat_overlap = std::min(a.north, b.north) - std::max(a.south, b.south);
  if (lat_overlap > lat_slack) {
    return std::abs(std::remainder(shift - a.width, 360.0)) <= lon_slack ||
           std::abs(std::remainder(shift + b.width, 360.0)) <= lon_slack;
  }
  if (lat_overlap < -lat_slack) return false;
  double lon_overlap = 0;
  for (const double turn : {-360.0, 0.0, 360.0}) {
    lon_overlap = std::max(lon_overlap,
                           std::min(a.width, shift + turn + b.width) - std::max(0.0, shift + turn));
  }
  // At a pole they meet in a point.
  const double lat = a.north <= b.south + lat_slack ? a.north : a.south;
  return lon_overlap > lon_slack && std::abs(lat) < 90 - lat_slack;
}

bool share_an_edge(const Vector& a, const Vector& b, const Vector& c, const Vector& d) {
  const Vector along = b - a;
  const double square = dot(along, along);
  if (square == 0) return false;
  const Vector n = across(a, b);
  const double most = box_slack * std::sqrt(square) * length(n);
  if (std::abs(dot(n, c - a)) > most || std::abs(dot(n, d - a)) > most) return false;
  const double tc = dot(c - a, along) / square;
  const double td = dot(d - a, along) / square;
  constexpr double shared = 1e-3;
  return std::min(1.0, std::max(tc, td)) - std::max(0.0, std::min(tc, td)) > shared;
}

/// How far east of one meridian another one is, in turns of -1/2 to 1/2.
double turn_between(const Vector& a, const Vector& b) {
  return config::arc_tangent(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y) / (2 * std::numbers::pi);
}

/// Edges that follow parallels leave their chords, which say nothing of what they share.
bool share_a_parallel(const Vector& a, const Vector& b, const Vector& c, const Vector& d) {
  if (std::abs(a.z - c.z) > box_slack * length(b - a)) return false;
  const double end = turn_between(a, b);
  const double c_at = turn_between(a, c);
  const double d_at = c_at + turn_between(c, d);
  const double overlap = std::min(std::max(0.0, end), std::max(c_at, d_at)) -
                         std::max(std::min(0.0, end), std::min(c_at, d_at));
  constexpr double shared = 1e-3;
  return overlap > shared * std::abs(end);
}

bool share_an_edge(std::span<const Corner> a, std::span<const Corner> b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Vector& p = a[i].at;
    const Vector& q = a[i + 1 < a.size() ? i + 1 : 0].at;
    for (std::size_t k = 0; k < b.size(); ++k) {
      const Vector& r = b[k].at;
      const Vector& s = b[k + 1 < b.size() ? k + 1 : 0].at;
      const bool are_parallels = a[i].along_parallel && b[k].along_parallel;
      if (are_parallels ? share_a_parallel(p, q, r, s) : share_an_edge(p, q, r, s)) return true;
    }
  }
  return false;
}

SpaceBox widened(SpaceBox box) {
  for (std::size_t k = 0; k < 3; ++k) {
    const float more = 1e-5F * (box.high.at(k) - box.low.at(k)) + 1e-7F;
    box.low.at(k) -= more;
    box.high.at(k) += more;
  }
  return box;
}

/// Any vector across another one.
Vector some_across(const Vector& n) {
  const Vector axis = std::abs(n.z) < 0.8 ? Vector{0, 0, 1} : Vector{1, 0, 0};
  return unit(cross(axis, n));
}

}  // namespace

bool share_an_edge(const Shapes& shapes, std::size_t a, std::size_t b) {
  for (const Piece& p : shapes.pieces_of(a)) {
    for (const Piece& q : shapes.pieces_of(b)) {
      const bool shared = p.is_box && q.is_box
                              ? share_a_side(p.box, q.box)
                              : share_an_edge(shapes.corners(p), shapes.corners(q));
      if (shared) return true;
    }
  }
  return false;
}

Neighbours::Neighbours(const Cells& cells, const Shapes& shapes, const SpaceTree& tree,
                       int threads) {
  struct Share {
    std::size_t begin = 0;
    std::vector<std::uint32_t> counts, neighbours;
  };
  std::vector<Share> shares(static_cast<std::size_t>(std::max(1, threads)));
  in_shares(threads, cells.size(), [&](std::size_t number, std::size_t begin, std::size_t end) {
    Share& share = shares[number];
    share.begin = begin;
    std::vector<std::uint32_t> near;
    for (std::size_t cell = begin; cell < end; ++cell) {
      near.clear();
      for (const Piece& piece : shapes.pieces_of(cell)) {
        const auto index = static_cast<std::size_t>(&piece - shapes.pieces().data());
        tree.visit(widened(shapes.bounds()[index]), [&](std::uint32_t other) {
          const std::uint32_t found = shapes.pieces()[other].cell;
          if (found != cell) near.push_back(found);
        });
      }
      std::sort(near.begin(), near.end(), [&](std::uint32_t a, std::uint32_t b) {
        return cells.number(a) < cells.number(b);
      });
      near.erase(std::unique(near.begin(), near.end()), near.end());
      std::erase_if(near, [&](std::uint32_t other) { return !share_an_edge(shapes, cell, other); });
      share.counts.push_back(static_cast<std::uint32_t>(near.size()));
      share.neighbours.insert(share.neighbours.end(), near.begin(), near.end());
    }
  });
  first_.reserve(cells.size() + 1);
  first_.push_back(0);
  for (const Share& share : shares) {
    for (const std::uint32_t count : share.counts) first_.push_back(first_.back() + count);
    neighbours_.insert(neighbours_.end(), share.neighbours.begin(), share.neighbours.end());
  }
}

Gradients::Gradients(const Cells& cells, const Shapes& shapes, const SpaceTree& tree, int threads)
    : neighbours_(cells, shapes, tree, threads),
      weights_(neighbours_.size()),
      area_(cells.size()),
      centre_(cells.size()) {
  in_shares(threads, cells.size(), [&](std::size_t, std::size_t begin, std::size_t end) {
    RecentDirections directions;
    for (std::size_t cell = begin; cell < end; ++cell) {
      area_[cell] = area_of(shapes, cell, directions);
      if (!(area_[cell] > 0)) continue;
      const Vector centre = (1 / area_[cell]) * moment_of(shapes, cell, directions);
      // Rounding may put the middle of a tiny area anywhere.
      if (dot(centre, centre) < beyond_sphere) centre_[cell] = centre;
    }
  });
  in_shares(threads, cells.size(), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t cell = begin; cell < end; ++cell) make(cell);
  });
}

void Gradients::make(std::size_t cell) {
  const auto neighbours = neighbours_.of(cell);
  if (neighbours.empty()) return;
  const Vector& centre = centre_[cell];
  if (!has_centre(cell)) return;
  const Vector up = unit(centre);
  const Vector u = some_across(up);
  const Vector v = cross(up, u);
  struct Step {
    double u = 0, v = 0, weight = 0;
  };
  const auto step_to = [&](std::uint32_t other) {
    if (!has_centre(other)) return Step{};
    const Vector d = centre_[other] - centre;
    const Step step{dot(d, u), dot(d, v), 0};
    const double square = step.u * step.u + step.v * step.v;
    // Two cells in one place (halos, folds) say nothing of what is beside them.
    constexpr double apart = 1e-6;
    const double least = apart * std::min(area_[cell], area_[other]);
    return Step{step.u, step.v, square > least ? 1 / square : 0};
  };
  double uu = 0;
  double uv = 0;
  double vv = 0;
  for (const std::uint32_t other : neighbours) {
    const Step step = step_to(other);
    uu += step.weight * step.u * step.u;
    uv += step.weight * step.u * step.v;
    vv += step.weight * step.v * step.v;
  }
  // In the directions in which the steps are longest and shortest, by the eigenvalues.
  const double middle = 0.5 * (uu + vv);
  const double apart = std::hypot(0.5 * (uu - vv), uv);
  const double angle = 0.5 * config::arc_tangent(uv, 0.5 * (uu - vv));
  const double c = config::cosine(angle);
  const double s = config::sine(angle);
  constexpr double in_line = 1e-3;  // neighbours that lie in one direction say nothing of the other
  const double along = middle + apart > 0 ? 1 / (middle + apart) : 0;
  const double beside = middle - apart > in_line * middle ? 1 / (middle - apart) : 0;
  for (std::size_t n = 0; n < neighbours.size(); ++n) {
    const Step step = step_to(neighbours[n]);
    const double a = along * step.weight * (c * step.u + s * step.v);
    const double b = beside * step.weight * (c * step.v - s * step.u);
    weights_[neighbours_.first(cell) + n] = (a * c - b * s) * u + (a * s + b * c) * v;
  }
}

}  // namespace epios::io
