// Makes the cells of domains, of a client or gathered from others, for weights. It takes corners as
// given or places them between centres, decides whether cells are boxes, and exchanges cells that
// others need.
#include "elements/domain_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "config/model_elements.hpp"
#include "elements/curvilinear_cells.hpp"
#include "elements/element_views.hpp"
#include "elements/healpix_domains.hpp"
#include "elements/local_cells.hpp"
#include "exchange/whole_lines.hpp"
#include "grid/index.hpp"
#include "space/directory.hpp"
#include "sphere/columns.hpp"

namespace epios::io {

namespace {

constexpr double slack = 2e-6;  ///< corners of neighbours may miss each other by a millionth
constexpr std::size_t most_boxes = 64;
constexpr std::size_t boxes_of_all = std::size_t{1} << 16U;  // 1.5 MB

void add_corner(Cells& cells, double lon, double lat) {
  cells.lon.push_back(lon);
  cells.lat.push_back(lat);
}

void close_cell(Cells& cells) {
  cells.offsets.push_back(static_cast<std::int64_t>(cells.lon.size()));
}

void add_box(Cells& cells, const Bounds& column, const double* lat) {
  const double south = std::min(lat[0], lat[1]);
  const double north = std::max(lat[0], lat[1]);
  add_corner(cells, column.begin, south);
  add_corner(cells, column.end, south);
  add_corner(cells, column.end, north);
  add_corner(cells, column.begin, north);
  close_cell(cells);
}

/// The first and the last column of a domain, which meet around the sphere where they nearly do.
using OutermostColumns = std::array<Bounds, 2>;

/// NaN without longitudes.
double column_centre(const config::DomainAttributes& values, std::size_t cell) {
  const bool has_centre = values.lonvalue_1d && cell < values.lonvalue_1d->values.size();
  return has_centre ? values.lonvalue_1d->values[cell] : std::nan("");
}

/// Nothing unless all cells have two bounds, `values`. Collective.
std::optional<OutermostColumns> outermost_columns(const config::DomainAttributes& domain,
                                                  const LocalCells& cells,
                                                  const config::DomainAttributes& values,
                                                  const ep::Comm& clients) {
  const bool is_rectilinear = domain.type.value_or("rectilinear") == "rectilinear";
  const bool has_polygons = cells.count() > 0 && values.nvertex.value_or(2) != 2;
  if (on_any(clients, !is_rectilinear || has_polygons)) return std::nullopt;
  const std::int64_t ni = domain.ni_glo.value_or(0);
  std::vector<std::int64_t> places;
  std::vector<double> own;
  for (std::size_t c = 0; c < cells.i.size(); ++c) {
    for (const bool is_last : {false, true}) {
      if (cells.i[c] != (is_last ? ni - 1 : 0)) continue;
      const double* const lon = values.bounds_lon_1d->values.data() + 2 * c;
      places.insert(places.end(), {is_last ? 2 : 0, is_last ? 3 : 1});
      own.insert(own.end(), {lon[0], lon[1]});
      const double centre = column_centre(values, c);
      if (std::isnan(centre)) continue;
      places.push_back(is_last ? 5 : 4);
      own.push_back(centre);
    }
  }
  // Two bounds of each, and their centres.
  const std::vector<double> ends = whole_line(clients, 6, places, own);
  if (std::any_of(ends.begin(), ends.begin() + 4, [](double v) { return !std::isfinite(v); })) {
    return std::nullopt;
  }
  const auto centre = [](double given) { return std::isfinite(given) ? given : std::nan(""); };
  OutermostColumns out{eastwards(ends[0], ends[1], centre(ends[4])),
                       eastwards(ends[2], ends[3], centre(ends[5]))};
  close_seam(out[0], ni > 1 ? out[1] : out[0], ni);
  return out;
}

/// Bounds of all columns or rows half way between their centres; none if some centre is not known.
/// `given`: centres of the cells, which are at `points`. Collective.
std::vector<double> bounds_of_line(const std::vector<std::int64_t>& points, std::int64_t size,
                                   const std::optional<config::value::reals>& given,
                                   bool is_latitude, const ep::Comm& clients) {
  const bool has_any = given && given->values.size() == points.size();
  const std::vector<double> centres =
      whole_line(clients, size, has_any ? points : std::vector<std::int64_t>(),
                 has_any ? given->values : std::vector<double>());
  const bool is_whole = std::all_of(centres.begin(), centres.end(),
                                    [](double value) { return std::isfinite(value); });
  return is_whole && !centres.empty() ? bounds_between(centres, is_latitude)
                                      : std::vector<double>();
}
std::vector<double> columns_between(const config::DomainAttributes& a, const LocalCells& cells,
                                    const config::DomainAttributes& values,
                                    const ep::Comm& clients) {
  return bounds_of_line(cells.i, a.ni_glo.value_or(0), values.lonvalue_1d, false, clients);
}
std::vector<double> rows_between(const config::DomainAttributes& a, const LocalCells& cells,
                                 const config::DomainAttributes& values, const ep::Comm& clients) {
  return bounds_of_line(cells.j, a.nj_glo.value_or(0), values.latvalue_1d, true, clients);
}

/// Corners half way between centres, which are known along both sides.
bool add_between_centres(const config::DomainAttributes& a, const LocalCells& cells,
                         const config::DomainAttributes& values, const ep::Comm& clients,
                         Cells& out) {
  const std::vector<double> lon = columns_between(a, cells, values, clients);
  const std::vector<double> lat = rows_between(a, cells, values, clients);
  if (lon.empty() || lat.empty()) return false;
  for (std::size_t c = 0; c < cells.i.size(); ++c) {
    const double* const bounds = lon.data() + 2 * cells.i[c];
    const double centre = column_centre(values, c);
    add_box(out, eastwards(bounds[0], bounds[1], centre), lat.data() + 2 * cells.j[c]);
  }
  return true;
}

/// Values of the cells one by one. Where all clients give the two bounds of columns alone, or of
/// rows alone, those of the other side are between centres. Collective.
config::DomainAttributes completed_values(const config::DomainAttributes& a,
                                          const LocalCells& cells, const ep::Comm& clients) {
  config::DomainAttributes values = values_of_cells(a, cells);
  if (a.type.value_or("rectilinear") != "rectilinear") return values;
  const auto is_given = [&](const std::optional<config::value::reals>& bounds) {
    const bool has_two = bounds && values.nvertex.value_or(2) == 2 &&
                         static_cast<std::int64_t>(bounds->values.size()) == 2 * cells.count();
    return !on_any(clients, cells.count() > 0 && !has_two);
  };
  const bool has_lon = is_given(values.bounds_lon_1d);
  const bool has_lat = is_given(values.bounds_lat_1d);
  if (has_lon == has_lat) return values;
  const std::vector<double> line = has_lon ? rows_between(a, cells, values, clients)
                                           : columns_between(a, cells, values, clients);
  if (line.empty()) return values;
  config::value::reals bounds{{}, {2, cells.count()}};
  for (const std::int64_t place : has_lon ? cells.j : cells.i) {
    const double* const two = line.data() + 2 * place;
    bounds.values.insert(bounds.values.end(), {two[0], two[1]});
  }
  (has_lon ? values.bounds_lat_1d : values.bounds_lon_1d) = std::move(bounds);
  return values;
}

/// `values`: those of the cells of `domain` one by one. Collective.
void add_corners(const config::DomainAttributes& domain, const LocalCells& cells,
                 const config::DomainAttributes& values, const ep::Comm& clients, Cells& out) {
  if (is_healpix(domain)) return add_pixels(domain, cells, out);
  const auto outermost = outermost_columns(domain, cells, values, clients);
  if (cells.count() == 0) return;
  const std::int64_t vertices = values.nvertex.value_or(2);
  const std::vector<double>& lon = values.bounds_lon_1d->values;
  const std::vector<double>& lat = values.bounds_lat_1d->values;
  for (std::size_t first = 0; first < lon.size(); first += as_index(vertices)) {
    if (vertices == 2) {
      const std::int64_t i = cells.i[first / 2];
      const bool is_outermost = outermost && (i == 0 || i == domain.ni_glo.value_or(0) - 1);
      const Bounds column =
          is_outermost ? outermost->at(i == 0 ? 0 : 1)
                       : eastwards(lon[first], lon[first + 1], column_centre(values, first / 2));
      add_box(out, column, lat.data() + first);
      continue;
    }
    for (std::size_t v = first; v < first + as_index(vertices); ++v) {
      // Cells with fewer corners may have none in some places, in files that are read.
      if (!std::isnan(lon[v]) || !std::isnan(lat[v])) add_corner(out, lon[v], lat[v]);
    }
    close_cell(out);
  }
}

/// One of those of the same number, rather one that counts; by numbers.
Cells each_once(const Cells& cells) {
  std::vector<std::size_t> order(cells.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return cells.number(a) != cells.number(b) ? cells.number(a) < cells.number(b)
                                              : cells.counts(a) && !cells.counts(b);
  });
  order.erase(
      std::unique(order.begin(), order.end(),
                  [&](std::size_t a, std::size_t b) { return cells.number(a) == cells.number(b); }),
      order.end());
  return selected(cells, order);
}

/// Appends a cell as numbers: its number, whether it counts, number of corners, corners, centre,
/// area.
void append(const Cells& cells, std::size_t cell, std::vector<std::int64_t>& out) {
  const auto real = [&](double value) { out.push_back(std::bit_cast<std::int64_t>(value)); };
  const std::int64_t first = cells.offsets[cell];
  const std::int64_t end = cells.offsets[cell + 1];
  out.push_back(cells.number(cell));
  out.push_back(cells.counts(cell) ? 1 : 0);
  out.push_back(end - first);
  for (std::int64_t v = first; v < end; ++v) {
    real(cells.lon[as_index(v)]);
    real(cells.lat[as_index(v)]);
  }
  real(cells.centre_lon.empty() ? std::nan("") : cells.centre_lon[cell]);
  real(cells.centre_lat.empty() ? std::nan("") : cells.centre_lat[cell]);
  real(cells.area.empty() ? std::nan("") : cells.area[cell]);
}

void read(const std::vector<std::int64_t>& in, Cells& out) {
  std::size_t k = 0;
  const auto real = [&] { return std::bit_cast<double>(in[k++]); };
  while (k < in.size()) {
    out.index.push_back(in[k++]);
    out.mask.push_back(static_cast<std::uint8_t>(in[k++]));
    for (std::int64_t v = in [k++]; v > 0; --v) {
      const double lon = real();
      add_corner(out, lon, real());
    }
    close_cell(out);
    out.centre_lon.push_back(real());
    out.centre_lat.push_back(real());
    out.area.push_back(real());
  }
}

bool is_nan(double value) { return std::isnan(value); }

/// Many clients have small parts, each of which lies in few boxes: all of them know all boxes.
std::size_t boxes_each(const ep::Comm& clients) {
  return std::clamp<std::size_t>(boxes_of_all / as_index(clients.size()), 1, most_boxes);
}

std::vector<SpaceBox> all_boxes(const std::vector<SpaceBox>& mine, const ep::Comm& clients) {
  const std::size_t each = boxes_each(clients);
  std::vector<SpaceBox> padded(each);
  std::copy(mine.begin(), mine.end(), padded.begin());
  std::vector<SpaceBox> all(each * as_index(clients.size()));
  const int bytes = static_cast<int>(each * sizeof(SpaceBox));
  ep::check(
      EP_Allgather(padded.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, clients.get()));
  return all;
}

/// Cells of all clients that are in the boxes of this one.
Cells cells_for(const std::vector<SpaceBox>& mine, const Cells& own, const CellIndex& index,
                const ep::Comm& clients) {
  const std::vector<SpaceBox> all = all_boxes(mine, clients);
  const std::size_t each = boxes_each(clients);
  std::vector<std::vector<std::int64_t>> lists(as_index(clients.size()));
  for (std::size_t r = 0; r < lists.size(); ++r) {
    const auto theirs = std::span(all).subspan(r * each, each);
    for (const std::size_t cell : index.in(theirs)) append(own, cell, lists[r]);
  }
  Cells out;
  out.edges = own.edges;
  out.clockwise = own.clockwise;
  out.has_made_corners = own.has_made_corners;
  out.offsets.push_back(0);
  for (const auto& list : exchange_lists(clients, lists)) read(list, out);
  out = each_once(out);
  if (std::any_of(out.centre_lon.begin(), out.centre_lon.end(), is_nan)) {
    out.centre_lon.clear();
    out.centre_lat.clear();
  }
  if (std::any_of(out.area.begin(), out.area.end(), is_nan)) out.area.clear();
  return out;
}

Cells counting(const Cells& own) {
  std::vector<std::size_t> which;
  for (std::size_t c = 0; c < own.size(); ++c) {
    if (own.counts(c)) which.push_back(c);
  }
  return selected(own, which);
}

/// Returns the edges of listed cells. If all of them are boxes, it is a grid of rows that is
/// written as a list.
Edges edges_of_list(Cells& cells, const ep::Comm& clients) {
  cells.edges = Edges::parallels;
  return on_any(clients, !are_boxes(cells)) ? Edges::great_circles : Edges::parallels;
}

/// Returns the cells that count and that no client of lower rank has.
Cells without_copies(const Cells& own, std::int64_t size, const ep::Comm& clients) {
  std::vector<std::size_t> which;
  std::vector<std::int64_t> keys;
  for (std::size_t c = 0; c < own.size(); ++c) {
    if (!own.counts(c)) continue;
    which.push_back(c);
    keys.push_back(own.number(c));
  }
  const std::vector<Directory::Stretch> repeated = Directory(clients, size, keys).repeated();
  auto stretch = repeated.begin();
  const auto is_copy = [&](std::size_t c) {
    while (stretch != repeated.end() && stretch->end <= own.number(c)) ++stretch;
    return stretch != repeated.end() && stretch->first <= own.number(c) &&
           stretch->lowest != clients.rank();
  };
  which.erase(std::remove_if(which.begin(), which.end(), is_copy), which.end());
  return selected(own, which);
}

/// The direction of all boxes, whatever this client has of them.
bool are_clockwise(const Cells& cells, const ep::Comm& clients) {
  const std::int64_t own = clockwise_votes(cells);
  std::int64_t all = 0;
  ep::check(EP_Allreduce(&own, &all, 1, MPI_INT64_T, MPI_SUM, clients.get()));
  return all < 0;
}

}  // namespace

