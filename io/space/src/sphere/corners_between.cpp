// Lays corners amid the centres of a curvilinear grid. At rims and beside missing centres the grid
// is continued; the error of the areas is estimated from neighbouring cells.
#include "sphere/corners_between.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "config/elementary.hpp"
#include "config/index.hpp"
#include "grid/index.hpp"
#include "space/cells.hpp"

namespace epios::io {

namespace {

constexpr double degrees_per_radian = 180 / std::numbers::pi;

double angle_between(const Vector& a, const Vector& b) {
  return config::arc_tangent(length(across(a, b)), dot(a, b));
}

/// Returns the point as far beyond `own` as `inner` is on this side of it.
Vector beyond(const Vector& own, const Vector& inner) {
  return unit(2 * dot(own, inner) * own - inner);
}

bool is_point(double lon, double lat) {
  constexpr double rounding = 1e-3;
  return std::isfinite(lon) && std::isfinite(lat) && std::fabs(lat) <= 90 + rounding;
}

}  // namespace

double longitude_of(const Vector& point) {
  return config::arc_tangent(point.y, point.x) * degrees_per_radian;
}

double latitude_of(const Vector& point) {
  return config::arc_tangent(point.z, std::hypot(point.x, point.y)) * degrees_per_radian;
}

std::array<std::int64_t, CornersBetween::needed> CornersBetween::needed_for(std::int64_t i,
                                                                            std::int64_t j) const {
  std::array<std::int64_t, needed> out{};
  out.fill(-1);
  auto* next = out.begin();
  const bool is_at_rim = i == 0 || i == ni_ - 1;
  for (std::int64_t row = j - 1; row <= j + 1; ++row) {
    if (row < 0 || row >= nj_) continue;
    for (std::int64_t column = i - 1; column <= i + 1; ++column) {
      if (column >= 0 && column < ni_) *next++ = row * ni_ + column;
    }
    // Only its ends, and the first and the last row, need to know whether a row goes around.
    const bool is_outermost = row == j && (j == 0 || j == nj_ - 1);
    if (!is_at_rim && !is_outermost) continue;
    for (const std::int64_t column : {std::int64_t{0}, std::int64_t{1}, ni_ - 2, ni_ - 1}) {
      if (column >= 0 && column < ni_) *next++ = row * ni_ + column;
    }
  }
  return out;
}

void CornersBetween::add(std::span<const std::int64_t> numbers, std::span<const double> lon,
                         std::span<const double> lat) {
  std::vector<std::size_t> order(numbers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t k) { return numbers[k] < 0 || !is_point(lon[k], lat[k]); });
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return numbers[a] < numbers[b]; });
  numbers_.clear();
  centres_.clear();
  for (const std::size_t k : order) {
    if (!numbers_.empty() && numbers_.back() == numbers[k]) continue;
    numbers_.push_back(numbers[k]);
    centres_.push_back(point_at(lon[k], lat[k]));
  }
}

std::optional<Vector> CornersBetween::known(std::int64_t i, std::int64_t j) const {
  if (j < 0 || j >= nj_) return std::nullopt;
  if (i < 0 || i >= ni_) {
    if (!goes_around(j)) return std::nullopt;
    i = i < 0 ? i + ni_ : i - ni_;
  }
  const auto found = std::lower_bound(numbers_.begin(), numbers_.end(), j * ni_ + i);
  if (found == numbers_.end() || *found != j * ni_ + i) return std::nullopt;
  return nth(centres_, found - numbers_.begin());
}

bool CornersBetween::goes_around(std::int64_t j) const {
  constexpr std::int64_t least = 3;
  if (ni_ < least) return false;
  const auto first = known(0, j);
  const auto second = known(1, j);
  const auto before_last = known(ni_ - 2, j);
  const auto last = known(ni_ - 1, j);
  if (!first || !second || !before_last || !last) return false;
  const double near =
      0.5 * std::max(angle_between(*first, *second), angle_between(*before_last, *last));
  return angle_between(beyond(*first, *second), *last) <= near &&
         angle_between(beyond(*last, *before_last), *first) <= near;
}

