#include "mesh.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace hexagons {
namespace {

using Triangle = std::array<int, 3>;

Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Point normalized(const Point& a) {
  const double length = std::sqrt(dot(a, a));
  return {a[0] / length, a[1] / length, a[2] / length};
}

/// Area on the unit sphere (A. van Oosterom and J. Strackee, doi:10.1109/TBME.1983.325207).
double area(const Point& a, const Point& b, const Point& c) {
  const double volume = dot(a, cross(b, c));
  return 2 * std::atan2(volume, 1 + dot(a, b) + dot(b, c) + dot(c, a));
}

struct Triangulation {
  std::vector<Point> points;
  std::vector<Triangle> triangles;  ///< counter-clockwise, seen from outside
};

Triangulation icosahedron() {
  const double g = std::numbers::phi;
  Triangulation out;
  for (const double a : {-1.0, 1.0}) {
    for (const double b : {-g, g}) {
      out.points.push_back(normalized({0, a, b}));
      out.points.push_back(normalized({a, b, 0}));
      out.points.push_back(normalized({b, 0, a}));
    }
  }
  const auto n = static_cast<int>(out.points.size());
  const auto is_edge = [&](int a, int b) {
    const auto at = [&](int i) { return out.points[static_cast<std::size_t>(i)]; };
    return dot(at(a), at(b)) > 0.4;  // of neighbours it is 1 / sqrt(5), of others it is negative
  };
  for (int a = 0; a < n; ++a) {
    for (int b = a + 1; b < n; ++b) {
      for (int c = b + 1; c < n; ++c) {
        if (!is_edge(a, b) || !is_edge(b, c) || !is_edge(c, a)) continue;
        const Point& pa = out.points[static_cast<std::size_t>(a)];
        const Point& pb = out.points[static_cast<std::size_t>(b)];
        const Point& pc = out.points[static_cast<std::size_t>(c)];
        const bool is_outward = dot(pa, cross(pb, pc)) > 0;
        out.triangles.push_back(is_outward ? Triangle{a, b, c} : Triangle{a, c, b});
      }
    }
  }
  return out;
}

/// Each triangle becomes four.
Triangulation halved(const Triangulation& coarse) {
  Triangulation out;
  out.points = coarse.points;
  std::map<std::pair<int, int>, int> middles;
  const auto middle = [&](int a, int b) {
    const auto [found, is_new] =
        middles.try_emplace(std::minmax(a, b), static_cast<int>(out.points.size()));
    if (is_new) {
      const Point& p = out.points[static_cast<std::size_t>(a)];
      const Point& q = out.points[static_cast<std::size_t>(b)];
      out.points.push_back(normalized({p[0] + q[0], p[1] + q[1], p[2] + q[2]}));
    }
    return found->second;
  };
  for (const auto& [a, b, c] : coarse.triangles) {
    const int ab = middle(a, b);
    const int bc = middle(b, c);
    const int ca = middle(c, a);
    out.triangles.insert(out.triangles.end(),
                         {Triangle{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
  }
  return out;
}

/// The cell around a point, from the triangles that meet there: each is one corner. `next[p]` is
/// the triangle that lies at the edge from the cell's point to p.
Cell cell_around(const Triangulation& mesh, int point, const std::map<int, Triangle>& next) {
  Cell out;
  out.centre = mesh.points[static_cast<std::size_t>(point)];
  out.corner_count = next.size();
  int at = next.begin()->first;
  for (std::size_t k = 0; k < out.corner_count; ++k) {
    const Triangle& t = next.at(at);
    const auto p = [&](std::size_t v) { return mesh.points[static_cast<std::size_t>(t[v])]; };
    // Equally far from the three centres.
    out.corners[k] = normalized(cross(minus(p(1), p(0)), minus(p(2), p(0))));
    const auto here = static_cast<std::size_t>(std::find(t.begin(), t.end(), point) - t.begin());
    at = t[(here + 2) % 3];
    out.neighbours[k] = at;
  }
  for (std::size_t k = out.corner_count; k < most_corners; ++k) {
    out.corners[k] = out.corners[out.corner_count - 1];
  }
  for (std::size_t k = 0; k < out.corner_count; ++k) {
    out.area_m2 += area(out.centre, out.corners[k], out.corners[(k + 1) % out.corner_count]);
  }
  out.area_m2 *= earth_radius_m * earth_radius_m;
  return out;
}

}  // namespace

double longitude(const Point& p) {
  const double degrees = std::atan2(p[1], p[0]) * 180 / std::numbers::pi;
  return degrees < 0 ? degrees + 360 : degrees;
}

double latitude(const Point& p) { return std::asin(p[2]) * 180 / std::numbers::pi; }

std::vector<Cell> make_mesh(int level) {
  Triangulation mesh = icosahedron();
  for (int l = 0; l < level; ++l) mesh = halved(mesh);
  std::vector<std::map<int, Triangle>> around(mesh.points.size());
  for (const Triangle& t : mesh.triangles) {
    for (std::size_t v = 0; v < 3; ++v) {
      around[static_cast<std::size_t>(t[v])][t[(v + 1) % 3]] = t;
    }
  }
  std::vector<Cell> out;
  out.reserve(mesh.points.size());
  for (std::size_t p = 0; p < mesh.points.size(); ++p) {
    out.push_back(cell_around(mesh, static_cast<int>(p), around[p]));
  }
  return out;
}

}  // namespace hexagons
