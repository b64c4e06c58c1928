// Finds which points of a coupled grid go from which client to which. Both sides name their points
// in a directory, by one decomposed element where that suffices and otherwise point by point; then
// routes are exchanged.
#include "coupling/routes.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <ep/ep.hpp>
#include <utility>

#include "config/model.hpp"
#include "event/opening.hpp"
#include "grid/layout.hpp"
#include "space/directory.hpp"

namespace epios::io {
namespace {

/// A point of the grid, or of one of its elements, and its place in the array or along the element.
struct Point {
  std::int64_t key = 0;
  std::int64_t place = 0;
};

void append(std::vector<PlaceRun>& runs, std::int64_t place) {
  if (!runs.empty() && runs.back().place + runs.back().count == place) {
    ++runs.back().count;
  } else {
    runs.push_back({place, 1});
  }
}

std::vector<std::int64_t> keys_of(const std::vector<Point>& points) {
  std::vector<std::int64_t> out;
  out.reserve(points.size());
  for (const Point& point : points) out.push_back(point.key);
  return out;
}

}  // namespace

CoupledGrid::CoupledGrid(const config::Model& model, const LocalParts& parts, int grid)
    : repeats_(repeated_places(model, parts, grid)) {
  const config::Grid& described = model.grids[config::GridId(grid)];
  for (const config::GridElement& element : described.elements) {
    parts_.push_back(parts.data(element));
    is_scalar_.push_back(element.kind == config::GridElement::Kind::scalar);
    sizes_.push_back(volume(element_shape(model, element)));
    array_size_ *= parts_.back().places();
  }
  if (described.mask) has_value_ = places_with_values(model, parts, grid);
}

/// Asks who has what, of one field.
class RoutePlanner {
 public:
  RoutePlanner(const ep::Comm& both, const CoupledGrid* sends, const CoupledGrid* receives)
      : both_(both), sends_(sends), receives_(receives) {
    choose_element();
  }

  CoupledRoutes plan() {
    const std::vector<Point> offered = points(sends_);
    const std::vector<Point> wanted = points(receives_);
    const std::vector<std::int64_t> keys = keys_of(wanted);
    const std::vector<int> holders = Directory(both_, size(), keys_of(offered)).lowest(keys);
    const auto ranks = static_cast<std::size_t>(both_.size());
    std::vector<std::vector<std::int64_t>> questions(ranks);
    std::vector<std::vector<PlaceRun>> places(ranks);
    CoupledRoutes out;
    for (std::size_t k = 0; k < keys.size(); ++k) {
      if (holders[k] < 0) {
        ++out.left_out;
        continue;
      }
      const auto holder = static_cast<std::size_t>(holders[k]);
      questions[holder].push_back(keys[k]);
      append(places[holder], wanted[k].place);
    }
    for (std::size_t r = 0; r < ranks; ++r) add(out.from, r, receives_, std::move(places[r]));
    const auto asked = exchange_lists(both_, questions);
    for (std::size_t r = 0; r < ranks; ++r) add(out.to, r, sends_, places_of(offered, asked[r]));
    if (chosen_ >= 0 && receives_ != nullptr) out.left_out *= others(*receives_);
    return out;
  }

 private:
  /// Elements that are whole on all clients that have anything: of one, at most, points are asked
  /// for.
  void choose_element() {
    std::vector<int> own = cut_elements(sends_);
    const std::vector<int> received = cut_elements(receives_);
    const std::size_t elements = std::max(own.size(), received.size());
    own.resize(elements);
    for (std::size_t e = 0; e < received.size(); ++e) own[e] = std::max(own[e], received[e]);
    std::vector<int> all(elements);
    ep::check(EP_Allreduce(own.data(), all.data(), ep::message_count(elements), MPI_INT, MPI_MAX,
                           both_.get()));
    const std::size_t n = elements - 1;  // the last one: masks of grids
    chosen_ = all[n] != 0 || n == 0 ? -1 : static_cast<int>(n) - 1;
    for (std::size_t e = 0, cut = 0; chosen_ >= 0 && e < n; ++e) {
      if (all[e] == 0) continue;
      chosen_ = cut++ == 0 ? static_cast<int>(e) : -1;
    }
  }

  /// Per element that is no scalar, whether this client has a part of it; behind them, whether its
  /// grid has a mask.
  static std::vector<int> cut_elements(const CoupledGrid* grid) {
    std::vector<int> out;
    if (grid == nullptr) return {0};
    const bool is_empty = std::any_of(grid->parts_.begin(), grid->parts_.end(),
                                      [](const Part& part) { return part.points() == 0; });
    for (std::size_t e = 0; e < grid->parts_.size(); ++e) {
      if (grid->is_scalar_[e]) continue;
      out.push_back(!is_empty && grid->parts_[e].points() < grid->sizes_[e] ? 1 : 0);
    }
    out.push_back(grid->has_value_.empty() ? 0 : 1);
    return out;
  }

