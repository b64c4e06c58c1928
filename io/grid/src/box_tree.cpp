#include "box_tree.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace epios::io {

namespace {

constexpr std::size_t leaf_boxes = 4;

Box bounds_of_both(const Box& a, const Box& b) {
  Box out = a;
  for (std::size_t d = 0; d < a.rank(); ++d) {
    out.begin[d] = std::min(a.begin[d], b.begin[d]);
    out.size[d] = std::max(a.begin[d] + a.size[d], b.begin[d] + b.size[d]) - out.begin[d];
  }
  return out;
}

/// Twice the middle of a box.
std::int64_t middle(const Box& box, std::size_t dimension) {
  return 2 * box.begin[dimension] + box.size[dimension];
}

}  // namespace

BoxTree::BoxTree(std::vector<Box> boxes) : boxes_(std::move(boxes)), order_(boxes_.size()) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  if (!boxes_.empty()) add(0, boxes_.size());
}

std::size_t BoxTree::add(std::size_t first, std::size_t last) {
  Node node{boxes_[order_[first]], order_[first], first, last, 0};
  for (std::size_t i = first; i < last; ++i) {
    node.bounds = bounds_of_both(node.bounds, boxes_[order_[i]]);
    node.lowest = std::min(node.lowest, order_[i]);
  }
  const std::size_t number = nodes_.size();
  nodes_.push_back(node);
  if (last - first <= leaf_boxes || node.bounds.rank() == 0) return number;
  const Extents& size = node.bounds.size;
  const auto longest =
      static_cast<std::size_t>(std::max_element(size.begin(), size.end()) - size.begin());
  const std::size_t half = first + (last - first) / 2;
  const auto begin = order_.begin();
  std::nth_element(
      begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(half),
      begin + static_cast<std::ptrdiff_t>(last), [&](std::size_t a, std::size_t b) {
        // By index where boxes are equal, so that the lowest are found together.
        return std::pair(middle(boxes_[a], longest), a) < std::pair(middle(boxes_[b], longest), b);
      });
  add(first, half);
  const std::size_t right = add(half, last);
  nodes_[number].right = right;
  return number;
}

bool BoxTree::is_inside_earlier(std::size_t index) const {
  return contains_earlier(nodes_.front(), index);
}

bool BoxTree::contains_earlier(const Node& node, std::size_t index) const {
  const Box& box = boxes_[index];
  if (node.lowest >= index || !contains(node.bounds, box)) return false;
  if (node.right == 0) {
    return std::any_of(
        order_.begin() + static_cast<std::ptrdiff_t>(node.first),
        order_.begin() + static_cast<std::ptrdiff_t>(node.last),
        [&](std::size_t other) { return other < index && contains(boxes_[other], box); });
  }
  const auto left = static_cast<std::size_t>(&node - nodes_.data()) + 1;
  return contains_earlier(nodes_[left], index) || contains_earlier(nodes_[node.right], index);
}

}  // namespace epios::io
