#include "grid/rectilinear_side.hpp"

#include <algorithm>
#include <cmath>

namespace epios::io {

RectilinearSide columns_of(std::int64_t ni, std::int64_t nj, bool is_listed) {
  return {ni, 1, ni, ni * nj, is_listed};
}

RectilinearSide rows_of(std::int64_t ni, std::int64_t nj, bool is_listed) {
  return {nj, ni, 0, ni * nj, is_listed};
}

std::vector<double> along_side(std::span<const double> values, const RectilinearSide& side,
                               std::int64_t each) {
  if (values.empty()) return {};
  const auto size = static_cast<std::int64_t>(values.size());
  const bool is_per_cell = size == side.cells * each && size != side.n * each;
  const std::int64_t places = side.is_listed ? side.cells : side.n;
  std::vector<double> out;
  out.reserve(static_cast<std::size_t>(places * each));
  for (std::int64_t place = 0; place < places; ++place) {
    const std::int64_t from = !is_per_cell     ? (side.is_listed ? side.of_cell(place) : place)
                              : side.is_listed ? place
                                               : place * side.step;
    const auto here =
        values.subspan(static_cast<std::size_t>(from * each), static_cast<std::size_t>(each));
    out.insert(out.end(), here.begin(), here.end());
  }
  return out;
}

namespace {

/// Longitudes may begin anew between the corners of a column (179.5 and -179.5 around 180): then
/// its bounds are not the least and the greatest, but lie around its centre.
void lay_around(double centre, double& low, double& high) {
  constexpr double circle = 360;
  const bool is_across = high - low > circle / 2 && high - low < circle;
  if (!is_across || !std::isfinite(centre) || (low <= centre && centre <= high)) return;
  const double west = high - circle;
  const double turns = circle * std::round((centre - (west + low) / 2) / circle);
  high = low + turns;
  low = west + turns;
}

}  // namespace

std::vector<double> side_bounds(std::span<const double> values, const RectilinearSide& side,
                                std::int64_t vertices, std::span<const double> longitudes) {
  const auto size = static_cast<std::int64_t>(values.size());
  // Two are bounds already, in their order.
  if (vertices == 2 || size != vertices * side.cells || size == 2 * side.n) {
    return along_side(values, side, 2);
  }
  const std::vector<double> corners = along_side(values, side, vertices);
  std::vector<double> out;
  for (auto cell = corners.begin(); cell != corners.end(); cell += vertices) {
    double low = *std::min_element(cell, cell + vertices);
    double high = *std::max_element(cell, cell + vertices);
    const std::size_t place = out.size() / 2;
    if (place < longitudes.size()) lay_around(longitudes[place], low, high);
    out.push_back(low);
    out.push_back(high);
  }
  return out;
}

}  // namespace epios::io
