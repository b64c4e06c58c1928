/// @file
/// How a grid is laid out: on one client (which places of the model's array hold which global
/// points) and over servers (slabs).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "config/model_fwd.hpp"
#include "grid/box.hpp"
#include "grid/part.hpp"
#include "grid/pattern.hpp"

namespace epios::io {

/// Returns the global shape of a grid, dimensions in file order: the element_shape() of each
/// element, in reverse order.
Extents global_shape(const config::Model& model, int grid);

/// The array of one grid on one client: its size, and the places that have values. Immutable.
class ArrayLayout {
 public:
  /// Uses the local attributes of a checked model.
  ArrayLayout(const config::Model& model, const LocalParts& parts, int grid);

  /// Returns the number of values that a send takes.
  std::int64_t size() const { return places_.array_size(); }
  /// Returns its extents, first dimension fastest: "362 x 292 x 75".
  const std::string& text() const { return text_; }
  /// Calls `visit(place, count)` for pieces of the array that together hold all values. Halos are
  /// left out, gaps of a few places are not.
  template <class Visit>
  void for_each_piece(Visit&& visit) const {
    places_.for_each_piece(std::forward<Visit>(visit));
  }

 private:
  Pattern places_;
  std::string text_;
};

/// How the arrays of two grids on this client match, place by place.
enum class ArrayFit {
  whole,   ///< both have values at the same places
  places,  ///< they do not everywhere: masks or windows differ
  none,    ///< a common point is at different places, or the arrays differ in size
};
/// Compares the arrays of two grids. Elements with the same shape are compared point by point,
/// others by their size only.
ArrayFit fit_of_arrays(const config::Model& model, const LocalParts& parts, int grid, int other);

/// Returns true if the array of `grid` has a value wherever that of `other`, with the same size,
/// has one, whatever points these are. Also returns false if only single places could tell.
bool has_values_of(const config::Model& model, const LocalParts& parts, int grid, int other);

/// Returns one bit per place of the model's array, lowest first: 1 if the place has a value and the
/// mask of the grid does not hide it.
std::vector<std::uint64_t> places_with_values(const config::Model& model, const LocalParts& parts,
                                              int grid);

/// Returns, for each place of the array of `grid`, the place in the array of `other` that holds the
/// same point, or -1. It is for grids that describe the same points in different ways (with or
/// without halo, in another order), or of which one has an additional element with one point.
/// Returns nothing if their elements do not match.
std::optional<std::vector<std::int64_t>> places_by_points(const config::Model& model,
                                                          const LocalParts& parts, int grid,
                                                          int other);

/// Returns true if places_by_points() has an answer. Allocates nothing per point of a grid.
bool meet_by_points(const config::Model& model, const LocalParts& parts, int grid, int other);

/// Returns the array place of each cell that this client describes, first element fastest, or -1 if
/// the cell has no value.
std::vector<std::int64_t> places_of_cells(const config::Model& model, const LocalParts& parts,
                                          int grid);

/// Returns the shape of the chunks of a variable (without the record dimension). A chunk has at
/// most about `target_bytes`, and the slabs of `writers` writers are whole numbers of chunks. The
/// slowest dimension is cut first. For several writers it is the slowest dimension with an index
/// for each of them (the longest if there is none), and slower dimensions stay whole. `weights` has
/// one entry per dimension: if any are above 0, only those dimensions are cut for the target, each
/// according to its share of the weights on a logarithmic scale (equal weights: equally often).
Extents chunk_shape(const Extents& shape, std::int64_t value_bytes, std::int64_t target_bytes,
                    int writers, std::span<const double> weights = {});

/// Returns the shares of `writers` writers: contiguous slabs along the slowest dimension with more
/// than one chunk, aligned to chunks, in order. They cover every point once. The last ones may be
/// empty (volume 0). Of a grid without dimensions the first writer has all, the others have
/// nothing(0).
std::vector<Box> slabs(const Extents& shape, const Extents& chunk, int writers);

}  // namespace epios::io
