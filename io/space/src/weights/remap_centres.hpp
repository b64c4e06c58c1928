#pragma once

#include <span>
#include <vector>

#include "sphere/sphere_shapes.hpp"
#include "sphere/sphere_tree.hpp"

namespace epios::io {

/// Returns the centres of cells: the given ones, or barycentres. A zero vector marks a cell without
/// one, or one that does not count.
std::vector<Vector> centres_of(const Cells& cells, const Shapes& shapes, int threads);

/// Finds the centre nearest to a point.
class NearestCentre {
 public:
  NearestCentre(const Cells& cells, std::span<const Vector> centres);
  /// Returns the nearest centre, with the lower number if two are equally near; -1 if there are
  /// none.
  std::int64_t find(const Vector& point) const;

 private:
  const Cells& cells_;
  std::span<const Vector> centres_;
  std::vector<std::uint32_t> which_;
  SpaceTree tree_;
};

}  // namespace epios::io
