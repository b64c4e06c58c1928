/// @file
/// Dust carried by the wind over the cells of one endpoint.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ep/ep.hpp>
#include <span>
#include <vector>

#include "mesh.hpp"

namespace hexagons {

constexpr double seconds_per_day = 86'400;
constexpr double period_days = 12;  ///< of the wind: then all is where it was, but for diffusion

/// Cells of one endpoint, by their number in the mesh: a sector of longitudes, so that few have
/// neighbours elsewhere.
std::vector<int> cells_of(const std::vector<Cell>& mesh, int endpoint, int endpoints);

/// Two puffs of dust in a wind that draws them out and puts them together again: case 4 of
/// R. D. Nair and P. H. Lauritzen (doi:10.1016/j.jcp.2010.08.014), first-order upwind. A cell's
/// value is computed by the same operations whatever endpoint has it.
class Tracer {
 public:
  /// Collective over `comm`. `mesh` and `comm` must outlive the model.
  Tracer(const std::vector<Cell>& mesh, const ep::Comm& comm, double timestep_s);

  void advance(std::int64_t step);

  const std::vector<int>& cells() const { return cells_; }
  /// Amounts of the own cells, followed by those of their neighbours elsewhere.
  std::span<const double> amounts() const { return amounts_; }
  /// All dust on all endpoints in kg, the same for any number of them. Collective.
  double total() const;

 private:
  struct Exchange {
    int endpoint = 0;
    std::vector<std::size_t> sent;        ///< own cells
    std::size_t received = 0, count = 0;  ///< places of amounts_
    std::vector<double> buffer;
  };
  void find_neighbours(const std::vector<int>& owners);
  void exchange();

  const std::vector<Cell>& mesh_;
  const ep::Comm& comm_;
  double timestep_s_;
  std::vector<int> cells_;
  std::vector<std::size_t> neighbours_;  ///< most_corners per own cell: places of amounts_
  std::vector<Exchange> exchanges_;
  std::vector<double> amounts_, next_;
};

}  // namespace hexagons
