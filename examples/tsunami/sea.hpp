/// @file
/// The sea around the model: a grid whose poles are not the earth's, and how deep it is.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace tsunami {

constexpr double earth_radius_m = 6'371'229.0;

/// A place on earth in degrees.
struct Place {
  double lon = 0, lat = 0;
};

/// Cells of equal angles about an equator of their own, which crosses the Atlantic at `centre`.
struct Grid {
  int ni = 180, nj = 100;
  double west = -45, south = -26;  ///< of the first cells' edges, in the grid's own degrees
  double step = 0.5;
  Place centre{-15, 35};

  /// Where the grid's own coordinates (in degrees) are on earth.
  Place on_earth(double x, double y) const;
  double x(double i) const { return west + step * i; }  ///< of the edge before cell i
  double y(double j) const { return south + step * j; }
  double width_m(double j) const;  ///< along i, at the edge before row j
  double height_m() const;         ///< along j
  double area_m2(int j) const { return width_m(j + 0.5) * height_m(); }
};

/// Depth of every cell in metres, 0 on land and where no water from the place of the earthquake can
/// come. `relief`: etopo20.cdf of package ferret-datasets. Errors are std::runtime_error.
std::vector<double> read_depths(const Grid& grid, const Place& earthquake,
                                const std::filesystem::path& relief);

}  // namespace tsunami
