// Coarsens domains: finds the blocks that this client gets, and describes them. Longitudes and
// latitudes of a rectilinear domain are whole lines, which are put together in pairs; areas and
// masks come from the clients that have the cells.
#include "elements/coarsened_domains.hpp"

#include <algorithm>
#include <cmath>
#include <ep/ep.hpp>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <utility>

#include "config/model.hpp"
#include "elements/curved_blocks.hpp"
#include "elements/dealt_elements.hpp"
#include "elements/element_views.hpp"
#include "elements/generated_domains.hpp"
#include "elements/healpix_domains.hpp"
#include "elements/local_cells.hpp"
#include "elements/ring_cells.hpp"
#include "exchange/fetched_values.hpp"
#include "exchange/whole_lines.hpp"
#include "grid/index.hpp"
#include "space/cells.hpp"
#include "space/directory.hpp"
#include "sphere/healpix.hpp"

namespace epios::io {

namespace {

using config::DomainAttributes;

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

/// One direction of a rectilinear domain, as a whole. A list is empty if nobody has it; values that
/// nobody has are not finite.
struct SideLine {
  std::vector<double> centres;
  std::vector<double> first, last;  ///< edges of each cell
};

/// Two cells of a line, or one.
struct Pair {
  std::size_t a = 0, b = 0;
};

/// How many times 360 degrees the second of two longitudes has to be shifted to lie beside the
/// first one.
double turns_between(double a, double b) {
  constexpr double circle = 360;
  const double turns = std::round((a - b) / circle);
  return std::isfinite(turns) ? turns * circle : 0;
}

/// Longitudes may begin anew between the edges of a cell, or between them and its centre (359.5 and
/// 0.5 around 0): afterwards they lie beside each other.
void unroll(SideLine& line) {
  constexpr double half_circle = 180;
  for (std::size_t k = 0; k < line.first.size(); ++k) {
    double& first = line.first[k];
    double& last = line.last[k];
    if (line.centres.empty()) {
      if (first - last > half_circle) last += 2 * half_circle;
      continue;
    }
    const double centre = line.centres[k];
    if (std::min(first, last) <= centre && centre <= std::max(first, last)) continue;
    first += turns_between(centre, first);
    last += turns_between(centre, last);
  }
}

SideLine coarsened(const SideLine& fine, bool is_round) {
  const std::size_t cells = std::max(fine.centres.size(), fine.first.size());
  SideLine out;
  for (std::size_t begin = 0; begin < cells; begin += 2) {
    Pair pair{begin, std::min(begin + 1, cells - 1)};
    const std::vector<double>& known = fine.centres.empty() ? fine.first : fine.centres;
    if (!std::isfinite(known[pair.a])) pair.a = pair.b;
    if (!std::isfinite(known[pair.b])) pair.b = pair.a;
    const double shift = is_round ? turns_between(known[pair.a], known[pair.b]) : 0;
    if (!fine.centres.empty()) {
      const double a = fine.centres[pair.a];
      out.centres.push_back(a + (fine.centres[pair.b] + shift - a) / 2);
    }
    if (fine.first.empty()) continue;
    const double first = fine.first[pair.a];
    const double last = fine.last[pair.a];
    const double others[2] = {fine.first[pair.b] + shift, fine.last[pair.b] + shift};
    const double low = std::min({first, last, others[0], others[1]});
    const double high = std::max({first, last, others[0], others[1]});
    out.first.push_back(first <= last ? low : high);
    out.last.push_back(first <= last ? high : low);
  }
  return out;
}

std::vector<std::int64_t> cell_numbers(const LocalCells& cells, std::int64_t ni) {
  std::vector<std::int64_t> out;
  out.reserve(cells.i.size());
  for (std::size_t c = 0; c < cells.i.size(); ++c) out.push_back(cells.j[c] * ni + cells.i[c]);
  return out;
}

/// What clients know of the cells of a domain.
class FineCells {
 public:
  FineCells(const config::Domain& domain, const ep::Comm& clients)
      : a_(domain.attributes),
        clients_(clients),
        local_(local_cells(a_)),
        numbers_(cell_numbers(local_, a_.ni_glo.value_or(1))),
        values_(values_of_cells(a_, local_)),
        is_plane_(on_any(clients, has_lengths(values_))) {}

  const std::vector<std::int64_t>& numbers() const { return numbers_; }
  bool is_plane() const { return is_plane_; }
  bool is_curved() const { return a_.type == "curvilinear"; }
  std::int64_t size() const { return a_.ni_glo.value_or(1) * a_.nj_glo.value_or(1); }

