/// @file
/// The lowest layer of an atmosphere, on the columns of one client.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace coupled {

/// Regular global grid, 6 by 4 degrees: 3 by 2 cells of the climatology each. West to east, then
/// south to north.
struct SkyGrid {
  int ni = 60;
  int nj = 45;
  double west = 20;  ///< edge of the first column, degrees east
  double dlon = 6;
  double dlat = 4;
  double lon(int i) const { return west + (i + 0.5) * dlon; }
  double lat(int j) const { return -90 + (j + 0.5) * dlat; }
  std::size_t size() const { return static_cast<std::size_t>(ni) * static_cast<std::size_t>(nj); }
};

/// Columns [begin, begin + count) of the global grid.
struct Columns {
  int begin = 0;
  int count = 0;
};
/// The share of client `rank` of `size`. Throws when there are more clients than columns.
Columns columns_of(int rank, int size, const SkyGrid& grid);

/// Observed air temperature and wind, mid month by mid month, everywhere defined.
struct SkyClimate {
  SkyGrid grid;
  using Monthly = std::array<std::vector<double>, 12>;
  Monthly air, u, v;
};
/// Of coads_climatology.cdf in `folder`.
SkyClimate read_sky(const std::filesystem::path& folder);

/// Air takes heat from the sea below and returns to its climatology; winds are those of the season.
/// Every cell by itself: results do not depend on the decomposition in any bit.
class Atmosphere {
 public:
  Atmosphere(const SkyClimate& climate, const Columns& columns, double dt_s);

  /// The sea's temperature from now on, degrees Celsius; NaN where there is land.
  void see(std::span<const double> sea);
  /// Advances to the end of step `step`, from 1.
  void advance(std::int64_t step);

  // On the cells of the columns:
  const std::vector<double>& air() const { return air_; }    ///< degrees Celsius
  const std::vector<double>& u() const { return u_; }        ///< wind to the east, m/s
  const std::vector<double>& v() const { return v_; }        ///< wind to the north, m/s
  const std::vector<double>& heat() const { return heat_; }  ///< into the sea, W/m2

 private:
  struct Local {
    std::vector<double> air, u, v;
  };
  std::vector<Local> monthly_;
  double dt_s_;
  std::vector<double> sea_, air_, u_, v_, heat_;
};

}  // namespace coupled