  /// Index of the chosen element among all of a grid.
  std::size_t element(const CoupledGrid& grid) const {
    int seen = -1;
    for (std::size_t e = 0;; ++e) {
      if (!grid.is_scalar_[e] && ++seen == chosen_) return e;
    }
  }

  /// Points of the other elements.
  std::int64_t others(const CoupledGrid& grid) const {
    std::int64_t out = 1;
    const std::size_t own = element(grid);
    for (std::size_t e = 0; e < grid.parts_.size(); ++e) {
      if (e != own) out *= grid.parts_[e].points();
    }
    return out;
  }

  std::int64_t size() const {
    const CoupledGrid& grid = sends_ != nullptr ? *sends_ : *receives_;
    if (chosen_ >= 0) return grid.sizes_[element(grid)];
    std::int64_t out = 1;
    for (const std::int64_t size : grid.sizes_) out *= size;
    return out;
  }

  /// Returns the points of a client, by key.
  std::vector<Point> points(const CoupledGrid* grid) const {
    if (grid == nullptr) return {};
    if (chosen_ >= 0) return others(*grid) > 0 ? points_along(*grid) : std::vector<Point>();
    return points_of_grid(*grid);
  }

  std::vector<Point> points_along(const CoupledGrid& grid) const {
    const Part& part = grid.parts_[element(grid)];
    std::vector<Point> out;
    out.reserve(static_cast<std::size_t>(part.points()));
    for (const PartRun& run : part.runs()) {
      for (std::int64_t k = 0; k < run.count; ++k) out.push_back({run.global + k, run.place + k});
    }
    return out;
  }

  static std::vector<Point> points_of_grid(const CoupledGrid& grid) {
    std::vector<Point> out{{0, 0}};
    // Slowest element first, so that keys ascend.
    for (std::size_t e = grid.parts_.size(); e-- > 0;) {
      const Part& part = grid.parts_[e];
      std::vector<Point> next;
      next.reserve(out.size() * static_cast<std::size_t>(part.points()));
      for (const Point& slow : out) {
        for (const PartRun& run : part.runs()) {
          for (std::int64_t k = 0; k < run.count; ++k) {
            next.push_back({slow.key * grid.sizes_[e] + run.global + k,
                            slow.place * part.places() + run.place + k});
          }
        }
      }
      out = std::move(next);
    }
    if (grid.has_value_.empty()) return out;
    std::erase_if(out, [&](const Point& point) {
      const auto place = static_cast<std::size_t>(point.place);
      return (grid.has_value_[place / 64] >> (place % 64) & 1U) == 0;
    });
    return out;
  }

  /// Returns the places of the points that somebody has asked for.
  static std::vector<PlaceRun> places_of(const std::vector<Point>& offered,
                                         const std::vector<std::int64_t>& keys) {
    std::vector<PlaceRun> out;
    auto from = offered.begin();
    for (const std::int64_t key : keys) {
      from = std::lower_bound(
          from, offered.end(), key,
          [](const Point& point, std::int64_t wanted) { return point.key < wanted; });
      append(out, from->place);
    }
    return out;
  }

  void add(std::vector<CoupledRoute>& routes, std::size_t rank, const CoupledGrid* grid,
           std::vector<PlaceRun> runs) const {
    if (runs.empty()) return;
    std::vector<PatternFactor> factors;
    if (chosen_ < 0) {
      factors.push_back({grid->array_size(), std::move(runs)});
    } else {
      const std::size_t own = element(*grid);
      for (std::size_t e = 0; e < grid->parts_.size(); ++e) {
        const Part& part = grid->parts_[e];
        PatternFactor& factor = factors.emplace_back();
        factor.places = part.places();
        for (const PartRun& run : part.runs()) factor.runs.push_back({run.place, run.count});
        if (e == own) factor.runs.swap(runs);
      }
    }
    routes.push_back({static_cast<int>(rank), Pattern(factors)});
  }

  const ep::Comm& both_;
  const CoupledGrid* sends_;
  const CoupledGrid* receives_;
  int chosen_ = -1;  ///< among elements that are no scalars; -1: points of the grid
};

CoupledRoutes find_routes(const ep::Comm& both, const CoupledGrid* sends,
                          const CoupledGrid* receives) {
  return RoutePlanner(both, sends, receives).plan();
}

}  // namespace epios::io