  SideLine side(bool is_latitude) const {
    const auto& centres = is_latitude ? values_.latvalue_1d : values_.lonvalue_1d;
    const auto& bounds = is_latitude ? values_.bounds_lat_1d : values_.bounds_lon_1d;
    const std::size_t each = as_index(values_.nvertex.value_or(2));
    SideLine out;
    std::vector<double> own;
    if (has(centres, 1)) own = centres->values;
    out.centres = line(is_latitude, own);
    std::vector<double> first;
    std::vector<double> last;
    for (std::size_t c = 0; has(bounds, each) && c < numbers_.size(); ++c) {
      const auto begin = bounds->values.begin() + static_cast<std::ptrdiff_t>(c * each);
      const auto [low, high] =
          std::minmax_element(begin, begin + static_cast<std::ptrdiff_t>(each));
      first.push_back(each == 2 ? *begin : *low);
      last.push_back(each == 2 ? *(begin + 1) : *high);
    }
    out.first = line(is_latitude, first);
    out.last = line(is_latitude, last);
    if (!is_latitude && !is_plane_) unroll(out);
    const bool has_all = std::all_of(out.centres.begin(), out.centres.end(),
                                     [](double value) { return std::isfinite(value); });
    if (out.first.empty() && !out.centres.empty() && has_all && !is_plane_) {
      const std::vector<double> edges = bounds_between(out.centres, is_latitude);
      for (std::size_t k = 0; k < edges.size(); k += 2) {
        out.first.push_back(edges[k]);
        out.last.push_back(edges[k + 1]);
      }
    }
    return out;
  }

  /// Areas of cells of all clients; of curvilinear ones without, those between their corners.
  /// Nothing if no client has any.
  std::optional<config::value::reals> areas(const std::vector<std::int64_t>& cells) const {
    if (on_any(clients_, values_.area_1d.has_value())) {
      return FetchedValues(clients_, size(), numbers_, cells).of(values_.area_1d, 1, no_value);
    }
    constexpr double earth_radius = 6371229;
    return is_curved() ? areas_of(curved(cells), a_.radius.value_or(earth_radius)) : std::nullopt;
  }
  /// Coordinates of curvilinear cells of all clients.
  CurvedCells curved(const std::vector<std::int64_t>& cells) const {
    const FetchedValues fetched(clients_, size(), numbers_, cells);
    CurvedCells out;
    out.surface = is_plane_ ? Surface::plane : Surface::sphere;
    out.lon = fetched.of(values_.lonvalue_1d, 1, no_value);
    out.lat = fetched.of(values_.latvalue_1d, 1, no_value);
    const bool has_four = values_.nvertex.value_or(curved_corners) == curved_corners;
    if (on_any(clients_, !has_four)) return out;
    out.bounds_lon = fetched.of(values_.bounds_lon_1d, curved_corners, no_value);
    out.bounds_lat = fetched.of(values_.bounds_lat_1d, curved_corners, no_value);
    return out;
  }
  std::optional<config::value::booleans> mask(const std::vector<std::int64_t>& cells) const {
    return fetched_mask(clients_, size(), numbers_, values_.mask_1d, cells);
  }

 private:
  bool has(const std::optional<config::value::reals>& list, std::size_t each) const {
    return list && !numbers_.empty() && list->values.size() == each * numbers_.size();
  }
  std::vector<double> line(bool is_latitude, const std::vector<double>& values) const {
    if (!on_any(clients_, !values.empty())) return {};
    const std::vector<std::int64_t>& points = is_latitude ? local_.j : local_.i;
    return whole_line(clients_, (is_latitude ? a_.nj_glo : a_.ni_glo).value_or(1),
                      values.empty() ? std::span<const std::int64_t>() : std::span(points), values);
  }

