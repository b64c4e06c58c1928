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
  double diffusivity_m2_s = 5000;
};

/// What drives the ocean in a step, on the cells of its rows.
struct Drive {
  std::vector<double> u, v;     ///< surface current, m/s
  std::vector<double> target;   ///< temperature that it is relaxed to, degrees Celsius
  std::vector<double> warming;  ///< by the heat from above, K/s
  double relaxation_s = 0;      ///< time scale of the relaxation; 0: there is none
};

/// The climatology of a day of the year, on some rows.
class Climate {
 public:
  Climate(const Forcing& forcing, const Rows& rows, double relaxation_days);
  /// At the end of step `step` of `dt_s` seconds. Valid until the next call.
  const Drive& at(std::int64_t step, double dt_s);
  /// In the middle of a month, from 0; the same.
  const Drive& of_month(std::size_t month);

 private:
  const Drive& between(const MonthWeights& months);
  struct Local {
    std::vector<double> sst, u, v;
  };
  std::vector<Local> monthly_;
  Drive drive_;
};

/// Advects (first-order upwind), diffuses, warms and relaxes temperature. Every cell is computed by
/// the same operations whatever the decomposition, so results do not depend on it in any bit.
class Ocean {
 public:
  /// Begins with the temperature of the first of January. `comm` connects the endpoints in the
  /// order of their rows; it must outlive the model. Local.
  Ocean(const Forcing& forcing, const Rows& rows, const Physics& physics, const ep::Comm& comm);

  /// Throws when the time step is too long for the scheme. Local.
  void check_stability(const Drive& drive) const;
  /// Advances by a step. Collective over the endpoints.
  void advance(const Drive& drive);

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
  void exchange_halo();
  void advance_row(int j, const Drive& drive);
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
  std::vector<unsigned char> wet_;  ///< with halo; 0 beyond the poles
  std::vector<double> cos_lat_;     ///< per row
  std::vector<double> dx_m_;        ///< per row
  double dy_m_;
  std::vector<double> temperature_;
  std::vector<double> next_;
};

}  // namespace ocean
