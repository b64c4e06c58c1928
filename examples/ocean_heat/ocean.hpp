/// @file
/// The model itself: temperature of the sea surface on the rows of one endpoint.
#pragma once

#include <cstdint>
#include <ep/ep.hpp>
#include <span>
#include <vector>

#include "forcing.hpp"

namespace ocean {

/// Rows [begin, begin + count) of the global grid.
struct Rows {
  int begin = 0;
  int count = 0;
};
/// The share of endpoint `rank` of `size`; shares differ by one row at most.
Rows rows_of(int rank, int size, const Grid& grid);

struct Physics {
  double dt_s = 7200;
  double relaxation_days = 30;
  double diffusivity_m2_s = 5000;
};

/// Advects (first-order upwind), diffuses and relaxes temperature. Every cell is computed by the
/// same operations whatever the decomposition, so results do not depend on it in any bit.
class Ocean {
 public:
  /// `comm` connects the endpoints in the order of their rows; it must outlive the model. Throws
  /// when the time step is too long for the scheme. Local.
  Ocean(const Forcing& forcing, const Rows& rows, const Physics& physics, const ep::Comm& comm);

  /// Advances to the end of step `step` (from 1). Collective over the endpoints.
  void advance(std::int64_t step);

  /// Temperature with one halo cell on every side, (ni + 2) * (rows + 2), west to east, then south
  /// to north.
  std::span<const double> temperature() const { return temperature_; }
  /// Goes on from there; halos do not count.
  void restore(std::span<const double> temperature);
  int row_length() const { return ni_ + 2; }
  const Rows& rows() const { return rows_; }

  /// Area integrals over this endpoint's ocean as integers: their sums over endpoints are exact in
  /// any order. The mean is heat / area.
  struct Integral {
    std::int64_t heat = 0;
    std::int64_t area = 0;
  };
  Integral integral() const;

 private:
  struct Local {
    std::vector<double> sst, u, v;  ///< without halo
  };
  void check_stability(const Forcing& forcing) const;
  void exchange_halo();
  void advance_row(int j, const MonthWeights& months);
  std::size_t at(int i, int j) const {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(ni_ + 2) +
           static_cast<std::size_t>(i);
  }

  /// Position in an array without halo.
  std::size_t index(int j, int i) const {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(ni_) +
           static_cast<std::size_t>(i);
  }

  const ep::Comm& comm_;
  Physics physics_;
  Rows rows_;
  int ni_;
  int rank_;
  int size_;
  std::vector<Local> monthly_;
  std::vector<unsigned char> wet_;  ///< with halo; 0 beyond the poles
  std::vector<double> cos_lat_;     ///< per row
  std::vector<double> dx_m_;        ///< per row
  double dy_m_;
  std::vector<double> temperature_;
  std::vector<double> next_;
};

}  // namespace ocean
