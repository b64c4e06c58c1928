/// @file
/// Tiles: boxes of a client's part of a domain that the model sends one by one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "config/model_fwd.hpp"

namespace epios::io {

/// How the arrays of the tiles of a grid fit into the array of the whole part. The grid has one
/// domain with tiles; every tile has all of its other elements. Immutable.
class Tiles {
 public:
  /// Uses the local attributes of a checked model. Without tiles, count() is 0.
  Tiles(const config::Model& model, int grid);

  int count() const { return static_cast<int>(tiles_.size()); }
  /// Returns true if the domain accepts tiles only.
  bool is_exclusive() const { return exclusive_; }
  /// Returns the number of values in the array of a tile, halo included.
  std::int64_t size(int tile) const;
  /// Copies the values of a tile, without its halo, to their places in the array of the whole part.
  template <class T>
  void place(int tile, std::span<const T> values, std::span<T> whole) const;

 private:
  struct Tile {
    std::int64_t ni = 0, nj = 0;          ///< extents of its array
    std::int64_t from_i = 0, from_j = 0;  ///< first cell in its array
    std::int64_t to_i = 0, to_j = 0;      ///< first cell in the array of the part
    std::int64_t count_i = 0, count_j = 0;
  };

  std::vector<Tile> tiles_;
  bool exclusive_ = false;
  std::int64_t whole_ni_ = 0, whole_nj_ = 0;
  std::int64_t inner_ = 1,
               outer_ = 1;  ///< number of values of the elements before and after the domain
};

}  // namespace epios::io
