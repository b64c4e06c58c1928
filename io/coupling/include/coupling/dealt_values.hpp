/// @file
/// Values of points [0, size), block-distributed over ranks: each has an even, contiguous block.
#pragma once

#include <cstdint>
#include <ep/fwd.hpp>
#include <span>
#include <vector>

namespace epios::io {

/// The block distribution of points over ranks.
struct Dealing {
  std::int64_t size = 0;
  int ranks = 1;
  std::int64_t share() const { return (size + ranks - 1) / ranks; }
  std::int64_t begin(int rank) const;
  std::int64_t end(int rank) const { return begin(rank + 1); }
};

/// Redistributes values: each rank passes those that it has, `width` values for each point, and
/// gets those of its block; NaN for points that nobody has. Collective. Memory: the values that a
/// rank has, and its block.
std::vector<double> deal(const ep::Comm& comm, std::int64_t size, std::int64_t width,
                         std::span<const std::int64_t> points, std::span<const double> values);

/// Returns the values of any points, given the block of each rank. Collective.
std::vector<double> look_up(const ep::Comm& comm, std::int64_t size, std::int64_t width,
                            std::span<const double> stretch, std::span<const std::int64_t> points);

}  // namespace epios::io
