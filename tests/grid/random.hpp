/// @file
/// Reproducible random cases: every property test prints the seed of the case that failed.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "grid/box.hpp"

namespace epios::io::test {

class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}
  /// Uniform in [first, last].
  std::int64_t pick(std::int64_t first, std::int64_t last) {
    return std::uniform_int_distribution<std::int64_t>(first, last)(generator_);
  }
  bool flip() { return pick(0, 1) == 1; }
  /// A box with at least one point (none if `may_be_empty`) inside `shape`.
  Box box(const Extents& shape, bool may_be_empty = false) {
    Box out;
    for (const std::int64_t extent : shape) {
      const std::int64_t size = pick(may_be_empty ? 0 : 1, extent);
      out.size.push_back(size);
      out.begin.push_back(pick(0, extent - size));
    }
    return out;
  }
  Extents shape(std::int64_t most_dimensions, std::int64_t longest) {
    Extents out(static_cast<std::size_t>(pick(0, most_dimensions)));
    for (auto& extent : out) extent = pick(1, longest);
    return out;
  }

 private:
  std::mt19937_64 generator_;
};

/// Calls `body(point, number)` for every point of `box` in C order.
template <class Body>
void for_each_point(const Box& box, Body&& body) {
  if (box.is_empty()) return;
  Extents point = box.begin;
  for (std::int64_t number = 0; number < box.volume(); ++number) {
    body(point, number);
    for (std::size_t d = point.size(); d-- > 0;) {
      if (++point[d] < box.begin[d] + box.size[d]) break;
      point[d] = box.begin[d];
    }
  }
}

inline bool has_point(const Box& box, const Extents& point) {
  for (std::size_t d = 0; d < point.size(); ++d) {
    if (point[d] < box.begin[d] || point[d] >= box.begin[d] + box.size[d]) return false;
  }
  return true;
}

}  // namespace epios::io::test
