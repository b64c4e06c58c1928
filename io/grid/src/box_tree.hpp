#pragma once

#include <cstddef>
#include <vector>

#include "grid/box.hpp"

namespace epios::io {

/// A tree of bounding boxes. Building takes O(n log n); so do n queries if any one box is inside of
/// few others, as in decompositions of a domain.
class BoxTree {
 public:
  /// Takes boxes of equal rank, none of them empty.
  explicit BoxTree(std::vector<Box> boxes);

  /// Returns true if a box of lower index contains box `index`.
  bool is_inside_earlier(std::size_t index) const;

 private:
  /// The boxes order_[first, last).
  struct Node {
    Box bounds;
    std::size_t lowest = 0;  // lowest index of a box
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t right = 0;  // the left child directly follows its parent; 0 marks a leaf
  };
  std::size_t add(std::size_t first, std::size_t last);
  bool contains_earlier(const Node& node, std::size_t index) const;

  std::vector<Box> boxes_;
  std::vector<std::size_t> order_;
  std::vector<Node> nodes_;
};

}  // namespace epios::io
