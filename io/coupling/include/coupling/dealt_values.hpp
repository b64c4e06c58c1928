/// @file
/// Values of points [0, size) dealt out over ranks: an even stretch of them on each.
#pragma once

#include <cstdint>
#include <ep/fwd.hpp>
#include <span>
#include <vector>

namespace epios::io {

/// Which rank has which stretch.
struct Dealing {
  std::int64_t size = 0;
  int ranks = 1;
  std::int64_t share() const { return (size + ranks - 1) / ranks; }
  std::int64_t begin(int rank) const;
  std::int64_t end(int rank) const { return begin(rank + 1); }
};

/// Each rank says what it has, `width` values of each point; returned are those of its stretch, NaN
/// where nobody has any. Collective; memory: what a rank has, and its stretch.
std::vector<double> deal(const ep::Comm& comm, std::int64_t size, std::int64_t width,
                         std::span<const std::int64_t> points, std::span<const double> values);

/// The values of points, of which each rank has its stretch. Collective.
std::vector<double> look_up(const ep::Comm& comm, std::int64_t size, std::int64_t width,
                            std::span<const double> stretch, std::span<const std::int64_t> points);

}  // namespace epios::io
