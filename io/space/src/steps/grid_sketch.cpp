#include <cmath>
#include <ep/ep.hpp>
#include <limits>

#include "exchange/whole_lines.hpp"
#include "space/directory.hpp"
#include "sphere/sphere_points.hpp"
#include "steps/kept_weights.hpp"

namespace epios::io {

namespace {

constexpr std::size_t each_look = 4;

/// Between -1 and 1, of the number of a cell.
double factor_of(std::int64_t number) {
  auto bits = static_cast<std::uint64_t>(number) + 0x9E3779B97F4A7C15U;
  bits = (bits ^ (bits >> 30U)) * 0xBF58476D1CE4E5B9U;
  bits = (bits ^ (bits >> 27U)) * 0x94D049BB133111EBU;
  bits ^= bits >> 31U;
  return std::ldexp(static_cast<double>(bits >> 11U), -52) - 1;
}

/// The mean of the corners, each of them once, or the centre where there are none.
GridSketch::Look look_at(const Cells& cells, std::size_t cell) {
  const auto first = static_cast<std::size_t>(cells.offsets[cell]);
  const auto end = static_cast<std::size_t>(cells.offsets[cell + 1]);
  Vector sum{};
  std::vector<Vector> corners;
  for (std::size_t k = first; k < end; ++k) {
    if (!std::isfinite(cells.lon[k]) || !std::isfinite(cells.lat[k])) continue;
    const Vector corner = point_at(cells.lon[k], cells.lat[k]);
    const auto is_same = [&](const Vector& other) { return length(corner - other) < 1e-9; };
    if (!corners.empty() && (is_same(corners.front()) || is_same(corners.back()))) continue;
    corners.push_back(corner);
    sum = sum + corner;
  }
  GridSketch::Look look;
  if (corners.empty()) {
    const bool has_centre = !cells.centre_lon.empty() && std::isfinite(cells.centre_lon[cell]) &&
                            std::isfinite(cells.centre_lat[cell]);
    if (has_centre) sum = point_at(cells.centre_lon[cell], cells.centre_lat[cell]);
    return {sum.x, sum.y, sum.z, std::numeric_limits<double>::infinity()};
  }
  sum = (1 / static_cast<double>(corners.size())) * sum;
  for (const Vector& corner : corners) look.radius = std::max(look.radius, length(corner - sum));
  look.x = sum.x;
  look.y = sum.y;
  look.z = sum.z;
  return look;
}

}  // namespace

std::vector<double> GridSketch::numbers() const {
  std::vector<double> out{counted, mask, x, y, z};
  for (const Look& look : some) out.insert(out.end(), {look.x, look.y, look.z, look.radius});
  return out;
}

std::optional<GridSketch> GridSketch::of(std::span<const double> numbers) {
  constexpr std::size_t sums = 5;
  if (numbers.size() != sums + looks * each_look) return std::nullopt;
  GridSketch out;
  out.counted = numbers[0];
  out.mask = numbers[1];
  out.x = numbers[2];
  out.y = numbers[3];
  out.z = numbers[4];
  for (std::size_t k = 0; k < looks; ++k) {
    const auto look = numbers.subspan(sums + k * each_look, each_look);
    out.some.at(k) = {look[0], look[1], look[2], look[3]};
  }
  return out;
}

GridSketch sketch_of(const Cells& own, std::int64_t size, const ep::Comm& clients) {
  std::vector<std::int64_t> all;
  std::vector<std::int64_t> counted;
  for (std::size_t c = 0; c < own.size(); ++c) {
    all.push_back(own.number(c));
    if (own.counts(c)) counted.push_back(own.number(c));
  }
  const std::vector<int> holders = Directory(clients, size, all).lowest(all);
  const std::vector<int> counters = Directory(clients, size, counted).lowest(counted);
  std::array<double, 5> sums{};
  for (std::size_t k = 0; k < counted.size(); ++k) {
    if (counters[k] != clients.rank()) continue;
    sums[0] += 1;
    sums[1] += factor_of(counted[k]);
  }
  std::vector<std::int64_t> places;
  std::vector<double> values;
  for (std::size_t c = 0; c < own.size(); ++c) {
    if (holders[c] != clients.rank()) continue;
    const GridSketch::Look look = look_at(own, c);
    const double factor = factor_of(all[c]);
    sums[2] += factor * look.x;
    sums[3] += factor * look.y;
    sums[4] += factor * look.z;
    for (std::size_t k = 0; k < GridSketch::looks; ++k) {
      if (GridSketch::cell(size, k) != all[c]) continue;
      const auto first = static_cast<std::int64_t>(k * each_look);
      for (std::int64_t v = first; v < first + 4; ++v) places.push_back(v);
      values.insert(values.end(), {look.x, look.y, look.z, look.radius});
    }
  }
  std::array<double, 5> whole{};
  ep::check(EP_Allreduce(sums.data(), whole.data(), 5, MPI_DOUBLE, MPI_SUM, clients.get()));
  std::vector<double> numbers(whole.begin(), whole.end());
  for (const double value : whole_line(
           clients, static_cast<std::int64_t>(GridSketch::looks * each_look), places, values)) {
    numbers.push_back(value == nobodys ? std::numeric_limits<double>::quiet_NaN() : value);
  }
  return *GridSketch::of(numbers);
}

}  // namespace epios::io
