// Redistributes axes and domains among the clients, and expands domains by rings. It determines the
// points of this client, fetches what describes them, and lists them in their order.
#include "elements/dealt_elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "config/error.hpp"
#include "config/model_elements.hpp"
#include "config/spatial.hpp"
#include "elements/domain_cells.hpp"
#include "elements/element_views.hpp"
#include "elements/local_cells.hpp"
#include "elements/ring_cells.hpp"
#include "elements/selection.hpp"
#include "elements/transformation_error.hpp"
#include "exchange/fetched_values.hpp"
#include "exchange/whole_lines.hpp"
#include "sphere/cell_neighbours.hpp"

namespace epios::io {

namespace {

using config::DomainAttributes;
using config::Transformation;

/// Value of a point that no client has; files and a mask mark it.
constexpr double nobody_has = std::numeric_limits<double>::quiet_NaN();

template <class T>
const T* given(const Transformation& how, std::string_view attribute) {
  for (const config::Property& property : how.local_attributes) {
    if (property.name == attribute) return std::get_if<T>(&property.value);
  }
  return nullptr;
}

/// Returns the share of this client in `size` points, or rows of them.
config::Interval share_of(const std::string& type, std::int64_t size, const ep::Comm& clients) {
  if (type == "full") return {0, size};
  const std::int64_t rank = clients.rank();
  if (type == "root") return {0, rank == 0 ? size : 0};
  const std::int64_t count = clients.size();
  const std::int64_t begin = size * rank / count;
  return {begin, size * (rank + 1) / count - begin};
}

/// Returns the points in the order of the client's list, without those that its mask leaves out.
std::vector<std::int64_t> listed_points(const Transformation& how) {
  std::vector<std::int64_t> out;
  const auto* const index = given<config::value::integers>(how, "index");
  const auto* const mask = given<config::value::booleans>(how, "mask");
  for (std::size_t k = 0; index != nullptr && k < index->values.size(); ++k) {
    const bool is_kept = mask == nullptr || k >= mask->values.size() || mask->values[k] != 0;
    if (is_kept) out.push_back(index->values[k]);
  }
  return out;
}

/// Checks that the lists of all clients name points of the source, each once.
void check_points(const std::vector<std::int64_t>& points, std::int64_t size,
                  const Transformation& how, const ep::Comm& clients) {
  const auto wrong = std::find_if(points.begin(), points.end(), [size](std::int64_t point) {
    return point < 0 || point >= size;
  });
  std::vector<std::int64_t> sorted(points);
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  // One client reports its error for all.
  constexpr std::int64_t none = -1;
  const std::int64_t own[2] = {wrong == points.end() ? none : wrong - points.begin() + 1,
                               twice == sorted.end() ? none : *twice};
  std::int64_t all[2] = {};
  ep::check(EP_Allreduce(own, all, 2, MPI_INT64_T, MPI_MAX, clients.get()));
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::configuration,
                fmt::format("{}: error: index of <{}> {}", how.where, config::name(how.kind), why));
  };
  if (all[0] > 0) {
    refuse(
        fmt::format("lists points that its source has not: it has {} points, 0 to {}, and value "
                    "{} of a client's list is another number. Are they counted from 0?",
                    size, size - 1, all[0]));
  }
  if (all[1] >= 0) {
    refuse(fmt::format("lists point {} twice on one client. Once each?", all[1]));
  }
}

std::vector<std::int64_t> numbers_of(const LocalCells& cells, std::int64_t ni) {
  std::vector<std::int64_t> out;
  for (std::size_t c = 0; c < cells.i.size(); ++c) out.push_back(cells.j[c] * ni + cells.i[c]);
  return out;
}

