/// @file
/// How a grid is laid out: on one client (which points of the model's array are which global
/// points) and over servers (slabs).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "config/model.hpp"
#include "grid/box.hpp"

namespace epios::io {

/// Global shape of a grid, dimensions in file order: elements reversed, a domain gives {nj, ni}, an
/// axis {n}, a scalar nothing.
Extents global_shape(const config::Model& model, int grid);

/// The part of a grid that one client owns, from the local attributes of `model`; the box of its
/// LocalLayout without building that. The Model has been checked: throws only Error{internal}.
Box local_box(const config::Model& model, int grid);

/// What one client owns of one grid and how its model array maps to it. Immutable.
class LocalLayout {
 public:
  /// `count` points of the model array from `array` on are the points of the box from `point` on.
  struct Run {
    std::int64_t array = 0;
    std::int64_t point = 0;
    std::int64_t count = 0;
  };

  /// From the local attributes of `model` (block decompositions, halos through data_*, masks). The
  /// Model has been checked: throws only Error{internal}. Masked points and points that the model
  /// array does not hold are missing.
  LocalLayout(const config::Model& model, int grid);

  /// The owned part of the global index space.
  const Box& box() const { return box_; }
  /// Number of values of the model array that send takes.
  std::int64_t array_size() const { return array_size_; }
  /// Whether the model array is the box itself: no halo, no mask, same order.
  bool is_identity() const { return is_identity_; }
  const std::vector<Run>& runs() const { return runs_; }
  /// Fills `points` (volume of the box) from the model array; missing points become NaN. T: double
  /// or float. O(points).
  template <class T>
  void pick(std::span<const T> array, std::span<double> points) const;

 private:
  Box box_;
  std::int64_t array_size_ = 0;
  bool is_identity_ = false;
  std::vector<Run> runs_;  // in point order, coalesced
};

extern template void LocalLayout::pick(std::span<const double>, std::span<double>) const;
extern template void LocalLayout::pick(std::span<const float>, std::span<double>) const;

/// Shape of the chunks of a variable (without the record dimension) so that a chunk has at most
/// about `target_bytes` and the slabs of `writers` writers are whole numbers of chunks. Cuts the
/// slowest dimension first; for several writers the slowest that has an index for each of them (the
/// longest if none has), and dimensions slower than that one stay whole.
Extents chunk_shape(const Extents& shape, std::int64_t value_bytes, std::int64_t target_bytes,
                    int writers);

/// Shares of `writers` writers: contiguous slabs along the slowest dimension that has more than one
/// chunk, aligned to chunks, in order; covers everything once; the last ones may be empty (volume
/// 0; nothing(0) for a grid without dimensions, which the first writer has).
std::vector<Box> slabs(const Extents& shape, const Extents& chunk, int writers);

}  // namespace epios::io