std::optional<Cells> cells_of(const config::Domain& domain, const Points& points, Needed needed,
                              const ep::Comm& clients, std::string& why) {
  const config::DomainAttributes& a = domain.attributes;
  const LocalCells cells = local_cells(a);
  const config::DomainAttributes values = completed_values(a, cells, clients);
  const std::string type = a.type.value_or("rectilinear");
  const bool is_rectilinear = type == "rectilinear";
  const std::int64_t vertices = values.nvertex.value_or(2);
  const auto has_all = [&](const std::optional<config::value::reals>& list, std::int64_t each) {
    return list && static_cast<std::int64_t>(list->values.size()) == each * cells.count();
  };
  const bool has_corners =
      (is_healpix(a) && needed != Needed::centres) ||
      (has_all(values.bounds_lon_1d, vertices) && has_all(values.bounds_lat_1d, vertices));
  const bool lacks_corners = on_any(clients, cells.count() > 0 && !has_corners);
  const auto lacks = [&](const std::optional<config::value::reals>& list, std::int64_t each) {
    return cells.count() > 0 && !has_all(list, each);
  };
  const auto lacks_centres = [&] {
    return on_any(clients, lacks(values.lonvalue_1d, 1) || lacks(values.latvalue_1d, 1));
  };
  Cells out;
  const bool has_rows = is_rectilinear || type == "gaussian";
  out.edges = has_rows ? Edges::parallels : Edges::great_circles;
  out.offsets.push_back(0);
  if (!lacks_corners) {
    add_corners(a, cells, values, clients, out);
    if (!has_rows) out.edges = edges_of_list(out, clients);
  } else if (needed == Needed::centres && !lacks_centres()) {
    out.offsets.assign(as_index(cells.count()) + 1, 0);
  } else if (type == "curvilinear" && !lacks_centres()) {
    out.has_made_corners = true;
    if (has_straight_rows(a, cells, values, clients) &&
        add_between_centres(a, cells, values, clients, out)) {
      out.edges = Edges::parallels;
    } else {
      add_amid_centres(a, cells, values, clients, out);
    }
  } else if (!is_rectilinear || !add_between_centres(a, cells, values, clients, out)) {
    why = fmt::format("domain '{}' has no corners ({}). Set {} on each client?", domain.id,
                      is_rectilinear || type == "curvilinear"
                          ? "nor all of its longitudes and latitudes"
                          : "nothing says how far its cells reach",
                      is_rectilinear          ? "lonvalue_1d and latvalue_1d"
                      : type == "curvilinear" ? "lonvalue_2d and latvalue_2d"
                                              : "nvertex, bounds_lon_1d and bounds_lat_1d");
    return std::nullopt;
  }
  for (std::size_t c = 0; c < cells.i.size(); ++c) {
    out.index.push_back(cells.j[c] * a.ni_glo.value_or(0) + cells.i[c]);
    out.mask.push_back(
        std::binary_search(points.keys.begin(), points.keys.end(), out.index.back()) ? 1 : 0);
  }
  if (has_all(values.lonvalue_1d, 1) && has_all(values.latvalue_1d, 1)) {
    out.centre_lon = values.lonvalue_1d->values;
    out.centre_lat = values.latvalue_1d->values;
  }
  if (has_all(values.area_1d, 1)) out.area = values.area_1d->values;
  if (out.edges == Edges::parallels) out.clockwise = are_clockwise(out, clients);
  return each_once(out);
}

