#pragma once

#include <cstddef>
#include <vector>

#include "grid/box.hpp"

namespace epios::io {

/// Boxes in a tree of bounding boxes. Building takes O(n log n); so do n questions when few boxes
/// contain any one box that have not the lowest index, as in decompositions of a domain.
class BoxTree {
 public:
  /// Boxes of equal rank, none empty.
  explicit BoxTree(std::vector<Box> boxes);

  /// Returns true if a box of lower index contains box `index`.
  bool is_inside_earlier(std::size_t index) const;

 private:
  /// The boxes order_[first, last).
  struct Node {
    Box bounds;
    std::size_t lowest = 0;  // index of a box
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t right = 0;  // the left child comes right after its parent; 0: a leaf
  };
  std::size_t add(std::size_t first, std::size_t last);
  bool contains_earlier(const Node& node, std::size_t index) const;

  std::vector<Box> boxes_;
  std::vector<std::size_t> order_;
  std::vector<Node> nodes_;
};

}  // namespace epios::io
