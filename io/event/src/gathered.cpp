// What a gatherer offers to writers when a context opens: the union of its clients' points per
// element, and coordinates that it has assembled. Writers treat it as a client, so that one
// protocol serves both levels. In order: points per grid piece, coordinates per window, the pattern
// of what is passed on, the opening part.
#include "event/gathered.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "config/index.hpp"
#include "config/model.hpp"
#include "given_coordinates.hpp"

namespace epios::io {
namespace {

using Element = config::GridElement;

/// All of the runs, ascending, each point once.
std::vector<PlaceRun> united(std::vector<PlaceRun> runs) {
  std::sort(runs.begin(), runs.end(),
            [](const PlaceRun& a, const PlaceRun& b) { return a.place < b.place; });
  std::vector<PlaceRun> out;
  for (const PlaceRun& run : runs) {
    const std::int64_t end = run.place + run.count;
    if (!out.empty() && run.place <= out.back().place + out.back().count) {
      out.back().count = std::max(out.back().count, end - out.back().place);
    } else {
      out.push_back(run);
    }
  }
  return out;
}

/// Points of one row of an element's shape.
std::int64_t row_points(const Extents& shape) {
  return shape.empty() ? 1 : volume(shape) / std::max<std::int64_t>(shape.front(), 1);
}

/// Windows of gatherers are whole rows: their points follow each other in the element, too.
std::int64_t first_point(const Extents& shape, const Box& window) {
  return shape.empty() ? 0 : window.begin.front() * row_points(shape);
}

/// Returns true if any of the positions in a window lies in another window of the element.
bool meet(std::span<const PlaceRun> runs, const Extents& shape, const Box& own,
          const Box& written) {
  const std::int64_t offset = first_point(shape, own) - first_point(shape, written);
  const std::int64_t end = written.volume();
  return std::any_of(runs.begin(), runs.end(), [&](const PlaceRun& run) {
    return run.place + offset < end && run.place + offset + run.count > 0;
  });
}

/// The own piece of a grid; -1: none.
int piece_of(const Pieces& own, int grid) {
  for (std::size_t g = 0; g < own.grids.size(); ++g) {
    if (own.grids[g].grid == grid) return static_cast<int>(g);
  }
  return -1;
}

GatheredPiece gather_piece(const config::Model& model, const Pieces& own,
                           std::span<const OpeningPart> parts, const Pieces& written,
                           const GridPiece& piece) {
  GatheredPiece out;
  const int number = piece_of(own, piece.grid);
  if (number < 0) return out;
  const GridPiece& mine = nth(own.grids, number);
  const auto& elements = model.grids[config::GridId(piece.grid)].elements;
  const auto own_window = [&](std::size_t e) { return static_cast<std::size_t>(mine.windows[e]); };
  const auto own_box = [&](std::size_t e) -> const Box& {
    return own.windows[own_window(e)].window;
  };
  const auto written_box = [&](std::size_t e) -> const Box& {
    return nth(written.windows, piece.windows[e]).window;
  };
  std::vector<std::vector<PlaceRun>> points(elements.size());
  for (const OpeningPart& part : parts) {
    bool concerns = nth(part.offered, number) != 0;
    for (std::size_t e = 0; e < elements.size() && concerns; ++e) {
      concerns = meet(part.windows[own_window(e)], element_shape(model, elements[e]), own_box(e),
                      written_box(e));
    }
    if (!concerns) continue;
    out.has_points = true;
    for (std::size_t e = 0; e < elements.size(); ++e) {
      const std::vector<PlaceRun>& its = part.windows[own_window(e)];
      points[e].insert(points[e].end(), its.begin(), its.end());
    }
  }
  for (std::size_t e = 0; e < elements.size() && out.has_points; ++e) {
    const Extents shape = element_shape(model, elements[e]);
    const std::int64_t first = first_point(shape, own_box(e));
    std::vector<PartRun> runs;
    for (const PlaceRun& run : united(std::move(points[e]))) {
      runs.push_back({first + run.place, run.place, run.count});
    }
    out.points.push_back(clip(Part(std::move(runs), own_box(e).volume()), shape, written_box(e)));
  }
  return out;
}

/// `each` numbers for each of `count` points from `first` on; none where there are none at all.
std::vector<double> cut(const std::vector<double>& values, std::int64_t first, std::int64_t count,
                        std::int64_t each) {
  if (values.empty()) return {};
  const auto begin = values.begin() + first * each;
  return {begin, begin + count * each};
}

/// One dimension of two boxes: what they have in common, as positions in each.
struct Common {
  std::int64_t in_own = 0, in_written = 0, count = 0;
};
Common common(const Box& own, const Box& written, std::size_t d) {
  const std::int64_t begin = std::max(own.begin[d], written.begin[d]);
  const std::int64_t end = std::min(own.begin[d] + own.size[d], written.begin[d] + written.size[d]);
  return {begin - own.begin[d], begin - written.begin[d], std::max<std::int64_t>(end - begin, 0)};
}

CoordinateOffer rectilinear_offer(const CoordinateSlab& slab, const Box& written, bool is_first) {
  CoordinateOffer out;
  const Common rows = common(slab.window, written, 0);
  if (is_first) {
    out.cells = {{0, written.size[1]}};
    out.lon = slab.lon;
    out.bounds_lon = slab.bounds_lon;
  }
  if (rows.count == 0) return out;
  out.rows = {{rows.in_written, rows.count}};
  out.lat = cut(slab.lat, rows.in_own, rows.count, 1);
  out.bounds_lat = cut(slab.bounds_lat, rows.in_own, rows.count, 2);
  const std::int64_t width = written.size[1];
  out.area = cut(slab.area, rows.in_own * width, rows.count * width, 1);
  if (!out.area.empty()) out.area_cells = {{rows.in_written * width, rows.count * width}};
  return out;
}

/// Returns what one cell of a window has of its own: of elements but rectilinear domains
/// everything.
CoordinateOffer cell_offer(const config::Model& model, const CoordinateSlab& slab,
                           const Box& written) {
  CoordinateOffer out;
  const Extents shape = element_shape(model, slab.element);
  const std::int64_t width = row_points(shape);
  Common rows{0, 0, 1};
  if (!shape.empty()) rows = common(slab.window, written, 0);
  if (rows.count == 0) return out;
  const std::int64_t first = rows.in_own * width;
  const std::int64_t count = rows.count * width;
  const std::int64_t vertices = vertices_of(model, slab.element);
  out.cells = {{rows.in_written * width, count}};
  out.values = cut(slab.values, first, count, 1);
  out.bounds = cut(slab.bounds, first, count, 2);
  out.lon = cut(slab.lon, first, count, 1);
  out.lat = cut(slab.lat, first, count, 1);
  out.bounds_lon = cut(slab.bounds_lon, first, count, vertices);
  out.bounds_lat = cut(slab.bounds_lat, first, count, vertices);
  out.area = cut(slab.area, first, count, 1);
  if (!slab.labels.empty()) {
    const auto begin = slab.labels.begin() + first;
    out.labels.assign(begin, begin + count);
  }
  return out;
}

CoordinateOffer offer_of(const config::Model& model, const Pieces& own,
                         std::span<const CoordinateSlab> coordinates, const ElementPiece& written,
                         int gatherer) {
  for (std::size_t c = 0; c < coordinates.size(); ++c) {
    if (own.coordinate_windows[c].element != written.element) continue;
    return is_rectilinear(model, written.element)
               ? rectilinear_offer(coordinates[c], written.window, gatherer == 0)
               : cell_offer(model, coordinates[c], written.window);
  }
  return {};
}

}  // namespace

std::vector<GatheredPiece> gather_points(const config::Model& model, const Pieces& own,
                                         std::span<const OpeningPart> parts,
                                         const Pieces& written) {
  std::vector<GatheredPiece> out;
  out.reserve(written.grids.size());
  for (const GridPiece& piece : written.grids) {
    out.push_back(gather_piece(model, own, parts, written, piece));
  }
  return out;
}

Pattern pattern_to_pass(const GatheredPiece& piece, const RequestedPoints& asked) {
  std::vector<PatternFactor> factors;
  const bool is_empty = asked.points == RequestedPoints::Points::empty ||
                        asked.points == RequestedPoints::Points::none;
  if (is_empty || !piece.has_points) factors.push_back({1, {}});
  for (std::size_t e = 0; e < piece.points.size(); ++e) {
    const Part& points = piece.points[e];
    PatternFactor factor{points.places(), {}};
    const auto add = [&factor](std::span<const PartRun> runs) {
      for (const PartRun& run : runs) factor.runs.push_back({run.place, run.count});
    };
    if (asked.points == RequestedPoints::Points::some) {
      add(requested_runs(points, asked.positions.at(e)));
    } else {
      add(points.runs());
    }
    factors.push_back(std::move(factor));
  }
  return Pattern(factors);
}

void leave_columns_to_first(const config::Model& model, const Pieces& own,
                            std::span<OpeningPart> parts) {
  for (std::size_t c = 0; c < own.coordinate_windows.size(); ++c) {
    if (!is_rectilinear(model, own.coordinate_windows[c].element)) continue;
    for (OpeningPart& part : parts) {
      part.coordinates[c].cells = {};
      part.coordinates[c].lon = {};
      part.coordinates[c].bounds_lon = {};
    }
  }
}

std::vector<PlaceRun> clients_with_points(std::span<const OpeningPart> parts) {
  std::vector<PlaceRun> out;
  for (const OpeningPart& part : parts) {
    if (std::any_of(part.offered.begin(), part.offered.end(), [](auto has) { return has != 0; })) {
      out.push_back({part.client, 1});
    }
  }
  if (out.empty() && !parts.empty()) out.push_back({parts.front().client, 1});
  return united(std::move(out));
}

OpeningPart gathered_opening(const config::Model& model, std::span<const GatheredPiece> points,
                             const Pieces& own, std::span<const CoordinateSlab> coordinates,
                             const Pieces& written, int gatherer) {
  OpeningPart out;
  out.client = gatherer;
  out.windows.resize(written.windows.size());
  out.held.resize(written.windows.size());
  out.masks.resize(written.grids.size());
  for (std::size_t g = 0; g < written.grids.size(); ++g) {
    out.offered.push_back(points[g].has_points ? 1 : 0);
    for (std::size_t e = 0; e < points[g].points.size(); ++e) {
      nth(out.windows, written.grids[g].windows[e]) = positions(points[g].points[e]);
    }
  }
  for (const ElementPiece& piece : written.coordinate_windows) {
    out.coordinates.push_back(offer_of(model, own, coordinates, piece, gatherer));
  }
  return out;
}

}  // namespace epios::io
