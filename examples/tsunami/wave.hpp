/// @file
/// The wave on one endpoint's block of the grid.
#pragma once

#include <cstdint>
#include <ep/ep.hpp>
#include <span>
#include <vector>

#include "sea.hpp"

namespace tsunami {

/// Block of the grid that one endpoint has.
struct Block {
  int ibegin = 0, ni = 0, jbegin = 0, nj = 0;
  int west = -1, east = -1, south = -1, north = -1;  ///< endpoints beyond its sides; -1: none
};
/// `columns` blocks side by side.
Block block_of(const Grid& grid, int endpoint, int endpoints, int columns);

/// Linear long waves, forward in height and backward in flow, on a staggered grid; nothing crosses
/// coasts and the grid's edges. Arrays have one halo cell on each side. A cell's value is computed
/// by the same operations whatever endpoint has it.
class Wave {
 public:
  /// `depths` of the whole grid. `comm` must outlive the wave.
  Wave(const Grid& grid, const std::vector<double>& depths, const Place& earthquake,
       const Block& block, const ep::Comm& comm);

  /// Collective over the communicator.
  void advance(double dt_s);

  /// Height of the surface in metres, (ni + 2) x (nj + 2) values, i fastest.
  std::span<const double> surface() const { return surface_; }
  /// Which of the ni x nj cells are sea.
  const std::vector<unsigned char>& sea() const { return sea_; }
  bool is_land_only() const;
  /// Longest stable time step on the whole grid.
  static double longest_step_s(const Grid& grid, const std::vector<double>& depths);

 private:
  std::size_t at(int i, int j) const {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(block_.ni + 2) +
           static_cast<std::size_t>(i);
  }
  void exchange(std::vector<double>& values);

  const Grid& grid_;
  Block block_;
  const ep::Comm& comm_;
  std::vector<double> depths_;  ///< with halo
  std::vector<double> surface_;
  std::vector<double> u_, v_;  ///< flow (m2/s) through the western and the southern side of a cell
  std::vector<unsigned char> sea_;
  std::vector<double> sent_[2], received_[2];  ///< columns
};

}  // namespace tsunami
