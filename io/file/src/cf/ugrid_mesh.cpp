// Finds the topology of a mesh from the corners of its cells. Nodes are found by position within
// the resolution of single precision, then edges as pairs of nodes, then faces, then the links
// between faces and edges.
#include "cf/ugrid_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <unordered_map>
#include <utility>

#include "config/elementary.hpp"

namespace epios::io {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

using Point = std::array<double, 3>;

struct Cell {
  std::array<std::int64_t, 3> at{};
  bool operator==(const Cell&) const = default;
};
std::size_t mixed(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
  std::uint64_t out = a * odd;
  out ^= (out >> 32U) + b;
  return static_cast<std::size_t>(out * odd ^ out >> 29U);
}
struct CellHash {
  std::size_t operator()(const Cell& cell) const {
    std::size_t out = 0;
    for (const std::int64_t n : cell.at) out = mixed(out, static_cast<std::uint64_t>(n));
    return out;
  }
};
struct PairHash {
  std::size_t operator()(const std::pair<std::int64_t, std::int64_t>& pair) const {
    return mixed(static_cast<std::uint64_t>(pair.first), static_cast<std::uint64_t>(pair.second));
  }
};

/// Numbers of points; near ones are one.
class Nodes {
 public:
  explicit Nodes(double tolerance) : tolerance_(tolerance) {}

  /// -1 when it is not known.
  std::int64_t find(const Point& point) const {
    const Cell base = cell_of(point);
    // A near point may be in the next cell.
    Cell cell;
    for (std::int64_t x = -1; x <= 1; ++x) {
      for (std::int64_t y = -1; y <= 1; ++y) {
        for (std::int64_t z = -1; z <= 1; ++z) {
          cell.at = {base.at[0] + x, base.at[1] + y, base.at[2] + z};
          const auto found = numbers_.find(cell);
          if (found == numbers_.end()) continue;
          for (const auto& [number, known] : found->second) {
            if (is_near(known, point)) return number;
          }
        }
      }
    }
    return -1;
  }
  void add(const Point& point, std::int64_t number) {
    numbers_[cell_of(point)].emplace_back(number, point);
  }

 private:
  bool is_near(const Point& a, const Point& b) const {
    double sum = 0;
    for (std::size_t d = 0; d < a.size(); ++d) sum += (a.at(d) - b.at(d)) * (a.at(d) - b.at(d));
    return sum <= tolerance_ * tolerance_;
  }
  Cell cell_of(const Point& point) const {
    Cell out;
    for (std::size_t d = 0; d < point.size(); ++d) {
      out.at.at(d) = std::llround(point.at(d) / (4 * tolerance_));
    }
    return out;
  }

  double tolerance_;
  std::unordered_map<Cell, std::vector<std::pair<std::int64_t, Point>>, CellHash> numbers_;
};

class Builder {
 public:
  explicit Builder(const MeshCorners& corners)
      : corners_(corners), is_planar_(is_planar(corners)), nodes_(tolerance()) {
    out_.is_planar = is_planar_;
  }

  MeshTopology build() {
    has_nodes_ = !corners_.node_x.empty();
    has_edges_ = !corners_.edge_x.empty();
    add_nodes();
    add_edges();
    add_faces();
    link_faces();
    return std::move(out_);
  }

 private:
  static bool is_planar(const MeshCorners& corners) {
    constexpr double pole = 90 + 1e-3;
    constexpr double turns = 3 * 360;
    const auto is_beyond = [](std::span<const double> values, double limit) {
      return std::any_of(values.begin(), values.end(),
                         [limit](double value) { return std::abs(value) > limit; });
    };
    return is_beyond(corners.node_y, pole) || is_beyond(corners.edge_y, pole) ||
           is_beyond(corners.face_y, pole) || is_beyond(corners.node_x, turns) ||
           is_beyond(corners.edge_x, turns) || is_beyond(corners.face_x, turns);
  }

  /// Returns the resolution of single precision at the largest number: centimetres to a metre on
  /// Earth.
  double tolerance() const {
    constexpr double relative = 4e-7;
    if (!is_planar_) return relative;
    double largest = 0;
    for (const auto& list : {corners_.node_x, corners_.node_y, corners_.edge_x, corners_.edge_y,
                             corners_.face_x, corners_.face_y}) {
      for (const double value : list) {
        if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
      }
    }
    return relative * largest;
  }

  Point point(double x, double y) const {
    if (is_planar_) return {x, y, 0};
    const double lon = x * std::numbers::pi / 180;
    const double lat = y * std::numbers::pi / 180;
    return {config::cosine(lat) * config::cosine(lon), config::cosine(lat) * config::sine(lon),
            config::sine(lat)};
  }

  void add_nodes() {
    out_.nodes = static_cast<std::int64_t>(corners_.node_x.size());
    for (std::size_t n = 0; n < corners_.node_x.size(); ++n) {
      const double x = corners_.node_x[n];
      const double y = corners_.node_y[n];
      if (std::isfinite(x) && std::isfinite(y)) {
        nodes_.add(point(x, y), static_cast<std::int64_t>(n));
      }
    }
  }

