/// @file
/// How a grid is laid out: on one client (which points of the model's array are which global
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

/// Global shape of a grid, dimensions in file order: elements reversed, each with its
/// element_shape().
Extents global_shape(const config::Model& model, int grid);

/// The model's array of one grid on one client: how large it is and where it has values. Immutable.
class ArrayLayout {
 public:
  /// From the local attributes of a checked model.
  ArrayLayout(const config::Model& model, const LocalParts& parts, int grid);

  /// Values that send takes.
  std::int64_t size() const { return places_.array_size(); }
  /// Its extents, first dimension fastest: "362 x 292 x 75".
  const std::string& text() const { return text_; }
  /// Calls `visit(place, count)` for pieces of the array that hold all values: halos are left out,
  /// gaps of a few places are not.
  template <class Visit>
  void for_each_piece(Visit&& visit) const {
    places_.for_each_piece(std::forward<Visit>(visit));
  }

 private:
  Pattern places_;
  std::string text_;
};

/// How the model's arrays of two grids on this client go together, place by place.
enum class ArrayFit {
  whole,   ///< where one has a value the other has one, too
  places,  ///< not everywhere: masks or windows differ
  none,    ///< a point that both have is at different places, or the arrays differ in size
};
/// Elements of one shape are compared point by point; of others nothing but the size.
ArrayFit fit_of_arrays(const config::Model& model, const LocalParts& parts, int grid, int other);

/// Whether the array of `grid`, of the same size, has a value at every place where that of `other`
/// has one, whatever points these are; false also where that takes a look at single places.
bool has_values_of(const config::Model& model, const LocalParts& parts, int grid, int other);

/// A bit for each place of the model's array, lowest first: whether it has a value, also by the
/// mask of the grid.
std::vector<std::uint64_t> places_with_values(const config::Model& model, const LocalParts& parts,
                                              int grid);

/// Where one array has the point of each place of another: where two grids describe the same points
/// in different ways (with halo and without, in another order), or one of them has an element of
/// one point that the other lacks. Of each place of the array of `grid` the place in that of
/// `other`; -1: no value there. Nothing: their elements do not go together.
std::optional<std::vector<std::int64_t>> places_by_points(const config::Model& model,
                                                          const LocalParts& parts, int grid,
                                                          int other);

/// Of each cell that this client describes, first element fastest, the place of the array; -1: it
/// has no value.
std::vector<std::int64_t> places_of_cells(const config::Model& model, const LocalParts& parts,
                                          int grid);

/// Shape of the chunks of a variable (without the record dimension) so that a chunk has at most
/// about `target_bytes` and the slabs of `writers` writers are whole numbers of chunks. Cuts the
/// slowest dimension first; for several writers the slowest that has an index for each of them (the
/// longest if none has), and dimensions slower than that one stay whole. `weights`, one for each
/// dimension: where some are above 0, only those dimensions are cut for the target, each as often
/// as its share of the weights says, on a logarithmic scale (equal weights: equally often).
Extents chunk_shape(const Extents& shape, std::int64_t value_bytes, std::int64_t target_bytes,
                    int writers, std::span<const double> weights = {});

/// Shares of `writers` writers: contiguous slabs along the slowest dimension that has more than one
/// chunk, aligned to chunks, in order; covers everything once; the last ones may be empty (volume
/// 0; nothing(0) for a grid without dimensions, which the first writer has).
std::vector<Box> slabs(const Extents& shape, const Extents& chunk, int writers);

}  // namespace epios::io
