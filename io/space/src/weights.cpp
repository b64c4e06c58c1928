#include "space/weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "remap_rows.hpp"
#include "remap_threads.hpp"

namespace epios::io {

Weights make_weights(const Cells& source, const Cells& target, const RemapOptions& options) {
  switch (options.method) {
    case RemapMethod::nearest:
      return nearest_weights(source, target, options);
    case RemapMethod::bilinear:
      return bilinear_weights(source, target, options);
    case RemapMethod::conservative:
      break;
  }
  return conservative_weights(source, target, options);
}

namespace {

/// Of the values of a row, and of its weights.
struct Extremes {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();
  double least_weight = 0;
  void add(double weight, double value) {
    least = std::min(least, value);
    most = std::max(most, value);
    least_weight = std::min(least_weight, weight);
  }
};

/// The first value and the sum of weighted differences to it. What adds up to 1 but for rounding is
/// a mean: of a constant, the constant. Without negative weights none lies outside of its values.
double bounded(double whole, double first, double sum, const Extremes& extremes) {
  constexpr double rounding = 1e-14;
  const double scale = std::abs(whole - 1) <= rounding ? 1 : whole;
  const double value = scale * first + sum;
  if (extremes.least_weight < 0 || !(scale > 0)) return value;
  return std::clamp(value, scale * extremes.least, scale * extremes.most);
}

}  // namespace

RowResult apply_row(std::span<const double> weight, std::span<const std::int64_t> position,
                    const double* values) {
  if (weight.empty()) return {};
  const double first = values[position[0]];
  double whole = 0;
  double sum = 0;
  Extremes extremes;
  for (std::size_t k = 0; k < weight.size(); ++k) {
    const double value = values[position[k]];
    whole += weight[k];
    sum += weight[k] * (value - first);
    extremes.add(weight[k], value);
  }
  return {bounded(whole, first, sum, extremes), false};
}

RowResult apply_row_with_missing(std::span<const double> weight,
                                 std::span<const double> first_order,
                                 std::span<const std::int64_t> position, const double* values) {
  bool has_missing = false;
  for (const std::int64_t p : position) has_missing = has_missing || std::isnan(values[p]);
  if (!has_missing) return apply_row(weight, position, values);
  const std::span<const double> used = first_order.empty() ? weight : first_order;
  double whole = 0;
  double left = 0;
  double sum = 0;
  double first = 0;
  Extremes extremes;
  for (std::size_t k = 0; k < used.size(); ++k) {
    const double value = values[position[k]];
    whole += used[k];
    if (std::isnan(value) || !(used[k] > 0)) continue;
    if (left == 0) first = value;
    left += used[k];
    sum += used[k] * (value - first);
    extremes.add(used[k], value);
  }
  if (left == 0) return {};
  constexpr double rounding = 1e-14;
  const double scale = std::abs(whole - 1) <= rounding ? 1 : whole;
  return {bounded(whole, first, sum * (scale / left), extremes), false};
}

void apply_with_missing(const Weights& weights, std::span<const double> values,
                        std::span<double> results, int threads) {
  in_shares(threads, weights.rows(), [&](std::size_t, std::size_t begin, std::size_t end) {
    const std::span<const double> weight(weights.weight);
    const std::span<const double> first_order(weights.first_order);
    const std::span<const std::int64_t> source(weights.source);
    for (std::size_t r = begin; r < end; ++r) {
      const auto first = static_cast<std::size_t>(weights.offsets[r]);
      const std::size_t count = static_cast<std::size_t>(weights.offsets[r + 1]) - first;
      const RowResult result = apply_row_with_missing(
          weight.subspan(first, count),
          first_order.empty() ? first_order : first_order.subspan(first, count),
          source.subspan(first, count), values.data());
      results[r] = result.is_missing ? std::numeric_limits<double>::quiet_NaN() : result.value;
    }
  });
}

}  // namespace epios::io