  /// Number of the node at a corner; -1: there is none.
  std::int64_t node_at(double x, double y) {
    if (!std::isfinite(x) || !std::isfinite(y)) return -1;
    const Point place = point(x, y);
    std::int64_t number = nodes_.find(place);
    if (number >= 0) return number;
    if (has_nodes_) {
      ++out_.strays;
      return -1;
    }
    number = out_.nodes++;
    nodes_.add(place, number);
    out_.node_x.push_back(x);
    out_.node_y.push_back(y);
    return number;
  }

  static double number_or_none(std::int64_t number) {
    return number < 0 ? none : static_cast<double>(number);
  }

  void add_edges() {
    out_.edges = static_cast<std::int64_t>(corners_.edge_x.size() / 2);
    for (std::size_t e = 0; 2 * e + 1 < corners_.edge_x.size(); ++e) {
      const std::int64_t a = node_at(corners_.edge_x[2 * e], corners_.edge_y[2 * e]);
      const std::int64_t b = node_at(corners_.edge_x[2 * e + 1], corners_.edge_y[2 * e + 1]);
      out_.edge_nodes.push_back(number_or_none(a));
      out_.edge_nodes.push_back(number_or_none(b));
      if (a >= 0 && b >= 0) {
        edges_.emplace(std::minmax(a, b), static_cast<std::int64_t>(e));
      }
    }
  }

  std::int64_t edge_between(std::int64_t a, std::int64_t b) {
    const auto found = edges_.find(std::minmax(a, b));
    if (found != edges_.end()) return found->second;
    if (has_edges_) {
      ++out_.strays;
      return -1;
    }
    const std::int64_t number = out_.edges++;
    edges_.emplace(std::minmax(a, b), number);
    out_.edge_nodes.push_back(static_cast<double>(a));
    out_.edge_nodes.push_back(static_cast<double>(b));
    return number;
  }

  /// Corners that are given twice one behind the other fill up faces of fewer, as do places without
  /// a corner, which meshes have that come from files.
  void add_faces() {
    const auto vertices = static_cast<std::size_t>(corners_.vertices);
    if (vertices == 0) return;
    std::vector<std::int64_t> ring;
    for (std::size_t first = 0; first < corners_.face_x.size(); first += vertices) {
      ring.clear();
      bool is_whole = true;
      for (std::size_t v = first; v < first + vertices; ++v) {
        if (std::isnan(corners_.face_x[v]) && std::isnan(corners_.face_y[v])) continue;
        const std::int64_t node = node_at(corners_.face_x[v], corners_.face_y[v]);
        is_whole = is_whole && node >= 0;
        if (ring.empty() || ring.back() != node) ring.push_back(node);
      }
      while (ring.size() > 1 && ring.front() == ring.back()) ring.pop_back();
      if (!is_whole || ring.size() < 3) ring.clear();
      for (std::size_t v = 0; v < vertices; ++v) {
        const bool is_there = v < ring.size();
        out_.face_nodes.push_back(is_there ? static_cast<double>(ring[v]) : none);
        out_.face_edges.push_back(
            is_there ? number_or_none(edge_between(ring[v], ring[(v + 1) % ring.size()])) : none);
      }
    }
  }

  void link_faces() {
    out_.edge_faces.assign(static_cast<std::size_t>(2 * out_.edges), none);
    out_.face_faces.assign(out_.face_edges.size(), none);
    if (corners_.vertices == 0) return;
    const auto face_of = [this](std::size_t i) {
      return static_cast<std::int64_t>(i) / corners_.vertices;
    };
    for (std::size_t i = 0; i < out_.face_edges.size(); ++i) {
      if (std::isnan(out_.face_edges[i])) continue;
      const auto edge = static_cast<std::size_t>(out_.face_edges[i]);
      double& first = out_.edge_faces[2 * edge];
      (std::isnan(first) ? first : out_.edge_faces[2 * edge + 1]) = static_cast<double>(face_of(i));
    }
    for (std::size_t i = 0; i < out_.face_edges.size(); ++i) {
      if (std::isnan(out_.face_edges[i])) continue;
      const auto edge = static_cast<std::size_t>(out_.face_edges[i]);
      const auto own = static_cast<double>(face_of(i));
      const double first = out_.edge_faces[2 * edge];
      out_.face_faces[i] = first == own ? out_.edge_faces[2 * edge + 1] : first;
    }
  }

  const MeshCorners& corners_;
  bool is_planar_;
  bool has_nodes_ = false;
  bool has_edges_ = false;
  Nodes nodes_;
  std::unordered_map<std::pair<std::int64_t, std::int64_t>, std::int64_t, PairHash> edges_;
  MeshTopology out_;
};

}  // namespace

MeshTopology mesh_topology(const MeshCorners& corners) { return Builder(corners).build(); }

}  // namespace epios::io
