#include "remapped_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "config/index.hpp"

namespace epios::io {

namespace {

/// Areas, or 1 where cells have no corners.
std::vector<double> areas_or_one(const FileGrid& grid) {
  std::vector<double> areas = areas_of(grid.cells);
  if (!grid.cells.lon.empty()) return areas;
  std::fill(areas.begin(), areas.end(), 0.0);
  return areas;
}

struct Range {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();
  std::int64_t count = 0;
  void add(double value) {
    if (std::isnan(value)) return;
    least = std::min(least, value);
    most = std::max(most, value);
    ++count;
  }
};

Range range_of(const std::vector<double>& values) {
  Range range;
  for (const double value : values) range.add(value);
  return range;
}

void unite(double& least, double& most, std::int64_t& count, const Range& range) {
  if (range.count == 0) return;
  least = count == 0 ? range.least : std::min(least, range.least);
  most = count == 0 ? range.most : std::max(most, range.most);
  count += range.count;
}

}  // namespace

GridRemap::GridRemap(const FileGrid& source, const FileGrid& target, const Weights& weights,
                     int threads, double least_cover)
    : weights_(weights),
      threads_(threads),
      least_cover_(least_cover),
      source_area_(areas_or_one(source)),
      target_area_(areas_or_one(target)) {}

/// Part of a target cell over which there are values.
double GridRemap::cover_of(std::size_t row, const std::vector<double>& values) const {
  const std::vector<double>& parts =
      weights_.first_order.empty() ? weights_.weight : weights_.first_order;
  double all = 0;
  double present = 0;
  for (auto k = weights_.offsets[row]; k < weights_.offsets[row + 1]; ++k) {
    const auto entry = static_cast<std::size_t>(k);
    all += parts[entry];
    if (!std::isnan(nth(values, weights_.source[entry]))) {
      present += parts[entry];
    }
  }
  if (all == 0) return 0;
  return present / all * (weights_.covered.empty() ? 1 : weights_.covered[row]);
}

void GridRemap::apply(const std::vector<double>& values, std::vector<double>& results) const {
  results.resize(weights_.rows());
  apply_with_missing(weights_, values, results, threads_);
  if (least_cover_ <= 0) return;
  constexpr double rounding = 1e-12;
  for (std::size_t r = 0; r < results.size(); ++r) {
    if (cover_of(r, values) < least_cover_ - rounding) results[r] = std::nan("");
  }
}

void GridRemap::check(const std::vector<double>& values, const std::vector<double>& results,
                      FieldCheck& check) const {
  unite(check.least, check.most, check.count, range_of(values));
  unite(check.target_least, check.target_most, check.target_count, range_of(results));
  // Sums in long double: what is asked for is smaller than the rounding of a million summands.
  long double before = 0;
  long double size = 0;
  long double area = 0;
  for (std::size_t c = 0; c < values.size(); ++c) {
    if (std::isnan(values[c])) continue;
    before += static_cast<long double>(values[c]) * source_area_[c];
    size += std::abs(static_cast<long double>(values[c])) * source_area_[c];
    area += source_area_[c];
  }
  long double after = 0;
  long double target_area = 0;
  for (std::size_t r = 0; r < results.size(); ++r) {
    if (std::isnan(results[r])) continue;
    const double part = target_area_[r] * cover_of(r, values);
    after += static_cast<long double>(results[r]) * part;
    target_area += part;
  }
  if (size == 0) return;
  const auto difference = static_cast<double>(std::abs(after - before) / size);
  if (check.integral == 0 || difference >= check.worst) {
    check.worst = difference;
    check.integral = static_cast<double>(before);
    check.target_integral = static_cast<double>(after);
    check.worst_source_area = static_cast<double>(area);
    check.worst_target_area = static_cast<double>(target_area);
  }
}

std::string text_of(const std::string& variable, const FieldCheck& check) {
  if (check.count == 0) return fmt::format("{}: no values", variable);
  std::string text =
      fmt::format("{}: {:.7g} to {:.7g}, {} values; remapped {:.7g} to {:.7g}, {} values", variable,
                  check.least, check.most, check.count, check.target_least, check.target_most,
                  check.target_count);
  if (check.worst_source_area > 0) {
    constexpr double sphere = 4 * std::numbers::pi;
    text += fmt::format(
        "; integrals differ by {:.1e} (worst record; over {:.6g} % and {:.6g} % of the sphere)",
        check.worst, 100 * check.worst_source_area / sphere,
        100 * check.worst_target_area / sphere);
  }
  return text;
}

}  // namespace epios::io