  const DomainAttributes& a_;
  const ep::Comm& clients_;
  LocalCells local_;
  std::vector<std::int64_t> numbers_;
  DomainAttributes values_;  ///< of each cell
  bool is_plane_ = false;
};

/// The blocks of this client, ascending.
std::vector<std::int64_t> own_blocks(const CellBlocks& blocks,
                                     const std::vector<std::int64_t>& cells,
                                     const std::vector<std::uint64_t>& groups,
                                     const ep::Comm& clients) {
  std::vector<std::uint64_t> different;
  for (const std::uint64_t group : groups) {
    if (std::find(different.begin(), different.end(), group) == different.end()) {
      different.push_back(group);
    }
  }
  const auto own = std::find(different.begin(), different.end(), nth(groups, clients.rank()));
  const std::int64_t offset = (own - different.begin()) * blocks.size();
  std::vector<std::int64_t> keys;
  keys.reserve(cells.size());
  for (const std::int64_t cell : cells) keys.push_back(blocks.parent(cell) + offset);
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  const auto all = static_cast<std::int64_t>(different.size()) * blocks.size();
  const std::vector<int> lowest = Directory(clients, all, keys).lowest(keys);
  std::vector<std::int64_t> out;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (lowest[k] == clients.rank()) out.push_back(keys[k] - offset);
  }
  return out;
}

/// Columns and rows of cells that form a whole rectangle.
struct Rectangle {
  config::Interval i, j;
};
std::optional<Rectangle> rectangle_of(const std::vector<std::int64_t>& cells, std::int64_t ni) {
  if (cells.empty()) return std::nullopt;
  std::int64_t least = cells.front() % ni;
  std::int64_t most = least;
  for (const std::int64_t cell : cells) {
    least = std::min(least, cell % ni);
    most = std::max(most, cell % ni);
  }
  const Rectangle out{{least, most - least + 1},
                      {cells.front() / ni, cells.back() / ni - cells.front() / ni + 1}};
  if (out.i.n * out.j.n != static_cast<std::int64_t>(cells.size())) return std::nullopt;
  return out;
}

/// A list of values of this client's cells from a line of all: `each` lists of them in turn.
config::value::reals picked_from(const std::vector<const std::vector<double>*>& lines,
                                 const std::vector<std::int64_t>& points) {
  config::value::reals out;
  for (const std::int64_t point : points) {
    for (const std::vector<double>* const line : lines) {
      out.values.push_back((*line)[as_index(point)]);
    }
  }
  const auto count = static_cast<std::int64_t>(points.size());
  out.shape = lines.size() == 1 ? std::vector{count}
                                : std::vector{static_cast<std::int64_t>(lines.size()), count};
  return out;
}

/// Sides of a block of cells, or the columns and rows of listed ones, one by one.
void describe_sides(const SideLine& lon, const SideLine& lat, const std::vector<std::int64_t>& i,
                    const std::vector<std::int64_t>& j, DomainAttributes& out) {
  if (!lon.centres.empty()) out.lonvalue_1d = picked_from({&lon.centres}, i);
  if (!lat.centres.empty()) out.latvalue_1d = picked_from({&lat.centres}, j);
  out.nvertex = std::nullopt;
  if (lon.first.empty() || lat.first.empty()) return;
  out.nvertex = 2;
  out.bounds_lon_1d = picked_from({&lon.first, &lon.last}, i);
  out.bounds_lat_1d = picked_from({&lat.first, &lat.last}, j);
}

std::vector<std::int64_t> from_to(const config::Interval& interval) {
  std::vector<std::int64_t> out(as_index(interval.n));
  std::iota(out.begin(), out.end(), interval.begin);
  return out;
}

/// Cells of blocks, one block after the other.
struct Children {
  std::vector<std::int64_t> cells;
  std::vector<std::size_t> begin{0};  ///< of each block, and the end
};
Children children_of(const CellBlocks& blocks, const std::vector<std::int64_t>& own) {
  Children out;
  for (const std::int64_t block : own) {
    blocks.add_children(block, out.cells);
    out.begin.push_back(out.cells.size());
  }
  return out;
}

/// Lists or blocks of cells, and where they lie.
void place_blocks(const FineCells& cells, const std::vector<std::int64_t>& own,
                  const Children& children, std::int64_t columns, DomainAttributes& out) {
  const auto rectangle = rectangle_of(own, columns);
  if (!rectangle) list_cells(own, columns, out);
  if (is_healpix(out)) {
    if (rectangle) {
      out.ibegin = rectangle->i.begin;
      out.ni = rectangle->i.n;
      out.jbegin = 0;
      out.nj = 1;
    }
    return set_centres_of_pixels(out);
  }
  if (cells.is_curved()) {
    if (rectangle) set_block(rectangle->i, rectangle->j, out);
    return describe_blocks(cells.curved(children.cells), children.begin, out);
  }
  const SideLine lon = coarsened(cells.side(false), !cells.is_plane());
  const SideLine lat = coarsened(cells.side(true), false);
  if (rectangle) {
    set_block(rectangle->i, rectangle->j, out);
    return describe_sides(lon, lat, from_to(rectangle->i), from_to(rectangle->j), out);
  }
  std::vector<std::int64_t> i;
  std::vector<std::int64_t> j;
  for (const std::int64_t cell : own) {
    i.push_back(cell % columns);
    j.push_back(cell / columns);
  }
  describe_sides(lon, lat, i, j, out);
}

}  // namespace

CellBlocks::CellBlocks(const DomainAttributes& source)
    : ni_(source.ni_glo.value_or(1)), nj_(source.nj_glo.value_or(1)) {
  if (is_healpix(source)) {
    nside_ = source.nside.value_or(2);
    is_ring_ = source.order == "ring";
    columns_ = ni_ / 4;
    rows_ = 1;
    return;
  }
  columns_ = (ni_ + 1) / 2;
  rows_ = (nj_ + 1) / 2;
}

