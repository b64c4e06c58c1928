/// @file
/// A tree of boxes in space, in an order in which neighbours are near.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "space/cells.hpp"

namespace epios::io {

SpaceBox united(const SpaceBox& a, const SpaceBox& b);
SpaceBox united(std::span<const SpaceBox> boxes);

/// Returns the numbers of the boxes along a space-filling curve: what is near in the list is near
/// in space. The same for equal boxes, whatever their order.
std::vector<std::uint32_t> near_order(std::span<const SpaceBox> boxes);

/// A tree over boxes. Building takes O(n log n), a query O(log n) plus its results.
class SpaceTree {
 public:
  static constexpr std::size_t fan = 8;
  explicit SpaceTree(std::span<const SpaceBox> boxes);
  /// Returns near_order() of the boxes.
  const std::vector<std::uint32_t>& order() const { return order_; }

  /// Calls found(number) for each box that touches `box`.
  template <class Found>
  void visit(const SpaceBox& box, const Found& found) const {
    if (order_.empty()) return;
    descend(levels_.size() - 1, 0, box, found);
  }
  /// Calls found(number, least) with boxes in the order of the tree whose squared distance to the
  /// point may be less than the last result of `least`.
  template <class Found>
  void visit_near(const std::array<double, 3>& point, double& least, const Found& found) const {
    if (order_.empty()) return;
    approach(levels_.size() - 1, 0, point, least, found);
  }

 private:
  // levels_[0] has the boxes in order; each box of a further level surrounds `fan` boxes of the
  // level below.
  template <class Found>
  void descend(std::size_t level, std::size_t index, const SpaceBox& box,
               const Found& found) const {
    if (!touch(levels_[level][index], box)) return;
    if (level == 0) {
      found(order_[index]);
      return;
    }
    const std::size_t end = std::min((index + 1) * fan, levels_[level - 1].size());
    for (std::size_t child = index * fan; child < end; ++child) {
      descend(level - 1, child, box, found);
    }
  }
  template <class Found>
  void approach(std::size_t level, std::size_t index, const std::array<double, 3>& point,
                double& least, const Found& found) const {
    if (level == 0) {
      found(order_[index]);
      return;
    }
    struct Child {
      double distance;
      std::size_t index;
    };
    std::array<Child, fan> children{};
    std::size_t count = 0;
    const std::size_t end = std::min((index + 1) * fan, levels_[level - 1].size());
    for (std::size_t child = index * fan; child < end; ++child) {
      const double d = distance(levels_[level - 1][child], point);
      std::size_t place = count++;
      for (; place > 0 && children[place - 1].distance > d; --place) {
        children[place] = children[place - 1];
      }
      children[place] = {d, child};
    }
    for (std::size_t c = 0; c < count && children[c].distance <= least; ++c) {
      approach(level - 1, children[c].index, point, least, found);
    }
  }
  static double distance(const SpaceBox& box, const std::array<double, 3>& point);

  std::vector<std::uint32_t> order_;
  std::vector<std::vector<SpaceBox>> levels_;
};

}  // namespace epios::io