/// Sets coordinates and areas of each cell.
void describe(const DomainAttributes& source, const std::vector<std::int64_t>& wanted,
              const ep::Comm& clients, DomainAttributes& out) {
  const std::int64_t ni = source.ni_glo.value_or(0);
  const std::int64_t nj = source.nj_glo.value_or(1);
  const LocalCells cells = local_cells(source);
  const DomainAttributes values = values_of_cells(source, cells);
  const std::vector<std::int64_t> numbers = numbers_of(cells, ni);
  const FetchedValues fetched(clients, ni * nj, numbers, wanted);
  const std::int64_t own = cells.count() > 0 ? values.nvertex.value_or(0) : 0;
  std::int64_t vertices = 0;
  ep::check(EP_Allreduce(&own, &vertices, 1, MPI_INT64_T, MPI_MAX, clients.get()));
  const std::int64_t corners = std::max<std::int64_t>(vertices, 2);
  out.lonvalue_1d = fetched.of(values.lonvalue_1d, 1, nobody_has);
  out.latvalue_1d = fetched.of(values.latvalue_1d, 1, nobody_has);
  out.bounds_lon_1d = fetched.of(values.bounds_lon_1d, corners, nobody_has);
  out.bounds_lat_1d = fetched.of(values.bounds_lat_1d, corners, nobody_has);
  if (vertices > 0) out.nvertex = vertices;
  out.area_1d = fetched.of(values.area_1d, 1, nobody_has);
  out.mask_1d = fetched_mask(clients, ni * nj, numbers, values.mask_1d, wanted);
}

std::vector<std::int64_t> points_of(const config::Interval& interval) {
  std::vector<std::int64_t> out;
  for (std::int64_t k = 0; k < interval.n; ++k) out.push_back(interval.begin + k);
  return out;
}

}  // namespace

void list_cells(const std::vector<std::int64_t>& cells, std::int64_t ni, DomainAttributes& out) {
  std::vector<std::int64_t> i;
  std::vector<std::int64_t> j;
  for (const std::int64_t cell : cells) {
    i.push_back(cell % ni);
    j.push_back(cell / ni);
  }
  out.ni = static_cast<std::int64_t>(cells.size());
  out.nj = 1;
  out.i_index = listed(std::move(i));
  out.j_index = listed(std::move(j));
  out.data_dim = 1;
  out.data_ni = out.ni;
  out.data_nj = std::nullopt;
}

void set_block(const config::Interval& i, const config::Interval& j, DomainAttributes& out) {
  out.ibegin = i.begin;
  out.ni = i.n;
  out.jbegin = j.begin;
  out.nj = j.n;
  out.data_dim = 2;
  out.data_ni = i.n;
  out.data_nj = j.n;
}

void redistribute(const config::Domain& source, const Transformation& how, const ep::Comm& clients,
                  config::Domain& target) {
  const std::string type = config::text_of(how, "type").value_or("bands");
  const DomainAttributes& a = source.attributes;
  DomainAttributes& out = target.attributes;
  const std::int64_t ni = a.ni_glo.value_or(1);
  const std::int64_t nj = a.nj_glo.value_or(1);
  std::vector<std::int64_t> wanted;
  if (type == "index") {
    wanted = listed_points(how);
    check_points(wanted, ni * nj, how, clients);
    list_cells(wanted, ni, out);
  } else if (type == "column" || nj == 1) {
    wanted = points_of(share_of(type, ni * nj, clients));
    list_cells(wanted, ni, out);
  } else {
    const config::Interval rows = share_of(type, nj, clients);
    set_block({0, rows.n > 0 ? ni : 0}, rows, out);
    wanted = points_of({rows.begin * ni, rows.n * ni});
  }
  describe(a, wanted, clients, out);
}

void redistribute(const config::Axis& source, const Transformation& how, const ep::Comm& clients,
                  config::Axis& target) {
  const std::string type = config::text_of(how, "type").value_or("bands");
  const config::AxisAttributes& a = source.attributes;
  config::AxisAttributes& out = target.attributes;
  const std::int64_t size = a.n_glo.value_or(0);
  const std::vector<std::int64_t> wanted =
      type == "index" ? listed_points(how) : points_of(share_of(type, size, clients));
  check_points(wanted, size, how, clients);
  const std::vector<std::int64_t> own = local_points(a);
  const FetchedValues fetched(clients, size, own, wanted);
  out.value = fetched.of(a.value, 1, nobody_has);
  out.bounds = fetched.of(a.bounds, 2, nobody_has);
  out.label = fetched.of(a.label);
  out.mask = fetched_mask(clients, size, own, a.mask, wanted);
  out.n = static_cast<std::int64_t>(wanted.size());
  out.data_n = out.n;
  out.index = listed(wanted);
}