std::int64_t CellBlocks::parent(std::int64_t cell) const {
  if (nside_ == 0) return cell / ni_ / 2 * columns_ + cell % ni_ / 2;
  if (!is_ring_) return cell / 4;
  const std::int64_t nested = HealpixGrid(nside_, HealpixGrid::Order::ring).in_other_order(cell);
  return HealpixGrid(nside_ / 2, HealpixGrid::Order::nested).in_other_order(nested / 4);
}

void CellBlocks::add_children(std::int64_t block, std::vector<std::int64_t>& cells) const {
  if (nside_ == 0) {
    for (std::int64_t j = block / columns_ * 2; j < std::min(nj_, block / columns_ * 2 + 2); ++j) {
      const std::int64_t first = block % columns_ * 2;
      for (std::int64_t i = first; i < std::min(ni_, first + 2); ++i) cells.push_back(j * ni_ + i);
    }
    return;
  }
  const std::size_t begin = cells.size();
  std::int64_t nested = block;
  if (is_ring_) {
    nested = HealpixGrid(nside_ / 2, HealpixGrid::Order::ring).in_other_order(block);
  }
  const HealpixGrid fine(nside_, HealpixGrid::Order::nested);
  for (std::int64_t child = 4 * nested; child < 4 * nested + 4; ++child) {
    cells.push_back(is_ring_ ? fine.in_other_order(child) : child);
  }
  std::sort(cells.begin() + static_cast<std::ptrdiff_t>(begin), cells.end());
}

void coarsen(config::Model& model, const config::SpatialStep& step, const ep::Comm& clients) {
  const config::Domain& source = model.domains[step.source.domain()];
  DomainAttributes& out = model.domains[step.target.domain()].attributes;
  const CellBlocks blocks(source.attributes);
  const FineCells cells(source, clients);
  const std::vector<std::int64_t> own =
      own_blocks(blocks, cells.numbers(), hashes_of_levels(model, step.target, clients), clients);
  const Children all_children = children_of(blocks, own);
  const auto& [children, begin] = all_children;
  place_blocks(cells, own, all_children, blocks.columns(), out);
  if (const auto areas = cells.areas(children)) {
    config::value::reals all;
    for (std::size_t b = 0; b < own.size(); ++b) {
      double area = 0;
      for (std::size_t c = begin[b]; c < begin[b + 1]; ++c) {
        if (std::isfinite(areas->values[c])) area += areas->values[c];
      }
      all.values.push_back(area);
    }
    all.shape = {static_cast<std::int64_t>(own.size())};
    out.area_1d = std::move(all);
  }
  // A block counts if one of its cells does.
  if (const auto mask = cells.mask(children)) {
    config::value::booleans any;
    for (std::size_t b = 0; b < own.size(); ++b) {
      const auto first = mask->values.begin();
      any.values.push_back(std::any_of(first + static_cast<std::ptrdiff_t>(begin[b]),
                                       first + static_cast<std::ptrdiff_t>(begin[b + 1]),
                                       [](auto counts) { return counts != 0; })
                               ? 1
                               : 0);
    }
    any.shape = {static_cast<std::int64_t>(own.size())};
    out.mask_1d = std::move(any);
  }
}

std::vector<double> shares_of_cells(const config::Domain& source,
                                    const std::vector<std::int64_t>& blocks,
                                    const ep::Comm& clients) {
  const CellBlocks all(source.attributes);
  std::vector<double> out;
  if (is_healpix(source.attributes)) return out;
  const FineCells cells(source, clients);
  const auto [children, begin] = children_of(all, blocks);
  const auto areas = cells.areas(children);
  if (cells.is_curved() && !areas) return out;
  const SideLine lon = areas ? SideLine() : cells.side(false);
  const SideLine lat = areas ? SideLine() : cells.side(true);
  if (!areas && lon.first.empty() && lat.first.empty()) return out;
  const bool is_plane = cells.is_plane();
  const auto width = [](const SideLine& line, std::int64_t at, bool by_sine) {
    if (line.first.empty()) return 1.0;
    constexpr double degree = std::numbers::pi / 180;
    const auto on_line = [&](double edge) { return by_sine ? std::sin(edge * degree) : edge; };
    return std::abs(on_line(line.last[as_index(at)]) - on_line(line.first[as_index(at)]));
  };
  const std::int64_t ni = source.attributes.ni_glo.value_or(1);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    double whole = 0;
    for (std::size_t c = begin[b]; c < begin[b + 1]; ++c) {
      const double area =
          areas ? areas->values[c]
                : width(lon, children[c] % ni, false) * width(lat, children[c] / ni, !is_plane);
      out.push_back(area > 0 && std::isfinite(area) ? area : 0);
      whole += out.back();
    }
    const auto count = static_cast<double>(begin[b + 1] - begin[b]);
    for (std::size_t c = begin[b]; c < begin[b + 1]; ++c) {
      out[c] = whole > 0 ? out[c] / whole : 1 / count;
    }
  }
  return out;
}

}  // namespace epios::io