Cells cells_around(const Cells& own, const Cells& around, const RemapOptions& options,
                   const ep::Comm& clients) {
  using enum CellIndex::Of;
  const std::size_t each = boxes_each(clients);
  if (options.method == RemapMethod::nearest) {
    const CellIndex sources(own, centres);
    const std::vector<SpaceBox> all = all_boxes(sources.boxes(each), clients);
    return cells_for(boxes_to_nearest(around, all, each), own, sources, clients);
  }
  const bool is_bilinear = options.method == RemapMethod::bilinear;
  // A client that has all cells need not look for those near its own: overlaps are looked for
  // anyway. (Areas that are no numbers count only where cells are near.)
  if (!is_bilinear && !options.use_area && clients.size() == 1) return counting(own);
  const CellIndex sources(own, CellIndex::Of::cells);
  const CellIndex targets(around, is_bilinear ? centres : CellIndex::Of::cells);
  Cells found = cells_for(targets.boxes(each), own, sources, clients);
  if (!is_bilinear && options.order < 2) return found;
  const CellIndex inner(found, CellIndex::Of::cells);
  return cells_for(inner.boxes(each, slack), own, sources, clients);
}

Cells cells_beside(const Cells& own, const ep::Comm& clients) {
  const CellIndex index(own, CellIndex::Of::cells);
  return cells_for(index.boxes(boxes_each(clients), slack), own, index, clients);
}

