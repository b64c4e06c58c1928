// Views of domains: extract, reorder and extract a line. Each one lists the cells that remain and
// picks their coordinates, bounds and masks by that list.
#include <algorithm>
#include <cmath>
#include <utility>

#include "config/model_elements.hpp"
#include "config/spatial.hpp"
#include "elements/element_views.hpp"
#include "elements/local_cells.hpp"
#include "elements/selection.hpp"
#include "grid/index.hpp"
#include "grid/rectilinear_side.hpp"

namespace epios::io {

namespace {

using config::DomainAttributes;
using Reals = std::optional<config::value::reals>;

const Reals& either(const Reals& a, const Reals& b) { return a ? a : b; }
const Reals& area_of(const DomainAttributes& a) {
  return a.area_1d ? a.area_1d : either(a.area_2d, a.area);
}

bool is_rectilinear(const DomainAttributes& a) {
  return a.type.value_or("rectilinear") == "rectilinear";
}

bool has(const Reals& list, std::int64_t count) {
  return !list || static_cast<std::int64_t>(list->values.size()) == count;
}

/// Longitudes and latitudes, or bounds of both, and whom they belong to.
struct GivenPair {
  Reals lon, lat;
  std::int64_t each = 1;   ///< values of a point
  bool has_sides = false;  ///< points are columns and rows of a block, else cells
};

RectilinearSide own_columns(const DomainAttributes& a, const LocalCells& cells) {
  return columns_of(cells.ni, cells.nj, a.i_index.has_value());
}
RectilinearSide own_rows(const DomainAttributes& a, const LocalCells& cells) {
  return rows_of(cells.ni, cells.nj, a.i_index.has_value());
}

GivenPair given_centres(const DomainAttributes& a, const LocalCells& cells) {
  GivenPair out{either(a.lonvalue_1d, a.lonvalue_2d), either(a.latvalue_1d, a.latvalue_2d)};
  const std::int64_t count = cells.count();
  if (!is_rectilinear(a) || (has(out.lon, count) && has(out.lat, count))) return out;
  if (out.lon) out.lon->values = along_side(out.lon->values, own_columns(a, cells), 1);
  if (out.lat) out.lat->values = along_side(out.lat->values, own_rows(a, cells), 1);
  out.has_sides = !a.i_index;
  return out;
}

/// Corners of the cells of a rectilinear domain count as such if there are both; else columns and
/// rows have two bounds, as in files.
GivenPair given_bounds(const DomainAttributes& a, const LocalCells& cells) {
  GivenPair out{either(a.bounds_lon_1d, a.bounds_lon_2d), either(a.bounds_lat_1d, a.bounds_lat_2d),
                a.nvertex.value_or(2)};
  const std::int64_t values = out.each * cells.count();
  const bool are_pairs = out.each == 2 || !(out.lon || out.lat);
  const bool are_of_cells = has(out.lon, values) && has(out.lat, values);
  if (!is_rectilinear(a) || (are_of_cells && (are_pairs || (out.lon && out.lat)))) return out;
  if (out.lon) {
    const Reals& centres = either(a.lonvalue_1d, a.lonvalue_2d);
    const std::vector<double> around =
        centres ? along_side(centres->values, own_columns(a, cells), 1) : std::vector<double>();
    out.lon->values = side_bounds(out.lon->values, own_columns(a, cells), out.each, around);
  }
  if (out.lat) out.lat->values = side_bounds(out.lat->values, own_rows(a, cells), out.each);
  out.each = 2;
  out.has_sides = !a.i_index;
  return out;
}

/// Which columns and rows of the client's cells, and which cells, are left.
struct Selection {
  SelectedCells cells;
  SelectedCells columns;
  SelectedCells rows;
};

/// Coordinates, areas and masks of the cells that are left. Values along sides stay such where the
/// cells form rows; else each cell gets its own.
void pick_values(const DomainAttributes& a, const LocalCells& cells, const Selection& kept,
                 DomainAttributes& out) {
  const GivenPair centres = given_centres(a, cells);
  const GivenPair bounds = given_bounds(a, cells);
  SelectedCells columns = kept.columns;
  SelectedCells rows = kept.rows;
  if (cells.is_listed) {  // one value per cell
    columns = rows = kept.cells;
    for (std::int64_t& column : columns) column %= std::max<std::int64_t>(1, cells.ni);
    for (std::int64_t& row : rows) row /= std::max<std::int64_t>(1, cells.ni);
  }
  out.lonvalue_1d = picked(centres.lon, centres.has_sides ? columns : kept.cells);
  out.latvalue_1d = picked(centres.lat, centres.has_sides ? rows : kept.cells);
  out.bounds_lon_1d = picked(bounds.lon, bounds.has_sides ? columns : kept.cells, bounds.each);
  out.bounds_lat_1d = picked(bounds.lat, bounds.has_sides ? rows : kept.cells, bounds.each);
  const bool has_pairs = (bounds.lon || bounds.lat) && bounds.each == 2;
  out.nvertex = has_pairs && cells.is_listed ? std::optional<std::int64_t>(2) : a.nvertex;
  out.area_1d = picked(area_of(a), kept.cells);
  out.mask_1d = picked(a.mask_1d ? a.mask_1d : a.mask_2d, kept.cells);
}

/// The model's array of the source, in which the cells that are left lie somewhere.
void place_cells(const DomainAttributes& a, const LocalCells& cells, const Selection& kept,
                 DomainAttributes& out) {
  const bool is_plain = !cells.is_listed && !a.data_i_index && a.data_dim.value_or(1) == 2;
  if (is_plain) {
    const std::int64_t i = kept.columns.empty() ? 0 : kept.columns.front();
    const std::int64_t j = kept.rows.empty() ? 0 : kept.rows.front();
    out.data_dim = 2;
    out.data_ibegin = a.data_ibegin.value_or(0) - i;
    out.data_jbegin = a.data_jbegin.value_or(0) - j;
    out.data_ni = a.data_ni.value_or(cells.ni);
    out.data_nj = a.data_nj.value_or(cells.nj);
    return;
  }
  const std::vector<std::int64_t> left = positions(kept.cells, cells.count());
  std::vector<std::int64_t> places = cells_of_places(a, cells);
  for (std::int64_t& cell : places) {
    if (cell >= 0) cell = left[as_index(cell)];
  }
  out.data_dim = 1;
  out.data_ni = static_cast<std::int64_t>(places.size());
  out.data_nj = std::nullopt;
  out.data_i_index = listed(std::move(places));
  out.data_j_index = std::nullopt;
}

/// Places of [begin, begin + n) of the interval that are in it.
SelectedCells overlap(std::int64_t begin, std::int64_t n, const config::Interval& interval) {
  SelectedCells out;
  for (std::int64_t k = 0; k < n; ++k) {
    const std::int64_t global = begin + k - interval.begin;
    if (global >= 0 && global < interval.n) out.push_back(k);
  }
  return out;
}

Selection select(const DomainAttributes& a, const LocalCells& cells,
                 const config::DomainWindow& window) {
  Selection out;
  if (cells.is_listed) {
    for (std::int64_t cell = 0; cell < cells.count(); ++cell) {
      const std::int64_t i = cells.i[as_index(cell)] - window.i.begin;
      const std::int64_t j = cells.j[as_index(cell)] - window.j.begin;
      if (i >= 0 && i < window.i.n && j >= 0 && j < window.j.n) out.cells.push_back(cell);
    }
    return out;
  }
  out.columns = overlap(a.ibegin.value_or(0), cells.ni, window.i);
  out.rows = overlap(a.jbegin.value_or(0), cells.nj, window.j);
  if (out.columns.empty() || out.rows.empty()) {
    out.columns.clear();
    out.rows.clear();
  }
  for (const std::int64_t row : out.rows) {
    for (const std::int64_t column : out.columns) out.cells.push_back(row * cells.ni + column);
  }
  return out;
}

/// Longitudes between two limits; bounds go with them.
void wrap(const config::Transformation& reorder, Reals& lon, Reals& bounds) {
  const auto least = config::real_of(reorder, "min_lon");
  const auto greatest = config::real_of(reorder, "max_lon");
  if (!lon || (!least && !greatest)) return;
  const std::size_t each =
      bounds && !lon->values.empty() ? bounds->values.size() / lon->values.size() : 0;
  for (std::size_t k = 0; k < lon->values.size(); ++k) {
    double& value = lon->values[k];
    double turns = 0;
    if (least && value < *least) turns = std::ceil((*least - value) / 360);
    if (greatest && value + 360 * turns > *greatest) {
      turns -= std::ceil((value + 360 * turns - *greatest) / 360);
    }
    value += 360 * turns;
    for (std::size_t v = k * each; v < (k + 1) * each; ++v) bounds->values[v] += 360 * turns;
  }
}

}  // namespace

LocalCells local_cells(const DomainAttributes& a) {
  LocalCells out;
  const auto size = static_cast<std::int64_t>(a.i_index ? a.i_index->values.size() : 0);
  out.is_listed = a.i_index.has_value();
  out.ni = a.ni.value_or(out.is_listed ? size : a.ni_glo.value_or(0));
  out.nj = a.nj.value_or(out.is_listed ? 1 : a.nj_glo.value_or(0));
  out.i.resize(as_index(out.count()));
  out.j.resize(as_index(out.count()));
  for (std::int64_t cell = 0; cell < out.count(); ++cell) {
    const std::size_t c = as_index(cell);
    out.i[c] = a.i_index ? a.i_index->values[c] : a.ibegin.value_or(0) + cell % out.ni;
    out.j[c] = !a.i_index  ? a.jbegin.value_or(0) + cell / out.ni
               : a.j_index ? a.j_index->values[c]
                           : a.jbegin.value_or(0);
  }
  return out;
}

std::vector<std::int64_t> cells_of_places(const DomainAttributes& a, const LocalCells& cells) {
  std::vector<std::int64_t> out;
  const bool is_flat = a.data_dim.value_or(1) == 1;
  const std::int64_t count = cells.count();
  const auto cell_of = [&](std::int64_t i, std::int64_t j) {
    return i >= 0 && i < cells.ni && j >= 0 && j < cells.nj ? j * cells.ni + i : -1;
  };
  const auto within = [count](std::int64_t cell) { return cell >= 0 && cell < count ? cell : -1; };
  if (a.data_i_index) {
    const std::vector<std::int64_t>& is = a.data_i_index->values;
    for (std::size_t k = 0; k < is.size(); ++k) {
      const std::int64_t j = a.data_j_index ? a.data_j_index->values[k] : 0;
      out.push_back(is_flat && !a.data_j_index ? within(is[k]) : cell_of(is[k], j));
    }
    return out;
  }
  if (is_flat) {
    out.resize(as_index(a.data_ni.value_or(count)));
    for (std::size_t k = 0; k < out.size(); ++k) {
      out[k] = within(a.data_ibegin.value_or(0) + static_cast<std::int64_t>(k));
    }
    return out;
  }
  const std::int64_t data_ni = a.data_ni.value_or(cells.ni);
  const std::int64_t data_nj = a.data_nj.value_or(cells.nj);
  for (std::int64_t j = 0; j < data_nj; ++j) {
    for (std::int64_t i = 0; i < data_ni; ++i) {
      out.push_back(cell_of(a.data_ibegin.value_or(0) + i, a.data_jbegin.value_or(0) + j));
    }
  }
  return out;
}

SelectedCells views::extract_domain(const config::Domain& source,
                                    const config::Transformation& extract, config::Domain& target) {
  const DomainAttributes& a = source.attributes;
  DomainAttributes& out = target.attributes;
  const config::DomainWindow window =
      config::extracted_window(extract, a.ni_glo.value_or(0), a.nj_glo.value_or(0));
  const LocalCells cells = local_cells(a);
  const Selection kept = select(a, cells, window);
  if (cells.is_listed) {
    std::vector<std::int64_t> i;
    std::vector<std::int64_t> j;
    for (const std::int64_t cell : kept.cells) {
      i.push_back(cells.i[as_index(cell)] - window.i.begin);
      j.push_back(cells.j[as_index(cell)] - window.j.begin);
    }
    out.ni = static_cast<std::int64_t>(kept.cells.size());
    out.nj = 1;
    out.i_index = listed(std::move(i));
    out.j_index = listed(std::move(j));
  } else {
    const bool is_empty = kept.cells.empty();
    out.ni = static_cast<std::int64_t>(kept.columns.size());
    out.nj = static_cast<std::int64_t>(kept.rows.size());
    out.ibegin = is_empty ? 0 : a.ibegin.value_or(0) + kept.columns.front() - window.i.begin;
    out.jbegin = is_empty ? 0 : a.jbegin.value_or(0) + kept.rows.front() - window.j.begin;
  }
  pick_values(a, cells, kept, out);
  place_cells(a, cells, kept, out);
  return kept.cells;
}

/// The cells stay where they are, under other numbers.
SelectedCells views::reorder_domain(const config::Domain& source,
                                    const config::Transformation& reorder, config::Domain& target) {
  const DomainAttributes& a = source.attributes;
  DomainAttributes& out = target.attributes;
  const std::int64_t ni = a.ni_glo.value_or(0);
  const std::int64_t nj = a.nj_glo.value_or(0);
  const double fraction = config::real_of(reorder, "shift_lon_fraction").value_or(0);
  auto shift = static_cast<std::int64_t>(std::fmod(fraction, 1.0) * static_cast<double>(ni));
  if (shift < 0) shift += ni;
  LocalCells cells = local_cells(a);
  for (std::int64_t& i : cells.i) i = (i + shift) % ni;
  if (config::flag_of(reorder, "invert_lat")) {
    for (std::int64_t& j : cells.j) j = nj - 1 - j;
  }
  const Selection all{all_of(cells.count()), {}, {}};
  LocalCells as_listed = cells;
  as_listed.is_listed = true;
  pick_values(a, as_listed, all, out);
  wrap(reorder, out.lonvalue_1d, out.bounds_lon_1d);
  out.ni = cells.ni;
  out.nj = cells.nj;
  out.i_index = listed(std::move(cells.i));
  out.j_index = listed(std::move(cells.j));
  out.data_dim = a.data_dim;
  out.data_ibegin = a.data_ibegin;
  out.data_jbegin = a.data_jbegin;
  out.data_ni = a.data_ni;
  out.data_nj = a.data_nj;
  out.data_i_index = a.data_i_index;
  out.data_j_index = a.data_j_index;
  return all.cells;
}

DomainAttributes values_of_cells(const DomainAttributes& domain, const LocalCells& cells) {
  DomainAttributes values;
  LocalCells as_listed = cells;
  as_listed.is_listed = true;
  pick_values(domain, as_listed, {all_of(cells.count()), {}, {}}, values);
  return values;
}

void describe_line(const DomainAttributes& source, const LocalCells& cells, bool is_i,
                   const SelectedCells& kept, const SelectedCells& own,
                   config::AxisAttributes& axis) {
  DomainAttributes values;
  LocalCells as_listed = cells;
  as_listed.is_listed = true;
  pick_values(source, as_listed, {kept, {}, {}}, values);
  axis.value = axis.value ? picked(axis.value, own)
               : is_i     ? values.lonvalue_1d
                          : values.latvalue_1d;
  axis.label = picked(axis.label, own);
  const Reals& bounds = is_i ? values.bounds_lon_1d : values.bounds_lat_1d;
  // Whatever this client has of the line: all must say the same.
  const bool has_two = bounds && values.nvertex.value_or(2) == 2;
  if (axis.bounds) {
    axis.bounds = picked(axis.bounds, own, 2);
  } else if (has_two) {
    axis.bounds = bounds;
  }
  axis.mask = std::move(values.mask_1d);
}

SelectedCells views::extract_domain_to_axis(const config::Domain& source,
                                            const config::Transformation& extract,
                                            config::Axis& target) {
  const DomainAttributes& a = source.attributes;
  config::AxisAttributes& out = target.attributes;
  const bool is_i = config::is_along_i(extract);
  const std::int64_t position = config::integer_of(extract, "position").value_or(0);
  const LocalCells cells = local_cells(a);
  SelectedCells kept;
  std::vector<std::int64_t> index;
  for (std::int64_t cell = 0; cell < cells.count(); ++cell) {
    if ((is_i ? cells.j : cells.i)[as_index(cell)] != position) continue;
    kept.push_back(cell);
    index.push_back((is_i ? cells.i : cells.j)[as_index(cell)]);
  }
  describe_line(a, cells, is_i, kept, index, out);
  out.n = static_cast<std::int64_t>(kept.size());
  out.index = listed(std::move(index));
  const std::vector<std::int64_t> left = positions(kept, cells.count());
  std::vector<std::int64_t> places = cells_of_places(a, cells);
  for (std::int64_t& cell : places) {
    if (cell >= 0) cell = left[as_index(cell)];
  }
  out.data_n = static_cast<std::int64_t>(places.size());
  out.data_index = listed(std::move(places));
  return kept;
}

}  // namespace epios::io