void redistribute(const Transformation& how, const ep::Comm& clients, config::Scalar& target) {
  const std::string type = config::text_of(how, "type").value_or("full");
  const bool is_here = type == "index"  ? !listed_points(how).empty()
                       : type == "full" ? true
                                        : clients.rank() == 0;
  target.attributes.n = is_here ? 1 : 0;
  target.places = 1;
  target.place = 0;
}

namespace {

/// A column or row of the expanded domain as one of the source, wrapped around; beyond it, if that
/// does not wrap.
std::int64_t wrapped(std::int64_t expanded, std::int64_t size, bool is_periodic) {
  const std::int64_t before = expanded - 1;
  return is_periodic ? (before + size) % size : before;
}

/// The column or row of the source that is nearest to one beyond its edge, or `further` in from
/// there; one inside is itself.
std::int64_t nearest(std::int64_t at, std::int64_t further, std::int64_t size) {
  if (at < 0) return std::min(further, size - 1);
  return at < size ? at : std::max<std::int64_t>(size - 1 - further, 0);
}

/// Makes the longitudes of a ring around the sphere continuous.
void unwrap_longitudes(const std::vector<std::int64_t>& cells, std::int64_t ni,
                       DomainAttributes& out) {
  if (!out.lonvalue_1d) return;
  constexpr double circle = 360;
  std::vector<double>& lon = out.lonvalue_1d->values;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const std::int64_t column = cells[c] % (ni + 2);
    if (column != 0 && column != ni + 1) continue;
    const std::int64_t inside = cells[c] + (column == 0 ? 1 : -1);
    const auto found = std::lower_bound(cells.begin(), cells.end(), inside);
    if (found == cells.end() || *found != inside) continue;
    const auto neighbour = static_cast<std::size_t>(found - cells.begin());
    const double shift = circle * std::round((lon[neighbour] - lon[c]) / circle);
    if (shift == 0 || !std::isfinite(shift)) continue;
    lon[c] += shift;
    if (!out.bounds_lon_1d) continue;
    std::vector<double>& bounds = out.bounds_lon_1d->values;
    const std::size_t each = bounds.size() / cells.size();
    for (std::size_t v = 0; v < each; ++v) bounds[each * c + v] += shift;
  }
}

}  // namespace

std::int64_t cell_before(const DomainAttributes& source, const Transformation& how,
                         std::int64_t cell) {
  if (is_mesh(source)) return cell;
  const std::int64_t ni = source.ni_glo.value_or(1);
  const std::int64_t nj = source.nj_glo.value_or(1);
  const std::int64_t i = wrapped(cell % (ni + 2), ni, config::flag_of(how, "i_periodic"));
  const std::int64_t j = wrapped(cell / (ni + 2), nj, config::flag_of(how, "j_periodic"));
  return i < 0 || i >= ni || j < 0 || j >= nj ? -1 : j * ni + i;
}

namespace {

/// Cells in a row have a ring of those that share an edge with them, or a corner.
void expand_mesh(const config::Domain& source, const Transformation& how, const ep::Comm& clients,
                 config::Domain& target) {
  const DomainAttributes& a = source.attributes;
  const std::int64_t ni = a.ni_glo.value_or(1);
  const std::vector<std::int64_t> numbers = numbers_of(local_cells(a), ni);
  Points points;
  points.keys = numbers;
  std::sort(points.keys.begin(), points.keys.end());
  std::string why;
  const auto own = cells_of(source, points, Needed::corners, clients, why);
  if (!own) throw transformation_error(how, fmt::format("domain '{}'", target.id), why);
  const Cells around = cells_beside(*own, clients);
  const bool by_corner = config::text_of(how, "type").value_or("edge") == "node";
  const CellNeighbours neighbours =
      cell_neighbours(around, by_corner ? Shared::corner : Shared::edge);
  std::vector<std::int64_t> wanted;
  std::set<std::int64_t> known;
  for (const std::int64_t number : numbers) {
    if (known.insert(number).second) wanted.push_back(number);
  }
  std::set<std::int64_t> ring;
  for (std::size_t c = 0; c < around.size(); ++c) {
    if (!known.contains(around.number(c))) continue;
    for (const std::size_t n : neighbours.of(c)) ring.insert(around.number(n));
  }
  std::set_difference(ring.begin(), ring.end(), known.begin(), known.end(),
                      std::back_inserter(wanted));
  list_cells(wanted, ni, target.attributes);
  describe(a, wanted, clients, target.attributes);
}

}  // namespace

