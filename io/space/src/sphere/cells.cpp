// Makes and inspects cells: rectilinear grids, bounds between centres, reports of defects, and
// areas. Seams around the sphere are closed exactly.
#include "space/cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "config/elementary.hpp"
#include "sphere/columns.hpp"
#include "sphere/sphere_shapes.hpp"

namespace epios::io {

namespace {

/// The outermost row reaches the pole where no further row would fit: between gaussian latitudes
/// and the pole is more than half of a row.
void reach_pole(double& edge, double inner) {
  const double pole = edge > inner ? 90 : -90;
  if (std::abs(pole - edge) < 0.5 * std::abs(edge - inner)) edge = pole;
}

void note(CellReport::Kind& kind, std::int64_t number) {
  if (kind.count++ == 0) kind.first = number;
}

void add_sentence(std::vector<std::string>& list, const CellReport::Kind& kind, const char* one,
                  const char* many) {
  if (kind.count == 1) list.push_back(fmt::format("cell {} {}", kind.first, one));
  if (kind.count > 1) {
    list.push_back(fmt::format("{} cells {} (the first is cell {})", kind.count, many, kind.first));
  }
}

}  // namespace

Cells rectilinear_cells(std::span<const double> lon_bounds, std::span<const double> lat_bounds,
                        std::span<const double> centres) {
  Cells cells;
  cells.edges = Edges::parallels;
  const std::size_t ni = lon_bounds.size() / 2;
  const std::size_t nj = lat_bounds.size() / 2;
  cells.offsets.reserve(ni * nj + 1);
  cells.lon.reserve(4 * ni * nj);
  cells.lat.reserve(4 * ni * nj);
  cells.offsets.push_back(0);
  std::vector<Bounds> columns(ni);
  for (std::size_t i = 0; i < ni; ++i) {
    const double centre = i < centres.size() ? centres[i] : std::nan("");
    columns[i] = eastwards(lon_bounds[2 * i], lon_bounds[2 * i + 1], centre);
  }
  if (ni > 0) close_seam(columns.front(), columns.back(), static_cast<std::int64_t>(ni));
  for (std::size_t j = 0; j < nj; ++j) {
    const auto [south, north] = std::minmax(lat_bounds[2 * j], lat_bounds[2 * j + 1]);
    for (std::size_t i = 0; i < ni; ++i) {
      const auto [west, east] = columns[i];
      cells.lon.insert(cells.lon.end(), {west, east, east, west});
      cells.lat.insert(cells.lat.end(), {south, south, north, north});
      cells.offsets.push_back(static_cast<std::int64_t>(cells.lon.size()));
    }
  }
  return cells;
}

std::vector<double> bounds_between(std::span<const double> centres, bool is_latitude) {
  const std::size_t n = centres.size();
  if (n == 0) return {};
  if (n == 1) {
    if (is_latitude) return {-90, 90};
    return {centres[0] - 180, centres[0] + 180};
  }
  // Longitudes may begin anew in between.
  std::vector<double> unrolled(centres.begin(), centres.end());
  for (std::size_t k = 1; k < n && !is_latitude; ++k) {
    const double step = unrolled[k] - unrolled[k - 1];
    // Of any size: a fill value among them is many turns away.
    if (step > 180) unrolled[k] -= 360 * std::ceil((step - 180) / 360);
    if (step < -180) unrolled[k] += 360 * std::ceil((-step - 180) / 360);
  }
  std::vector<double> edges(n + 1);
  for (std::size_t k = 1; k < n; ++k) edges[k] = 0.5 * (unrolled[k - 1] + unrolled[k]);
  edges[0] = 2 * unrolled[0] - edges[1];
  edges[n] = 2 * unrolled[n - 1] - edges[n - 1];
  if (is_latitude) {
    for (double& edge : edges) edge = std::clamp(edge, -90.0, 90.0);
    reach_pole(edges[0], edges[1]);
    reach_pole(edges[n], edges[n - 1]);
  } else if (goes_around(edges[0], edges[n], static_cast<std::int64_t>(n))) {
    const bool is_eastwards = edges[n] > edges[0];
    edges[0] = 0.5 * (unrolled[0] + unrolled[n - 1] - (is_eastwards ? 360 : -360));
    edges[n] = around_from(edges[0], is_eastwards);
  }
  std::vector<double> bounds;
  bounds.reserve(2 * n);
  for (std::size_t k = 0; k < n; ++k) bounds.insert(bounds.end(), {edges[k], edges[k + 1]});
  return bounds;
}

Cells selected(const Cells& cells, std::span<const std::size_t> which) {
  Cells some;
  some.edges = cells.edges;
  some.has_made_corners = cells.has_made_corners;
  if (cells.edges == Edges::parallels) some.clockwise = mostly_clockwise(cells);
  some.offsets.push_back(0);
  for (const std::size_t c : which) {
    const auto first = static_cast<std::ptrdiff_t>(cells.offsets[c]);
    const auto last = static_cast<std::ptrdiff_t>(cells.offsets[c + 1]);
    some.index.push_back(cells.number(c));
    some.lon.insert(some.lon.end(), cells.lon.begin() + first, cells.lon.begin() + last);
    some.lat.insert(some.lat.end(), cells.lat.begin() + first, cells.lat.begin() + last);
    some.offsets.push_back(static_cast<std::int64_t>(some.lon.size()));
    if (!cells.centre_lon.empty()) {
      some.centre_lon.push_back(cells.centre_lon[c]);
      some.centre_lat.push_back(cells.centre_lat[c]);
    }
    if (!cells.mask.empty()) some.mask.push_back(cells.mask[c]);
    if (!cells.area.empty()) some.area.push_back(cells.area[c]);
  }
  return some;
}

CellReport inspect(const Cells& cells) {
  CellReport report;
  CellOutline outline(cells, mostly_clockwise(cells));
  RecentDirections directions;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (!cells.counts(c)) continue;
    switch (outline.look(c)) {
      case CellKind::few_corners:
        note(report.few_corners, cells.number(c));
        continue;
      case CellKind::not_finite:
        note(report.not_finite, cells.number(c));
        continue;
      case CellKind::no_area:
        note(report.no_area, cells.number(c));
        continue;
      case CellKind::half_sphere:
        note(report.half_sphere, cells.number(c));
        continue;
      case CellKind::good:
        break;
    }
    report.area +=
        outline.is_box() ? area_of(outline.box(), directions) : area_of(outline.corners());
    note(outline.was_clockwise() ? report.clockwise : report.anticlockwise, cells.number(c));
    if (outline.is_crossed()) note(report.crossed, cells.number(c));
    const auto corners = outline.corners();
    if (!outline.is_box() && !outline.is_convex() &&
        std::any_of(corners.begin(), corners.end(),
                    [](const Corner& corner) { return corner.along_parallel; })) {
      note(report.bent, cells.number(c));
    }
    const bool has_area = !cells.area.empty();
    if (has_area && !(cells.area[c] > 0 && std::isfinite(cells.area[c]))) {
      note(report.odd_area, cells.number(c));
    }
  }
  return report;
}

