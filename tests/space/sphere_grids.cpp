#include "sphere_grids.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace sphere_grids {

using epios::io::Cells;
using epios::io::Edges;

namespace {

constexpr double degrees = 180 / std::numbers::pi;

Point normalised(const Point& p) {
  const double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
  return {p[0] / length, p[1] / length, p[2] / length};
}
Point middle(const std::vector<Point>& points) {
  Point sum{0, 0, 0};
  for (const Point& p : points) {
    for (std::size_t k = 0; k < 3; ++k) sum[k] += p[k];
  }
  return normalised(sum);
}
/// Away from the axes, so that nothing is aligned by chance.
Point turned(const Point& p) {
  const double a = 0.7;
  const double b = 0.3;
  const Point q{p[0] * std::cos(a) - p[2] * std::sin(a), p[1],
                p[0] * std::sin(a) + p[2] * std::cos(a)};
  return {q[0] * std::cos(b) - q[1] * std::sin(b), q[0] * std::sin(b) + q[1] * std::cos(b), q[2]};
}

void add(Cells& cells, const std::vector<Point>& corners) {
  if (cells.offsets.empty()) cells.offsets.push_back(0);
  for (const Point& p : corners) {
    cells.lon.push_back(std::atan2(p[1], p[0]) * degrees);
    cells.lat.push_back(std::atan2(p[2], std::hypot(p[0], p[1])) * degrees);
  }
  cells.offsets.push_back(static_cast<std::int64_t>(cells.lon.size()));
}

std::vector<double> steps(int n, double begin, double end) {
  std::vector<double> bounds;
  for (int k = 0; k < n; ++k) {
    bounds.push_back(begin + (end - begin) * k / n);
    bounds.push_back(begin + (end - begin) * (k + 1) / n);
  }
  return bounds;
}

/// The corner points (i, j) of a face of a cube, i and j from 0 to n.
Point on_cube(int face, double i, double j, int n) {
  const double x = std::tan((2 * i / n - 1) * std::numbers::pi / 4);
  const double y = std::tan((2 * j / n - 1) * std::numbers::pi / 4);
  switch (face) {
    case 0:
      return turned(normalised({1, x, y}));
    case 1:
      return turned(normalised({-1, y, x}));
    case 2:
      return turned(normalised({y, 1, x}));
    case 3:
      return turned(normalised({x, -1, y}));
    case 4:
      return turned(normalised({x, y, 1}));
    default:
      return turned(normalised({y, x, -1}));
  }
}

/// Triangles of the icosahedron.
std::vector<std::array<Point, 3>> icosahedron() {
  const double g = (1 + std::sqrt(5.0)) / 2;
  const std::vector<Point> corners{{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0},
                                   {0, -1, g}, {0, 1, g}, {0, -1, -g}, {0, 1, -g},
                                   {g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1}};
  const std::vector<std::array<int, 3>> faces{
      {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
      {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
      {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  std::vector<std::array<Point, 3>> list;
  for (const auto& face : faces) {
    list.push_back({turned(normalised(corners[static_cast<std::size_t>(face[0])])),
                    turned(normalised(corners[static_cast<std::size_t>(face[1])])),
                    turned(normalised(corners[static_cast<std::size_t>(face[2])]))});
  }
  return list;
}

std::vector<std::array<Point, 3>> small_triangles(int n) {
  std::vector<std::array<Point, 3>> list;
  for (const auto& face : icosahedron()) {
    const auto at = [&](int i, int j) {
      Point p{};
      for (std::size_t k = 0; k < 3; ++k) {
        p[k] = (n - i - j) * face[0][k] + i * face[1][k] + j * face[2][k];
      }
      return normalised(p);
    };
    for (int i = 0; i < n; ++i) {
      for (int j = 0; i + j < n; ++j) {
        list.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
        if (i + j + 1 < n) list.push_back({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
      }
    }
  }
  return list;
}

}  // namespace

Point point_at(double lon, double lat) {
  return {std::cos(lat / degrees) * std::cos(lon / degrees),
          std::cos(lat / degrees) * std::sin(lon / degrees), std::sin(lat / degrees)};
}

Cells regular(int ni, int nj, double west) {
  return epios::io::rectilinear_cells(steps(ni, west, west + 360), steps(nj, -90, 90));
}

Cells plain(int ni, int nj, double west) {
  Cells cells = regular(ni, nj, west);
  cells.edges = Edges::great_circles;
  return cells;
}

Cells uneven(int ni, int nj) {
  std::vector<double> lat = steps(nj, -90, 90);
  for (double& v : lat) v += 20.0 / nj * std::sin(v / degrees * 4);
  lat.front() = -90;
  lat.back() = 90;
  return epios::io::rectilinear_cells(steps(ni, -180, 180), lat);
}

Cells reduced(int nj) {
  Cells cells;
  cells.edges = Edges::parallels;
  cells.offsets.push_back(0);
  for (int j = 0; j < nj; ++j) {
    const double south = -90 + 180.0 * j / nj;
    const double north = -90 + 180.0 * (j + 1) / nj;
    const double wide = std::cos((south + north) / 2 / degrees);
    const int ni = std::max(4, static_cast<int>(2 * nj * wide));
    for (int i = 0; i < ni; ++i) {
      const double west = 360.0 * i / ni;
      const double east = 360.0 * (i + 1) / ni;
      cells.lon.insert(cells.lon.end(), {west, east, east, west});
      cells.lat.insert(cells.lat.end(), {south, south, north, north});
      cells.offsets.push_back(static_cast<std::int64_t>(cells.lon.size()));
    }
  }
  return cells;
}

Cells rotated(int ni, int nj) {
  Cells cells;
  for (int j = 0; j < nj; ++j) {
    for (int i = 0; i < ni; ++i) {
      const auto corner = [&](int a, int b) {
        return turned(point_at(360.0 * ((i + a) % ni) / ni, -90 + 180.0 * (j + b) / nj));
      };
      add(cells, {corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)});
    }
  }
  return cells;
}

Cells cubed(int n) {
  Cells cells;
  for (int face = 0; face < 6; ++face) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        add(cells, {on_cube(face, i, j, n), on_cube(face, i + 1, j, n),
                    on_cube(face, i + 1, j + 1, n), on_cube(face, i, j + 1, n)});
      }
    }
  }
  return cells;
}

Cells triangles(int n, bool padded) {
  Cells cells;
  for (const auto& t : small_triangles(n)) {
    std::vector<Point> corners(t.begin(), t.end());
    if (padded) corners.push_back(corners.back());
    add(cells, corners);
  }
  return cells;
}

Cells hexagons(int n) {
  // Centres of the triangles around each of their corners, which are told apart by rounded places.
  std::map<std::array<long, 3>, std::vector<Point>> around;
  std::map<std::array<long, 3>, Point> places;
  for (const auto& t : small_triangles(n)) {
    const Point centre = middle({t.begin(), t.end()});
    for (const Point& p : t) {
      const std::array<long, 3> key{std::lround(p[0] * 1e9), std::lround(p[1] * 1e9),
                                    std::lround(p[2] * 1e9)};
      bool is_new = true;
      for (long x = -1; x <= 1 && is_new; ++x) {
        for (long y = -1; y <= 1 && is_new; ++y) {
          for (long z = -1; z <= 1 && is_new; ++z) {
            const auto found = around.find({key[0] + x, key[1] + y, key[2] + z});
            if (found == around.end()) continue;
            found->second.push_back(centre);
            is_new = false;
          }
        }
      }
      if (is_new) {
        around[key].push_back(centre);
        places[key] = p;
      }
    }
  }
  Cells cells;
  for (auto& [key, centres] : around) {
    const Point& p = places.at(key);
    const Point axis = std::abs(p[2]) < 0.8 ? Point{0, 0, 1} : Point{1, 0, 0};
    const Point u = normalised({axis[1] * p[2] - axis[2] * p[1], axis[2] * p[0] - axis[0] * p[2],
                                axis[0] * p[1] - axis[1] * p[0]});
    const Point v{p[1] * u[2] - p[2] * u[1], p[2] * u[0] - p[0] * u[2], p[0] * u[1] - p[1] * u[0]};
    const auto angle = [&](const Point& q) {
      return std::atan2(q[0] * v[0] + q[1] * v[1] + q[2] * v[2],
                        q[0] * u[0] + q[1] * u[1] + q[2] * u[2]);
    };
    std::sort(centres.begin(), centres.end(),
              [&](const Point& a, const Point& b) { return angle(a) < angle(b); });
    add(cells, centres);
  }
  return cells;
}

Cells bent(int n) {
  // The middle of an edge lies off it, on the same side for both cells; not on the cube's edges.
  Cells cells;
  for (int face = 0; face < 6; ++face) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        const auto across = [&](int column) {  // an edge i = column
          const double off = column == 0 || column == n ? 0 : 0.3;
          return on_cube(face, column + off, j + 0.5, n);
        };
        const auto along = [&](int row) {
          const double off = row == 0 || row == n ? 0 : -0.35;
          return on_cube(face, i + 0.5, row + off, n);
        };
        add(cells,
            {on_cube(face, i, j, n), along(j), on_cube(face, i + 1, j, n), across(i + 1),
             on_cube(face, i + 1, j + 1, n), along(j + 1), on_cube(face, i, j + 1, n), across(i)});
      }
    }
  }
  return cells;
}

std::vector<Named> all(int size) {
  return {{"regular", regular(4 * size, 2 * size)},
          {"plain", plain(4 * size, 2 * size)},
          {"shifted", regular(4 * size + 1, 2 * size + 1, -179.3)},
          {"uneven", uneven(4 * size, 2 * size)},
          {"reduced", reduced(2 * size)},
          {"rotated", rotated(4 * size, 2 * size)},
          {"cubed", cubed(size)},
          {"triangles", triangles(size, true)},
          {"hexagons", hexagons(size)},
          {"bent", bent(std::max(2, size / 2))}};
}

}  // namespace sphere_grids
