// Places the cells of a ring around a domain where no neighbour gives them: it continues the last
// cells before the edge by their own width.
#include "elements/ring_cells.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include "config/model.hpp"

namespace epios::io {

namespace {

constexpr double pole = 90;

/// How far b lies from a; longitudes the shorter way round.
double way(double a, double b, bool is_round) {
  constexpr double circle = 360;
  const double straight = b - a;
  if (!is_round || std::abs(straight) <= circle / 2) return straight;
  return straight - circle * std::round(straight / circle);
}

/// One coordinate of a cell and of the one before it.
struct Coordinate {
  double centre = 0, centre_before = 0;
  std::span<const double> corners, corners_before;  // empty: not known
  bool is_round = false;

  double extent() const {
    double out = 0;
    for (const double corner : corners) {
      out = std::max(out, std::abs(way(corners.front(), corner, is_round)));
    }
    return out;
  }
  double between(std::size_t corner, std::size_t before) const {
    return std::abs(way(corners[corner], corners_before[before], is_round));
  }
};

/// The corner of the cell before that is corner `v` of the cell; as many as there are for none.
std::size_t common_corner(std::span<const Coordinate> lines, std::size_t v) {
  constexpr double rounding = 1e-3;  // fraction of a cell
  const std::size_t corners = lines.front().corners.size();
  double extent = 0;
  for (const Coordinate& line : lines) extent = std::max(extent, line.extent());
  for (std::size_t w = 0; w < corners; ++w) {
    const bool is_same = std::all_of(lines.begin(), lines.end(), [&](const Coordinate& line) {
      return line.between(v, w) <= rounding * extent;
    });
    if (is_same) return w;
  }
  return corners;
}

/// From the cell to the one beyond the edge, per corner and, last, of the centre.
class Moves {
 public:
  explicit Moves(std::span<const Coordinate> lines) {
    const std::size_t corners = lines.front().corners.size();
    for (std::size_t v = 0; v < corners; ++v) common_.push_back(common_corner(lines, v));
    is_any_common_ =
        std::any_of(common_.begin(), common_.end(), [&](std::size_t w) { return w < corners; });
  }

  double of_corner(const Coordinate& line, std::size_t v) const {
    const std::size_t corners = common_.size();
    if (!is_any_common_) return way(line.corners_before[v], line.corners[v], line.is_round);
    // An outer corner goes with the inner one beside it.
    for (std::size_t step = 0; step < corners; ++step) {
      for (const std::size_t other : {(v + step) % corners, (v + corners - step) % corners}) {
        if (common_[other] < corners) return across(line, other);
      }
    }
    return 0;
  }
  double of_centre(const Coordinate& line) const {
    if (!is_any_common_) return way(line.centre_before, line.centre, line.is_round);
    double sum = 0;
    int count = 0;
    for (std::size_t v = 0; v < common_.size(); ++v) {
      if (common_[v] == common_.size()) continue;
      sum += across(line, v);
      ++count;
    }
    return sum / count;
  }

 private:
  /// Over the whole cell: to the corner that takes the place of corner `v` seen from beyond.
  double across(const Coordinate& line, std::size_t v) const {
    return way(line.corners[v], line.corners[common_[v]], line.is_round);
  }

  std::vector<std::size_t> common_;  // per corner
  bool is_any_common_ = false;
};

/// CoordinateLists of one coordinate.
struct CoordinateLists {
  std::vector<double>*centres = nullptr, *corners = nullptr;
  const std::vector<double>*centres_before = nullptr, *corners_before = nullptr;
  bool is_round = false;
  double limit = 0;  // 0: there is none

  bool has_centres() const { return centres != nullptr && centres_before != nullptr; }
  bool has_corners() const { return corners != nullptr && corners_before != nullptr; }
  Coordinate of(std::size_t cell, std::size_t each) const {
    Coordinate out;
    out.is_round = is_round;
    out.centre = (*centres)[cell];
    out.centre_before = (*centres_before)[cell];
    if (!has_corners()) return out;
    out.corners = std::span(*corners).subspan(each * cell, each);
    out.corners_before = std::span(*corners_before).subspan(each * cell, each);
    return out;
  }
  void move(double& value, double by) const {
    if (!std::isfinite(by)) return;
    value += by;
    if (limit > 0) value = std::clamp(value, -limit, limit);
  }
};

template <class List>
auto values_of(List& list) -> decltype(&list->values) {
  return list ? &list->values : nullptr;
}

void move_cell(std::span<const CoordinateLists> lists, std::size_t cell, std::size_t each) {
  std::vector<Coordinate> lines;
  for (const CoordinateLists& list : lists) lines.push_back(list.of(cell, each));
  const Moves moves(lines);
  std::vector<std::vector<double>> by;  // all of them before anything is moved
  for (const Coordinate& line : lines) {
    std::vector<double>& own = by.emplace_back();
    for (std::size_t v = 0; v < line.corners.size(); ++v) own.push_back(moves.of_corner(line, v));
    own.push_back(moves.of_centre(line));
  }
  for (std::size_t l = 0; l < lists.size(); ++l) {
    double& centre = (*lists[l].centres)[cell];
    lists[l].move(centre, by[l].back());
    for (std::size_t v = 0; v + 1 < by[l].size(); ++v) {
      double& corner = (*lists[l].corners)[each * cell + v];
      lists[l].move(corner, by[l][v]);
      // Not a turn away from the centre.
      corner += way(centre, corner, lists[l].is_round) - (corner - centre);
    }
  }
}

}  // namespace

bool has_lengths(const config::DomainAttributes& cells) {
  constexpr double rounding = 1e-3;
  if (!cells.latvalue_1d) return false;
  const std::vector<double>& latitudes = cells.latvalue_1d->values;
  return std::any_of(latitudes.begin(), latitudes.end(),
                     [](double lat) { return std::abs(lat) > pole + rounding; });
}

void move_beyond_edge(const std::vector<std::size_t>& cells, const config::DomainAttributes& before,
                      bool by_sides, Surface surface, config::DomainAttributes& ring) {
  std::array<CoordinateLists, 2> lists{
      {{values_of(ring.lonvalue_1d), values_of(ring.bounds_lon_1d), values_of(before.lonvalue_1d),
        values_of(before.bounds_lon_1d)},
       {values_of(ring.latvalue_1d), values_of(ring.bounds_lat_1d), values_of(before.latvalue_1d),
        values_of(before.bounds_lat_1d)}}};
  if (!lists[0].has_centres() || !lists[1].has_centres() || lists[0].centres->empty()) return;
  const bool has_corners = lists[0].has_corners() && lists[1].has_corners() &&
                           lists[0].corners->size() == lists[1].corners->size();
  if (!has_corners) lists[0].corners = lists[1].corners = nullptr;
  lists[0].is_round = surface == Surface::sphere;
  lists[1].limit = surface == Surface::sphere ? pole : 0;
  const std::size_t each = has_corners ? lists[0].corners->size() / lists[0].centres->size() : 0;
  for (const std::size_t cell : cells) {
    if (by_sides) {
      move_cell(std::span(lists).first(1), cell, each);
      move_cell(std::span(lists).last(1), cell, each);
    } else {
      move_cell(lists, cell, each);
    }
  }
}

}  // namespace epios::io