std::vector<std::string> CellReport::sentences() const {
  std::vector<std::string> list;
  add_sentence(list, few_corners, "has fewer than 3 different corners",
               "have fewer than 3 different corners");
  add_sentence(list, not_finite, "has corners that are no points of the sphere",
               "have corners that are no points of the sphere");
  add_sentence(list, no_area, "has no area: its corners lie on one line, or its halves cross over",
               "have no area: their corners lie on one line, or their halves cross over");
  add_sentence(list, half_sphere,
               "has corners around half of the sphere or more: nothing tells its inside",
               "have corners around half of the sphere or more: nothing tells their inside");
  add_sentence(list, crossed, "has edges that cross or touch each other",
               "have edges that cross or touch each other");
  if (clockwise.count <= anticlockwise.count) {  // the direction of most cells is the right one
    add_sentence(list, clockwise, "goes round clockwise, unlike most: its smaller side is taken",
                 "go round clockwise, unlike most: their smaller sides are taken");
  } else {
    add_sentence(list, anticlockwise,
                 "goes round anticlockwise, unlike most: its smaller side is taken",
                 "go round anticlockwise, unlike most: their smaller sides are taken");
  }
  add_sentence(list, bent, "is bent inwards: its edges along parallels are taken for great circles",
               "are bent inwards: their edges along parallels are taken for great circles");
  add_sentence(list, odd_area, "has an area that is no number above 0: that on the sphere is taken",
               "have areas that are no numbers above 0: those on the sphere are taken");
  return list;
}

std::vector<double> areas_of(const Cells& cells) {
  const Shapes shapes(cells, Shapes::BoxCorners::none, 1);
  RecentDirections directions;
  std::vector<double> areas(cells.size());
  for (std::size_t c = 0; c < cells.size(); ++c) areas[c] = area_of(shapes, c, directions);
  return areas;
}

CellCentres centres_of(const Cells& cells) {
  if (!cells.centre_lon.empty()) return {cells.centre_lon, cells.centre_lat};
  const Shapes shapes(cells, Shapes::BoxCorners::none, 1);
  constexpr double degrees = 180 / std::numbers::pi;
  CellCentres centres;
  RecentDirections directions;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const Vector m = moment_of(shapes, c, directions);
    const bool is_there = dot(m, m) > 0;
    const double none = std::numeric_limits<double>::quiet_NaN();
    centres.lon.push_back(is_there ? config::arc_tangent(m.y, m.x) * degrees : none);
    centres.lat.push_back(is_there ? config::arc_tangent(m.z, std::hypot(m.x, m.y)) * degrees
                                   : none);
  }
  return centres;
}

}  // namespace epios::io
