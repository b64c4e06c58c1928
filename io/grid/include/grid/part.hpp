/// @file
/// The local part of an element or grid on one client: index sets, never lists of grid points.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "config/model_fwd.hpp"
#include "grid/box.hpp"

namespace epios::io {

/// `count` points of an element from global index `global` on (linear: j * ni_glo + i in a domain).
/// They are at `place` and the following places of an array.
struct PartRun {
  std::int64_t global = 0;
  std::int64_t place = 0;
  std::int64_t count = 0;
  bool operator==(const PartRun&) const = default;
};

/// The points of one element that a client has, and their places in its array. Immutable.
class Part {
 public:
  /// Takes `runs` in any order. If a point occurs twice, its first place counts. `places` is the
  /// size of the array along this element.
  Part(std::vector<PartRun> runs, std::int64_t places);

  /// Returns ascending, disjoint runs of maximal length.
  std::span<const PartRun> runs() const { return runs_; }
  std::int64_t points() const { return points_; }
  /// Returns the number of places of the array along this element, including places without a
  /// point.
  std::int64_t places() const { return places_; }
  /// Returns the number of repetitions: places of points that were already there.
  std::int64_t repeated() const { return static_cast<std::int64_t>(repeats_.size()); }
  /// A further place of a point that occurs more than once.
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

/// Returns the shape of an element in file order: {nj_glo, ni_glo} for a rectilinear or curvilinear
/// domain, its number of cells for another domain, {n_glo} for an axis, and no dimension for a
/// scalar.
Extents element_shape(const config::Model& model, const config::GridElement& element);

/// Returns true if its coordinates are one per column and row instead of one per cell.
bool is_rectilinear(const config::Model& model, const config::GridElement& element);

/// Returns true if the cells of a domain form no rows and have one dimension in files
/// (unstructured, gaussian).
bool is_unstructured(const config::Domain& domain);

/// Returns the cells that this client describes (coordinates, masks), in their own order. Places
/// are local cells; in a domain, i varies fastest. Uses the local attributes of a checked model.
Part owned_part(const config::Model& model, const config::GridElement& element);

/// Returns the points for which this client has values: those of the model array (with halos, or
/// compressed) that it owns and that are not masked. Places are those of the model array.
Part data_part(const config::Model& model, const config::GridElement& element);

/// The parts of a client in all elements of a model, computed once.
class LocalParts {
 public:
  /// Uses the local attributes of a checked model, which is not kept.
  explicit LocalParts(const config::Model& model);
  /// Returns the points with a value. Places are those of the model array.
  const Part& data(const config::GridElement& element) const;
  /// Returns the cells that the client describes. Places are local cells.
  const Part& owned(const config::GridElement& element) const;

 private:
  struct Kind {
    std::vector<Part> data, owned;
  };
  const Kind& of(const config::GridElement& element) const;
  Kind scalars_, axes_, domains_;
};

/// Returns the intersection of `part` and `window`, a box of the element's shape. `global` becomes
/// the position in an array that holds the window.
Part clip(const Part& part, const Extents& shape, const Box& window);

/// Returns the boxes of the elements, in model order, that a box of a grid is made of.
std::vector<Box> element_windows(const config::Model& model, int grid, const Box& box);

}  // namespace epios::io
