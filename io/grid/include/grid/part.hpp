/// @file
/// What one client owns of one element, and of a grid: index sets, never lists of grid points.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "config/model_fwd.hpp"
#include "grid/box.hpp"

namespace epios::io {

/// `count` points of an element from `global` on (linear indices: of a domain j * ni_glo + i),
/// which are at `place` and the following places of an array.
struct PartRun {
  std::int64_t global = 0;
  std::int64_t place = 0;
  std::int64_t count = 0;
  bool operator==(const PartRun&) const = default;
};

/// The points of one element that a client has, and where it has them. Immutable.
class Part {
 public:
  /// `runs` in any order. Where a point occurs twice, its first place counts. `places`: size of the
  /// array along this element.
  Part(std::vector<PartRun> runs, std::int64_t places);

  /// Ascending, disjoint, as long as can be.
  std::span<const PartRun> runs() const { return runs_; }
  std::int64_t points() const { return points_; }
  /// Places of the array along this element, those without a point included.
  std::int64_t places() const { return places_; }
  /// How many points occurred more than once.
  std::int64_t repeated() const { return static_cast<std::int64_t>(repeats_.size()); }
  /// Further places of points that occurred more than once.
  struct Repeat {
    std::int64_t place = 0;
    std::int64_t first = 0;  ///< the place that counts
  };
  std::span<const Repeat> repeats() const { return repeats_; }

 private:
  std::vector<PartRun> runs_;
  std::int64_t points_ = 0;
  std::int64_t places_ = 0;
  std::vector<Repeat> repeats_;
};

/// Shape of an element in file order: {nj_glo, ni_glo} of a rectilinear or curvilinear domain, its
/// number of cells of another, {n_glo} of an axis, nothing of a scalar.
Extents element_shape(const config::Model& model, const config::GridElement& element);

/// Whether its coordinates are as long as its sides instead of one per cell.
bool is_rectilinear(const config::Model& model, const config::GridElement& element);

/// Whether the cells of a domain form no rows: one dimension in files (unstructured, gaussian).
bool is_unstructured(const config::Domain& domain);

/// The cells that this client describes (coordinates, masks), in their own order: places are local
/// cells, of a domain i fastest. From the local attributes of a checked model.
Part owned_part(const config::Model& model, const config::GridElement& element);

/// The points for which this client has values: those of the model array (halos, compressed arrays)
/// that are owned and not masked; places are the model array's.
Part data_part(const config::Model& model, const config::GridElement& element);

/// A client's parts of all elements of a model, worked out once.
class LocalParts {
 public:
  /// From the local attributes of a checked model, which is not kept.
  explicit LocalParts(const config::Model& model);
  /// Points with a value; places are the model array's.
  const Part& data(const config::GridElement& element) const;
  /// Cells that the client describes; places are local cells.
  const Part& owned(const config::GridElement& element) const;

 private:
  struct Kind {
    std::vector<Part> data, owned;
  };
  const Kind& of(const config::GridElement& element) const;
  Kind scalars_, axes_, domains_;
};

/// `part` as far as it lies in `window`, a box of the element's shape; `global` becomes the
/// position in an array that holds the window.
Part clip(const Part& part, const Extents& shape, const Box& window);

/// A box of a grid as boxes of its elements, in model order.
std::vector<Box> element_windows(const config::Model& model, int grid, const Box& box);

}  // namespace epios::io
