#include "sphere/cell_neighbours.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "sphere/sphere_points.hpp"
#include "sphere/sphere_tree.hpp"

namespace epios::io {

namespace {

/// A corner of a cell, each once.
struct LooseCorner {
  Vector at;
  double slack = 0;
  std::size_t cell = 0;
};

constexpr double least_slack = 1e-13;

/// Returns the corners of all cells, in their order around each cell.
std::vector<LooseCorner> corners_of(const Cells& cells) {
  std::vector<LooseCorner> out;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const std::size_t first = out.size();
    for (std::int64_t k = cells.offsets[c]; k < cells.offsets[c + 1]; ++k) {
      const auto corner = static_cast<std::size_t>(k);
      if (!std::isfinite(cells.lon[corner]) || !std::isfinite(cells.lat[corner])) continue;
      const Vector at = point_at(cells.lon[corner], cells.lat[corner]);
      const auto is_same = [&](const LooseCorner& other) {
        return length(other.at - at) <= least_slack;
      };
      if (out.size() > first && is_same(out.back())) continue;
      out.push_back({at, 0, c});
    }
    while (out.size() > first + 1 && length(out.back().at - out[first].at) <= least_slack) {
      out.pop_back();
    }
    double shortest = std::numeric_limits<double>::infinity();
    for (std::size_t k = first; k < out.size(); ++k) {
      const std::size_t next = k + 1 < out.size() ? k + 1 : first;
      if (next != k) shortest = std::min(shortest, length(out[next].at - out[k].at));
    }
    constexpr double part = 1e-6;
    for (std::size_t k = first; k < out.size(); ++k) {
      out[k].slack = std::isfinite(shortest) ? std::max(part * shortest, least_slack) : least_slack;
    }
  }
  return out;
}

SpaceBox box_at(const LooseCorner& corner) {
  // Larger than the rounding of single precision.
  const double more = corner.slack + 2e-7;
  const auto low = [&](double v) { return static_cast<float>(v - more); };
  const auto high = [&](double v) { return static_cast<float>(v + more); };
  const Vector& p = corner.at;
  return {{low(p.x), low(p.y), low(p.z)}, {high(p.x), high(p.y), high(p.z)}};
}

/// Numbers of points, the same where they meet: that of the first one.
std::vector<std::size_t> points_of(const std::vector<LooseCorner>& corners) {
  std::vector<SpaceBox> boxes;
  boxes.reserve(corners.size());
  for (const LooseCorner& corner : corners) boxes.push_back(box_at(corner));
  const SpaceTree tree(boxes);
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> points(corners.size(), none);
  for (std::size_t k = 0; k < corners.size(); ++k) {
    if (points[k] != none) continue;
    points[k] = k;
    tree.visit(boxes[k], [&](std::uint32_t other) {
      const double slack = std::max(corners[k].slack, corners[other].slack);
      if (points[other] == none && length(corners[other].at - corners[k].at) <= slack) {
        points[other] = k;
      }
    });
  }
  return points;
}

/// What two cells share: one point twice, or the points of an edge.
struct Part {
  std::size_t a, b, cell;
};

std::vector<Part> parts_of(const std::vector<LooseCorner>& corners, Shared what) {
  const std::vector<std::size_t> points = points_of(corners);
  std::vector<Part> parts;
  for (std::size_t first = 0; first < corners.size();) {
    std::size_t end = first;
    while (end < corners.size() && corners[end].cell == corners[first].cell) ++end;
    for (std::size_t k = first; k < end; ++k) {
      const std::size_t next = k + 1 < end ? k + 1 : first;
      const auto [a, b] = std::minmax(points[k], points[what == Shared::edge ? next : k]);
      if (what == Shared::corner || a != b) parts.push_back({a, b, corners[k].cell});
    }
    first = end;
  }
  return parts;
}

}  // namespace

CellNeighbours cell_neighbours(const Cells& cells, Shared what) {
  std::vector<Part> parts = parts_of(corners_of(cells), what);
  std::sort(parts.begin(), parts.end(), [](const Part& x, const Part& y) {
    return x.a != y.a ? x.a < y.a : x.b != y.b ? x.b < y.b : x.cell < y.cell;
  });
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t first = 0; first < parts.size();) {
    std::size_t end = first;
    while (end < parts.size() && parts[end].a == parts[first].a && parts[end].b == parts[first].b) {
      ++end;
    }
    for (std::size_t x = first; x < end; ++x) {
      for (std::size_t y = first; y < end; ++y) {
        if (parts[x].cell != parts[y].cell) pairs.emplace_back(parts[x].cell, parts[y].cell);
      }
    }
    first = end;
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  CellNeighbours out;
  out.begin.assign(cells.size() + 1, 0);
  for (const auto& [cell, neighbour] : pairs) {
    ++out.begin[cell + 1];
    out.cells.push_back(neighbour);
  }
  std::partial_sum(out.begin.begin(), out.begin.end(), out.begin.begin());
  return out;
}

}  // namespace epios::io