CellReport report_of(const Cells& own, std::int64_t size, const ep::Comm& clients) {
  CellReport report = inspect(without_copies(own, size, clients));
  constexpr int count = 9;
  const std::array<CellReport::Kind*, count> kinds{
      &report.few_corners,   &report.not_finite, &report.no_area,
      &report.half_sphere,   &report.crossed,    &report.clockwise,
      &report.anticlockwise, &report.bent,       &report.odd_area};
  std::array<std::int64_t, count> counts{};
  std::array<std::int64_t, count> firsts{};
  std::array<std::int64_t, count> all{};
  std::array<std::int64_t, count> least{};
  constexpr std::int64_t none = std::int64_t{1} << 62U;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    counts[k] = static_cast<std::int64_t>(kinds[k]->count);
    firsts[k] = kinds[k]->first < 0 ? none : kinds[k]->first;
  }
  ep::check(EP_Allreduce(counts.data(), all.data(), count, MPI_INT64_T, MPI_SUM, clients.get()));
  ep::check(EP_Allreduce(firsts.data(), least.data(), count, MPI_INT64_T, MPI_MIN, clients.get()));
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    kinds[k]->count = static_cast<std::size_t>(all[k]);
    kinds[k]->first = least[k] == none ? -1 : least[k];
  }
  return report;
}

}  // namespace epios::io
