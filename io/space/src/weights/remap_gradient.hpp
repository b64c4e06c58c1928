/// @file
/// Gradients of source cells, as weights of their neighbours' values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sphere/sphere_shapes.hpp"

namespace epios::io {

class SpaceTree;

/// Returns true if two cells share more of an edge than a point, possibly only a part of it
/// (hanging corners). Tolerances are relative to the length of the edges.
bool share_an_edge(const Shapes& shapes, std::size_t a, std::size_t b);

/// Neighbours of each cell, with ascending numbers. `touching` includes those that share only a
/// corner.
class Neighbours {
 public:
  Neighbours(const Cells& cells, const Shapes& shapes, const SpaceTree& tree, int threads);
  std::span<const std::uint32_t> of(std::size_t cell) const {
    return std::span(neighbours_).subspan(first_[cell], first_[cell + 1] - first_[cell]);
  }
  std::size_t first(std::size_t cell) const { return first_[cell]; }
  std::size_t size() const { return neighbours_.size(); }

 private:
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> neighbours_;
};

/// The gradient of a cell is the sum over its neighbours n of weight(n) (value(n) - value(cell)).
/// It is that of the plane through the cell's value that fits the neighbours' values best (least
/// squares, weighted by the inverse squared distance), exact for linear fields. Without neighbours
/// in two directions, it is 0 in the missing direction.
class Gradients {
 public:
  Gradients(const Cells& cells, const Shapes& shapes, const SpaceTree& tree, int threads);
  std::span<const std::uint32_t> neighbours(std::size_t cell) const { return neighbours_.of(cell); }
  std::span<const Vector> weights(std::size_t cell) const {
    return std::span(weights_).subspan(neighbours_.first(cell), neighbours_.of(cell).size());
  }
  double area(std::size_t cell) const { return area_[cell]; }
  /// Returns the mean position of the cell, which lies inside the sphere.
  const Vector& centre(std::size_t cell) const { return centre_[cell]; }

 private:
  bool has_centre(std::size_t cell) const { return centre_[cell] != Vector{}; }
  void make(std::size_t cell);
  Neighbours neighbours_;
  std::vector<Vector> weights_;
  std::vector<double> area_;
  std::vector<Vector> centre_;
};

}  // namespace epios::io