/// Amid two that are beside each other and the two beyond them, which go on from those within.
std::optional<Vector> CornersBetween::amid_two(const Vector& a, const Vector& b,
                                               const std::optional<Vector>& within_a,
                                               const std::optional<Vector>& within_b) const {
  if (!within_a && !within_b) return std::nullopt;
  const Vector beyond_a = within_a ? beyond(a, *within_a) : a + (beyond(b, *within_b) - b);
  const Vector beyond_b = within_b ? beyond(b, *within_b) : b + (beyond_a - a);
  return unit((a + b) + (beyond_a + beyond_b));
}

/// The outermost row reaches the pole where no further one would fit, or where it lies there.
Vector CornersBetween::at_pole_or(const Vector& corner, std::int64_t i, std::int64_t row,
                                  std::int64_t within) const {
  const bool is_rim = row == 0 ? within == 1 : row == nj_ - 1 && within == nj_ - 2;
  if (!is_rim || !goes_around(row)) return corner;
  const Vector pole{0, 0, corner.z > 0 ? 1.0 : -1.0};
  const auto own = known(i, row);
  const auto inner = known(i, within);
  if (!own || !inner) return corner;
  constexpr double rounding = 1e-9;
  const bool is_near =
      angle_between(corner, pole) < 0.5 * angle_between(*own, *inner) * (1 - rounding);
  return is_near || angle_between(*own, pole) < rounding ? pole : corner;
}

/// Amid (i, j), (i + 1, j), (i, j + 1) and (i + 1, j + 1).
std::optional<Vector> CornersBetween::corner(std::int64_t i, std::int64_t j) const {
  const auto a = known(i, j);
  const auto b = known(i + 1, j);
  const auto c = known(i, j + 1);
  const auto d = known(i + 1, j + 1);
  const int count = (a ? 1 : 0) + (b ? 1 : 0) + (c ? 1 : 0) + (d ? 1 : 0);
  if (count == 4) return unit((*a + *b) + (*c + *d));
  // The fourth point completes a parallelogram.
  if (a && d) return unit(*a + *d);
  if (b && c) return unit(*b + *c);
  const auto of_row = [&](std::int64_t row, std::int64_t within) -> std::optional<Vector> {
    const auto found =
        amid_two(*known(i, row), *known(i + 1, row), known(i, within), known(i + 1, within));
    if (!found) return found;
    return at_pole_or(*found, i, row, within);
  };
  if (a && b) return of_row(j, j - 1);
  if (c && d) return of_row(j + 1, j + 2);
  if (a && c) return amid_two(*a, *c, known(i - 1, j), known(i - 1, j + 1));
  if (b && d) return amid_two(*b, *d, known(i + 2, j), known(i + 2, j + 1));
  if (count == 0) return std::nullopt;
  // One alone, whose own row and column go on.
  const std::int64_t column = a || c ? i : i + 1;
  const std::int64_t row = a || b ? j : j + 1;
  const auto along_row = known(a || c ? i - 1 : i + 2, row);
  const auto along_column = known(column, a || b ? j - 1 : j + 2);
  if (!along_row || !along_column) return std::nullopt;
  const Vector own = *known(column, row);
  return unit(beyond(own, *along_row) + beyond(own, *along_column));
}

std::optional<std::array<Vector, 4>> CornersBetween::of(std::int64_t i, std::int64_t j) const {
  if (!known(i, j)) return std::nullopt;
  std::array<Vector, 4> out;
  constexpr std::array<std::array<std::int64_t, 2>, 4> places{{{-1, -1}, {0, -1}, {0, 0}, {-1, 0}}};
  for (std::size_t k = 0; k < places.size(); ++k) {
    const auto found = corner(i + places[k][0], j + places[k][1]);
    if (!found) return std::nullopt;
    out[k] = *found;
  }
  return out;
}

