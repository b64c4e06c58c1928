#include "event/gathered.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

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

/// As a part of an element, of which the window begins with the point `first`.
Part part_of(std::vector<PlaceRun> runs, std::int64_t first, std::int64_t places) {
  std::vector<PartRun> points;
  for (const PlaceRun& run : united(std::move(runs))) {
    points.push_back({first + run.place, run.place, run.count});
  }
  return {std::move(points), places};
}

/// Points of one row of an element's shape.
std::int64_t row_points(const Extents& shape) {
  return shape.empty() ? 1 : volume(shape) / std::max<std::int64_t>(shape.front(), 1);
}

/// Windows of gatherers are whole rows: their points follow each other in the element, too.
std::int64_t first_point(const Extents& shape, const Box& window) {
  return shape.empty() ? 0 : window.begin.front() * row_points(shape);
}

std::size_t count_of(const config::Model& model, Element::Kind kind) {
  switch (kind) {
    case Element::Kind::axis:
      return model.axes.size();
    case Element::Kind::domain:
      return model.domains.size();
    case Element::Kind::scalar:
      break;
  }
  return model.scalars.size();
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

/// What one cell of a window has of its own: of elements but rectilinear domains everything.
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

LocalParts gathered_parts(const config::Model& model, const Pieces& own,
                          std::span<const OpeningPart> parts) {
  const auto parts_of = [&](Element::Kind kind) {
    const std::size_t count = count_of(model, kind);
    LocalParts::Kind out{std::vector<Part>(count, Part({}, 0)),
                         std::vector<Part>(count, Part({}, 0))};
    for (std::size_t w = 0; w < own.windows.size(); ++w) {
      const ElementPiece& piece = own.windows[w];
      if (piece.element.kind != kind) continue;
      const auto index = static_cast<std::size_t>(piece.element.index);
      const std::int64_t first = first_point(element_shape(model, piece.element), piece.window);
      std::vector<PlaceRun> data;
      std::vector<PlaceRun> held;
      for (const OpeningPart& part : parts) {
        const auto& described = part.held[w].empty() ? part.windows[w] : part.held[w];
        data.insert(data.end(), part.windows[w].begin(), part.windows[w].end());
        held.insert(held.end(), described.begin(), described.end());
      }
      out.data[index] = part_of(std::move(data), first, piece.window.volume());
      out.owned[index] = part_of(std::move(held), first, piece.window.volume());
    }
    return out;
  };
  return {parts_of(Element::Kind::scalar), parts_of(Element::Kind::axis),
          parts_of(Element::Kind::domain)};
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

OpeningPart gathered_opening(const config::Model& model, const LocalParts& gathered,
                             const Pieces& own, std::span<const CoordinateSlab> coordinates,
                             const Pieces& written, int gatherer) {
  Holders holders;
  // Grids without a domain are the first one's; of coordinates opening_part() has nothing to tell.
  for (const config::Grid& grid : model.grids) {
    const bool has_domain =
        std::any_of(grid.elements.begin(), grid.elements.end(),
                    [](const Element& element) { return element.kind == Element::Kind::domain; });
    holders.grids.push_back(has_domain ? Holders::none : 0);
  }
  holders.scalars.assign(model.scalars.size(), -1);
  holders.axes.assign(model.axes.size(), -1);
  holders.domains.assign(model.domains.size(), -1);
  OpeningPart out = opening_part(model, gathered, written, holders, gatherer);
  for (std::size_t c = 0; c < written.coordinate_windows.size(); ++c) {
    out.coordinates[c] = offer_of(model, own, coordinates, written.coordinate_windows[c], gatherer);
  }
  return out;
}

}  // namespace epios::io
