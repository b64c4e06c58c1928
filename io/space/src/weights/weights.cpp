#include "space/weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "config/error.hpp"
#include "sphere/remap_threads.hpp"
#include "weights/remap_rows.hpp"
#include "weights/row_sums.hpp"

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
  if (options.order != 1 && options.order != 2) {
    throw Error(
        ErrorCode::argument,
        fmt::format("conservative weights of order {} are not known (1 or 2).", options.order));
  }
  return conservative_weights(source, target, options);
}

RowResult apply_row(std::span<const double> weight, std::span<const std::int64_t> position,
                    const double* values) {
  if (weight.empty()) return {};
  RowSums<1> row;
  for (std::size_t k = 0; k < weight.size(); ++k) {
    const double value = values[position[k]];
    row.add(weight[k], 1, [value](std::size_t) { return value; });
  }
  return {row.value(0, row.whole()), false};
}

RowResult apply_row_with_missing(std::span<const double> weight,
                                 std::span<const double> first_order,
                                 std::span<const std::int64_t> position, const double* values) {
  const bool has_missing = std::any_of(position.begin(), position.end(),
                                       [values](std::int64_t p) { return std::isnan(values[p]); });
  if (!has_missing) return apply_row(weight, position, values);
  const std::span<const double> used = first_order.empty() ? weight : first_order;
  return row_with_gaps(
      used.size(), [&](std::size_t k) { return used[k]; },
      [&](std::size_t k) { return values[position[k]]; }, RowGaps{true, false, false});
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