namespace {

/// Returns the values of columns, or rows, that have one value each, or nothing if they do not.
std::vector<double> line_of(std::span<const double> values, std::size_t n, std::size_t stride,
                            std::size_t other, std::size_t others) {
  constexpr double rounding = 1e-9;
  std::vector<double> line;
  for (std::size_t k = 0; k < n; ++k) {
    line.push_back(values[k * stride]);
    for (std::size_t m = 0; m < others; ++m) {
      if (!(std::fabs(values[k * stride + m * other] - line[k]) <= rounding)) return {};
    }
  }
  return line;
}

}  // namespace

Cells curvilinear_cells(std::int64_t ni, std::int64_t nj, std::span<const double> lon,
                        std::span<const double> lat) {
  const auto columns = static_cast<std::size_t>(ni);
  const auto rows = static_cast<std::size_t>(nj);
  const std::vector<double> lons = line_of(lon, columns, 1, columns, rows);
  const std::vector<double> lats = line_of(lat, rows, columns, 1, columns);
  Cells cells;
  if (!lons.empty() && !lats.empty()) {
    cells = rectilinear_cells(bounds_between(lons, false), bounds_between(lats, true), lons);
  } else {
    CornersBetween grid(ni, nj);
    std::vector<std::int64_t> numbers(columns * rows);
    std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
    const auto never_filled = [&](std::int64_t cell) {
      const auto is_same = [&](std::int64_t i, std::int64_t j) {
        return lon[as_index(j * ni + i)] == lon[as_index(cell)] &&
               lat[as_index(j * ni + i)] == lat[as_index(cell)];
      };
      return is_never_filled(ni, nj, cell % ni, cell / ni, is_same);
    };
    std::erase_if(numbers, never_filled);
    std::vector<double> filled_lon;
    std::vector<double> filled_lat;
    for (const std::int64_t cell : numbers) {
      filled_lon.push_back(lon[as_index(cell)]);
      filled_lat.push_back(lat[as_index(cell)]);
    }
    grid.add(numbers, filled_lon, filled_lat);
    cells.offsets.push_back(0);
    for (std::int64_t cell = 0; cell < ni * nj; ++cell) {
      if (const auto corners = grid.of(cell % ni, cell / ni)) {
        for (const Vector& corner : *corners) {
          cells.lon.push_back(longitude_of(corner));
          cells.lat.push_back(latitude_of(corner));
        }
      }
      cells.offsets.push_back(static_cast<std::int64_t>(cells.lon.size()));
    }
  }
  cells.centre_lon.assign(lon.begin(), lon.end());
  cells.centre_lat.assign(lat.begin(), lat.end());
  cells.has_made_corners = true;
  return cells;
}

AreaDoubt area_doubt(const Cells& cells, std::span<const double> areas,
                     std::span<const std::array<double, 4>> beside, bool is_of_given,
                     double radius) {
  AreaDoubt most;
  most.is_of_given = is_of_given;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (!cells.counts(c) || !(areas[c] > 0)) continue;
    double share = 0;
    if (is_of_given) {
      if (cells.area[c] > 0) share = std::fabs(areas[c] * radius * radius / cells.area[c] - 1);
    } else {
      for (const std::size_t along : {0U, 2U}) {
        const double before = beside[c][along];
        const double behind = beside[c][along + 1];
        if (!(before > 0) || !(behind > 0)) continue;
        share += std::fabs(before - 2 * areas[c] + behind) / (4 * areas[c]);
      }
    }
    if (share <= most.share) continue;
    most.share = share;
    most.cell = cells.number(c);
  }
  return most;
}

std::string AreaDoubt::sentence() const {
  if (is_of_given) {
    return share > 0 ? fmt::format("areas differ from those given by up to {:.2g} % (cell {})",
                                   100 * share, cell)
                     : "areas are those given";
  }
  return share > 0
             ? fmt::format("areas may be off by up to {:.2g} %, judged by neighbours (cell {})",
                           100 * share, cell)
             : "nothing tells how far areas are off";
}

}  // namespace epios::io