bool is_mesh(const DomainAttributes& domain) {
  return config::is_row_of_cells(domain.type.value_or(""));
}

void expand(const config::Domain& source, const Transformation& how, const ep::Comm& clients,
            config::Domain& target) {
  if (is_mesh(source.attributes)) return expand_mesh(source, how, clients, target);
  const DomainAttributes& a = source.attributes;
  DomainAttributes& out = target.attributes;
  const std::int64_t ni = a.ni_glo.value_or(1);
  const std::int64_t nj = a.nj_glo.value_or(1);
  const LocalCells cells = local_cells(a);
  std::vector<std::int64_t> wanted;  // points of the target
  if (cells.is_listed) {
    std::set<std::int64_t> around;
    for (std::size_t c = 0; c < cells.i.size(); ++c) {
      for (std::int64_t j = cells.j[c]; j < cells.j[c] + 3; ++j) {
        for (std::int64_t i = cells.i[c]; i < cells.i[c] + 3; ++i) around.insert(j * (ni + 2) + i);
      }
    }
    wanted.assign(around.begin(), around.end());
    list_cells(wanted, ni + 2, out);
  } else {
    const bool is_empty = cells.count() == 0;
    const config::Interval i{a.ibegin.value_or(0), is_empty ? 0 : cells.ni + 2};
    const config::Interval j{a.jbegin.value_or(0), is_empty ? 0 : cells.nj + 2};
    set_block(i, j, out);
    for (std::int64_t row = j.begin; row < j.begin + j.n; ++row) {
      for (std::int64_t k = 0; k < i.n; ++k) wanted.push_back(row * (ni + 2) + i.begin + k);
    }
  }
  const bool is_periodic = config::flag_of(how, "i_periodic");
  // Beyond the edge a cell is masked, and lies where the last one before it would go on.
  std::vector<std::int64_t> from;
  std::vector<std::int64_t> before;
  std::vector<std::size_t> beyond;
  config::value::booleans mask;
  for (const std::int64_t cell : wanted) {
    const bool is_inside = cell_before(a, how, cell) >= 0;
    if (!is_inside) beyond.push_back(mask.values.size());
    mask.values.push_back(is_inside ? 1 : 0);
    const std::int64_t i = wrapped(cell % (ni + 2), ni, is_periodic);
    const std::int64_t j = wrapped(cell / (ni + 2), nj, config::flag_of(how, "j_periodic"));
    from.push_back(nearest(j, 0, nj) * ni + nearest(i, 0, ni));
    before.push_back(nearest(j, 1, nj) * ni + nearest(i, 1, ni));
  }
  describe(a, from, clients, out);
  DomainAttributes inner;
  describe(a, before, clients, inner);
  const bool is_plane = on_any(clients, has_lengths(out));
  move_beyond_edge(beyond, inner, a.type.value_or("rectilinear") == "rectilinear",
                   is_plane ? Surface::plane : Surface::sphere, out);
  if (is_periodic) unwrap_longitudes(wanted, ni, out);
  for (std::size_t c = 0; out.mask_1d && c < mask.values.size(); ++c) {
    mask.values[c] = mask.values[c] != 0 && out.mask_1d->values[c] != 0 ? 1 : 0;
  }
  mask.shape = {static_cast<std::int64_t>(mask.values.size())};
  out.mask_1d = std::move(mask);
}

}  // namespace epios::io
