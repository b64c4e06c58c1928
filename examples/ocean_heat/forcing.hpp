/// @file
/// What drives the model: grid, land mask, monthly target temperature and surface currents.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace ocean {

/// Regular global grid, 2 degrees; arrays run west to east, then south to north.
struct Grid {
  int ni = 180;
  int nj = 90;
  std::vector<double> lon;         ///< cell centres, degrees east, size ni
  std::vector<double> lat;         ///< cell centres, degrees north, size nj
  std::vector<unsigned char> wet;  ///< 1: ocean, size ni*nj

  double step_degrees() const { return 360.0 / ni; }
  std::size_t size() const { return static_cast<std::size_t>(ni) * static_cast<std::size_t>(nj); }
};

/// One global field per month of the year, valid at mid month.
using Monthly = std::array<std::vector<double>, 12>;

struct Forcing {
  Grid grid;
  Monthly sst;  ///< degrees Celsius, everywhere defined
  Monthly u;    ///< surface current to the east, m/s
  Monthly v;    ///< surface current to the north, m/s
};

/// Reads coads_climatology.cdf, etopo60.cdf and monthly_navy_winds.cdf from `folder` and brings
/// them to the model's grid.
Forcing read_forcing(const std::filesystem::path& folder);

/// A missing cell takes the mean of its neighbours that have a value, ring by ring. Throws when
/// none has.
void fill_holes(std::vector<double>& field, int ni, int nj, const std::string& name);

/// Surface current, m/s, by wind: a share of it, turned to the right of it in the north, to the
/// left in the south, not at all on the equator.
struct Vector {
  double u = 0, v = 0;
};
Vector drift_of(const Vector& wind, double lat);

/// Where a day of the year lies between two mid months.
struct MonthWeights {
  std::size_t before = 0;  ///< month, from 0
  std::size_t after = 0;
  double weight = 0;  ///< of `after`
};
/// `day` in [0, 365).
MonthWeights month_weights(double day);

}  // namespace ocean
