/// @file
/// Weights from the cells of one grid to those of another: a sparse matrix, worked out per piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "space/cells.hpp"

namespace epios::io {

enum class RemapMethod { conservative, bilinear, nearest };

/// The attributes of `interpolate_domain`, and what they have no word for.
struct RemapOptions {
  RemapMethod method = RemapMethod::conservative;
  int order = 2;             ///< of conservative: 1, or 2 (linear inside each source cell)
  bool renormalize = false;  ///< divided by the covered part of each target cell
  bool quantity = false;     ///< totals, not densities: a source cell's value is shared out
  bool use_area = false;     ///< Cells::area instead of areas on the sphere, in `radius` squared
  double radius = 6'371'229;
  /// Weights of first order, too, for rows in which a source is missing at run time
  /// (detect_missing_value).
  bool for_missing = false;
  int threads = 1;  ///< work on the rows; results do not depend on it
};

/// Row r makes the value of target cell target[r]: the sum over k in [offsets[r], offsets[r+1]) of
/// weight[k] times the value of source cell source[k]. Source cells of a row ascend, each is there
/// once: the order of sums follows from the grids. Weights of order 2 have the gradients, which are
/// made of values of neighbours, in them.
///
/// Depends on the cells alone, not on how they are distributed: whoever has all source cells that
/// cells_in() names for a target cell makes the same row, to the bit.
struct Weights {
  std::vector<std::int64_t> target;   ///< numbers, in the order of the target cells given
  std::vector<std::int64_t> offsets;  ///< one more than rows
  std::vector<std::int64_t> source;   ///< numbers
  std::vector<double> weight;
  /// With RemapOptions::for_missing and order 2: weights of order 1 at the same places, 0 for
  /// sources that have a part in gradients alone. Empty: `weight` is of order 1.
  std::vector<double> first_order;
  /// Part of each target cell that source cells (that count) cover, 0 to 1; of conservative.
  std::vector<double> covered;
  /// Numbers of target cells over which source cells lie more than once (folds and halos of grids
  /// that are not masked), ascending. They have the mean of all that lies there.
  std::vector<std::int64_t> overfull;
  std::size_t rows() const { return target.size(); }
};

/// Rows for all target cells, one each; those that are masked, unusable, or without source are
/// empty. Local. Cost: O((n + m) log n) for n source and m target cells, and what they have in
/// common. Throws Error{argument} for use_area without areas, and
/// for another order than 1 and 2.
Weights make_weights(const Cells& source, const Cells& target, const RemapOptions& options);

/// How rows are applied, so that all who do it have the same bits, and a constant stays what it is:
/// sums are taken of differences to the row's first value. Rows without negative weights stay
/// within the range of their values, times the sum of the weights. Value type double.
struct RowResult {
  double value = 0;        ///< sum of weight times value
  bool is_missing = true;  ///< no source, or none that is not missing
};
/// `position[k]`: where the value of entry k of this row lies. `values` has no missing ones.
RowResult apply_row(std::span<const double> weight, std::span<const std::int64_t> position,
                    const double* values);
/// The same for values of which some may be NaN: the row without them, divided by the part of the
/// weights that is left. `first_order` (empty: `weight` is): used for rows with a NaN in them.
/// Where neither is, those rows are the mean of their sources with positive weight: what gradients
/// take away cannot be taken from what is left.
RowResult apply_row_with_missing(std::span<const double> weight,
                                 std::span<const double> first_order,
                                 std::span<const std::int64_t> position, const double* values);

/// All rows, by several threads: `values` in the order of numbers of source cells, NaN where
/// missing; `results` one per row, NaN where there is none.
void apply_with_missing(const Weights& weights, std::span<const double> values,
                        std::span<double> results, int threads);

}  // namespace epios::io
