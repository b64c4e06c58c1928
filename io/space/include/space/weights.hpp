/// @file
/// Weights from the cells of one grid to those of another: a sparse matrix, computed piece by
/// piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "space/cells.hpp"

namespace epios::io {

enum class RemapMethod { conservative, bilinear, nearest };

/// The attributes of `interpolate_domain`, and further options.
struct RemapOptions {
  RemapMethod method = RemapMethod::conservative;
  int order = 2;             ///< for conservative: 1, or 2 (linear inside each source cell)
  bool renormalize = false;  ///< divide by the covered part of each target cell
  bool quantity = false;     ///< values are totals, not densities: the value of a source cell is
                             ///< divided among its targets
  bool use_area =
      false;  ///< use Cells::area, in units of `radius` squared, instead of areas on the sphere
  double radius = 6'371'229;
  /// Also make weights of first order, for rows in which a source is missing at run time
  /// (detect_missing_value).
  bool for_missing = false;
  int threads = 1;  ///< number of threads that compute rows; results do not depend on it
};

/// Row r makes the value of target cell target[r]: the sum over k in [offsets[r], offsets[r+1]) of
/// weight[k] times the value of source cell source[k]. Source cells of a row ascend and occur once,
/// so that the order of sums follows from the grids. Weights of order 2 contain the gradients,
/// which are made of values of neighbours.
///
/// Weights depend on the cells only, not on their distribution: whoever has all source cells that
/// cells_in() names for a target cell makes the same row, to the bit.
struct Weights {
  std::vector<std::int64_t> target;   ///< numbers of cells, in the order of the target cells given
  std::vector<std::int64_t> offsets;  ///< one more than rows
  std::vector<std::int64_t> source;   ///< numbers of cells
  std::vector<double> weight;
  /// With RemapOptions::for_missing and order 2: weights of order 1 at the same places, 0 for
  /// sources that contribute to gradients only. Empty if `weight` is of order 1.
  std::vector<double> first_order;
  /// For conservative: part of each target cell that counting source cells cover, 0 to 1.
  std::vector<double> covered;
  /// Numbers of target cells that several source cells overlap at one place (unmasked folds and
  /// halos of grids), ascending. Such places have the mean of the overlapping values.
  std::vector<std::int64_t> overfull;
  std::size_t rows() const { return target.size(); }
};

/// Makes one row for each target cell. Rows of cells that are masked, unusable or without source
/// are empty. Local. Cost: O((n + m) log n) for n source and m target cells, and their overlaps.
/// Throws Error{argument} for use_area without areas, and for orders other than 1 and 2.
Weights make_weights(const Cells& source, const Cells& target, const RemapOptions& options);

/// The result of a row. All who apply rows do it in this way, so that they get the same bits and a
/// constant stays constant: the sum is taken over differences to the first value of the row. A row
/// without negative weights stays within the range of its values, times the sum of the weights.
/// Values are double.
struct RowResult {
  double value = 0;        ///< sum of weight times value
  bool is_missing = true;  ///< true without source, or if all sources are missing
};
/// Applies a row. `position[k]` is the place of the value of entry k of the row. No value may be
/// missing.
RowResult apply_row(std::span<const double> weight, std::span<const std::int64_t> position,
                    const double* values);
/// Applies a row to values of which some may be NaN: leaves these out and divides by the sum of the
/// remaining weights. Rows with a NaN use `first_order` (or `weight` if it is empty). If neither is
/// of first order, such rows give the mean of their sources with positive weight, because the
/// gradients cannot be taken from what is left.
RowResult apply_row_with_missing(std::span<const double> weight,
                                 std::span<const double> first_order,
                                 std::span<const std::int64_t> position, const double* values);

/// Applies all rows, in several threads. `values` are in the order of source cell numbers, NaN
/// where missing; `results` has one per row, NaN where there is none.
void apply_with_missing(const Weights& weights, std::span<const double> values,
                        std::span<double> results, int threads);

}  // namespace epios::io
