/// @file
/// Weighted sums, computed in one way everywhere, so that all have the same bits.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "space/weights.hpp"

namespace epios::io {

/// Value of a place that the grid masks: a NaN with a payload of its own.
inline const double masked_value = std::bit_cast<double>(std::uint64_t{0x7FF86D61736B6564});
inline bool is_masked_value(double value) {
  return std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(masked_value);
}

/// Weights that add up to 1, except for rounding, form a mean, which keeps a constant constant.
inline double scale_of(double whole) {
  constexpr double rounding = 1e-14;
  return std::abs(whole - 1) <= rounding ? 1 : whole;
}

/// One row for up to `Block` values of each source: the first value, and sums of weighted
/// differences to it. Without negative weights no result leaves the range of its values.
template <std::size_t Block>
class RowSums {
 public:
  RowSums() {}  // NOLINT: the arrays are filled where they are used
  /// Adds its first source.
  template <class ValueOf>
  void begin(double weight, std::size_t count, const ValueOf& value_of) {
    whole_ = weight;
    least_weight_ = std::min(0.0, weight);
    is_empty_ = false;
    for (std::size_t k = 0; k < count; ++k) {
      firsts_[k] = least_[k] = most_[k] = value_of(k);
      sums_[k] = 0;
    }
  }
  void clear() {
    whole_ = 0;
    least_weight_ = 0;
    is_empty_ = true;
  }
  /// Adds the next source: value k is value_of(k), k < count.
  template <class ValueOf>
  void add(double weight, std::size_t count, const ValueOf& value_of) {
    if (is_empty_) return begin(weight, count, value_of);
    whole_ += weight;
    least_weight_ = std::min(least_weight_, weight);
    for (std::size_t k = 0; k < count; ++k) {
      const double value = value_of(k);
      sums_[k] += weight * (value - firsts_[k]);
      least_[k] = value < least_[k] ? value : least_[k];
      most_[k] = value > most_[k] ? value : most_[k];
    }
  }
  bool is_empty() const { return is_empty_; }
  double whole() const { return whole_; }
  /// `share` scales the differences up for sources that are missing.
  double value(std::size_t k, double whole, double share = 1) const {
    const double scale = scale_of(whole);
    const double value = scale * firsts_[k] + sums_[k] * share;
    if (least_weight_ < 0 || !(scale > 0)) return value;
    return std::clamp(value, scale * least_[k], scale * most_[k]);
  }

 private:
  double whole_ = 0;
  double least_weight_ = 0;
  bool is_empty_ = true;
  std::array<double, Block> firsts_, sums_, least_, most_;  // valid as far as they are in use
};

/// Properties of a row that do not depend on its values.
struct RowScale {
  double scale = 0;     ///< scale of its first value
  bool clamps = false;  ///< no result lies outside of its values
};
template <class WeightOf>
RowScale row_scale(std::size_t first, std::size_t end, const WeightOf& weight_of) {
  double whole = 0;
  double least = 0;
  for (std::size_t e = first; e < end; ++e) {
    whole += weight_of(e);
    least = std::min(least, weight_of(e));
  }
  const double scale = scale_of(whole);
  return {scale, least >= 0 && scale > 0};
}

/// Computes the same bits as RowSums for `Side` values of each source: value_of(e) is an array of
/// them. Uses entries [first, end), at least one.
template <std::size_t Side, class WeightOf, class ValueOf>
std::array<double, Side> row_values(std::size_t first, std::size_t end, const RowScale& row,
                                    const WeightOf& weight_of, const ValueOf& value_of) {
  const std::array<double, Side> begin = value_of(first);
  std::array<double, Side> sum{};
  std::array<double, Side> least = begin;
  std::array<double, Side> most = begin;
  for (std::size_t e = first + 1; e < end; ++e) {
    const double weight = weight_of(e);
    const std::array<double, Side> value = value_of(e);
    for (std::size_t k = 0; k < Side; ++k) {
      sum[k] += weight * (value[k] - begin[k]);
      least[k] = value[k] < least[k] ? value[k] : least[k];
      most[k] = value[k] > most[k] ? value[k] : most[k];
    }
  }
  for (std::size_t k = 0; k < Side; ++k) {
    sum[k] += row.scale * begin[k];
    if (row.clamps) sum[k] = std::clamp(sum[k], row.scale * least[k], row.scale * most[k]);
  }
  return sum;
}

/// Parts of cells are sums of areas of overlaps.
inline constexpr double rounding_of_cover = 1e-9;

/// How a row treats sources that are not available.
struct RowGaps {
  bool leaves_out_missing = false;  ///< the others count for them, too; else nothing comes of it
  bool leaves_out_masked = false;   ///< they have no part in it; else they are missing
  bool renormalizes = false;        ///< the others count for masked ones, too
  bool keeps_totals = false;        ///< the others count for nothing but themselves
  /// Nothing comes of a row whose remaining sources cover less of the target cell.
  double least_cover = 0;
};

/// A row of `count` entries some of which are NaN: weight_of(k), value_of(k). Of weights of both
/// signs what is left may be next to nothing, and is divided by: negative ones are left out.
/// `covered` is the part of the target cell that a weight of 1 covers.
template <class WeightOf, class ValueOf>
RowResult row_with_gaps(std::size_t count, const WeightOf& weight_of, const ValueOf& value_of,
                        const RowGaps& gaps, double covered = 1) {
  RowSums<1> row;
  double all = 0;
  double whole = 0;
  bool has_missing = false;
  bool has_masked = false;
  for (std::size_t k = 0; k < count; ++k) {
    const double weight = weight_of(k);
    const double value = value_of(k);
    all += weight;
    if (gaps.leaves_out_masked && is_masked_value(value)) {
      has_masked = true;
      continue;
    }
    whole += weight;
    if (std::isnan(value)) {
      has_missing = true;
    } else if (weight > 0) {
      row.add(weight, 1, [value](std::size_t) { return value; });
    }
  }
  if (!has_missing && !has_masked) return {std::numeric_limits<double>::quiet_NaN(), false};
  if (row.is_empty() || (has_missing && !gaps.leaves_out_missing)) return {};
  const double left = row.whole();
  if (left * covered < gaps.least_cover - rounding_of_cover) return {};
  if (gaps.keeps_totals) return {row.value(0, left), false};
  if (gaps.renormalizes) return {row.value(0, all, scale_of(all) / left), false};
  if (!has_missing) return {row.value(0, left), false};
  return {row.value(0, whole, scale_of(whole) / left), false};
}

}  // namespace epios::io
