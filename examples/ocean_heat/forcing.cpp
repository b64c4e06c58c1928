#include "forcing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

#include "input_file.hpp"

namespace ocean {
namespace {

constexpr std::size_t months = 12;
/// Surface current as a share of the wind, and its angle to the wind far from the equator.
constexpr double drift_share = 0.03;
constexpr double ekman_degrees = 45.0;
constexpr double full_ekman_latitude = 10.0;

double radians(double degrees) { return degrees * std::numbers::pi / 180.0; }

std::size_t cell(const Grid& grid, int i, int j) {
  return static_cast<std::size_t>(j) * static_cast<std::size_t>(grid.ni) +
         static_cast<std::size_t>((i + grid.ni) % grid.ni);
}

/// Ocean where at least half of the four 1-degree points of a cell lie below the sea level.
void read_mask(const std::filesystem::path& folder, Grid& grid) {
  const InputFile file(folder / "etopo60.cdf");
  const std::size_t fine_ni = 2 * static_cast<std::size_t>(grid.ni);
  const std::vector<double> height = file.read("ROSE", 4 * grid.size());
  const std::vector<double> fine_lon = file.read("ETOPO60X", fine_ni);
  if (std::abs(fine_lon[0] + 0.5 - grid.lon[0]) > 1e-9) {
    throw std::runtime_error(
        "etopo60.cdf and coads_climatology.cdf start at different longitudes"
        " (their cells do not nest). Are both of package ferret-datasets?");
  }
  grid.wet.assign(grid.size(), 0);
  for (int j = 0; j < grid.nj; ++j) {
    for (int i = 0; i < grid.ni; ++i) {
      const std::size_t south = 2 * static_cast<std::size_t>(j) * fine_ni;
      const std::size_t west = south + 2 * static_cast<std::size_t>(i);
      int below = 0;
      for (const std::size_t point : {west, west + 1, west + fine_ni, west + fine_ni + 1}) {
        if (height[point] < 0) ++below;
      }
      grid.wet[cell(grid, i, j)] = below >= 2 ? 1 : 0;
    }
  }
}

/// Returns whether unknown cells are left.
bool grow_once(int ni, int nj, std::vector<double>& field) {
  const std::vector<double> known = field;
  const auto place = [ni](int i, int j) {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(ni) +
           static_cast<std::size_t>((i + ni) % ni);
  };
  bool unknown_left = false;
  for (int j = 0; j < nj; ++j) {
    for (int i = 0; i < ni; ++i) {
      if (!std::isnan(known[place(i, j)])) continue;
      double sum = 0;
      int count = 0;
      for (int jj = std::max(j - 1, 0); jj <= std::min(j + 1, nj - 1); ++jj) {
        for (int ii = i - 1; ii <= i + 1; ++ii) {
          const double value = known[place(ii, jj)];
          if (std::isnan(value)) continue;
          sum += value;
          ++count;
        }
      }
      if (count > 0) {
        field[place(i, j)] = sum / count;
      } else {
        unknown_left = true;
      }
    }
  }
  return unknown_left;
}

void read_temperature(const InputFile& file, const Grid& grid, Monthly& sst) {
  const std::size_t size = grid.size();
  const std::vector<double> all = file.read("SST", months * size);
  for (std::size_t m = 0; m < months; ++m) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(m * size);
    sst[m].assign(first, first + static_cast<std::ptrdiff_t>(size));
    // Observations over land (coasts, lakes) must not leak into the sea.
    for (std::size_t c = 0; c < size; ++c) {
      if (grid.wet[c] == 0) sst[m][c] = std::nan("");
    }
    fill_holes(sst[m], grid.ni, grid.nj,
               "temperature of month " + std::to_string(m + 1) + " in coads_climatology.cdf");
  }
}

/// The wind data's own regular grid.
struct WindGrid {
  std::size_t ni = 144;
  std::size_t nj = 73;
  double lon0 = 20;
  double lat0 = -90;
  double step = 2.5;
};

/// Mean annual cycle over the years of the record.
Monthly read_wind(const InputFile& file, const WindGrid& grid, const std::string& name) {
  constexpr std::size_t years = 11;
  const std::size_t size = grid.ni * grid.nj;
  const std::vector<double> all = file.read(name, years * months * size);
  Monthly mean;
  for (std::size_t m = 0; m < months; ++m) {
    mean[m].assign(size, 0.0);
    for (std::size_t c = 0; c < size; ++c) {
      double sum = 0;
      int count = 0;
      for (std::size_t y = 0; y < years; ++y) {
        const double value = all[(y * months + m) * size + c];
        if (std::isnan(value)) continue;
        sum += value;
        ++count;
      }
      if (count > 0) mean[m][c] = sum / count;
    }
  }
  return mean;
}

double bilinear(const WindGrid& grid, const std::vector<double>& field, double lon, double lat) {
  const double x = (lon - grid.lon0) / grid.step;
  const double y = (lat - grid.lat0) / grid.step;
  const auto i = static_cast<std::size_t>(x);
  const auto j = std::min(static_cast<std::size_t>(y), grid.nj - 2);
  const double wx = x - static_cast<double>(i);
  const double wy = y - static_cast<double>(j);
  const std::size_t west = i % grid.ni;
  const std::size_t east = (i + 1) % grid.ni;
  const double south = field[j * grid.ni + west] * (1 - wx) + field[j * grid.ni + east] * wx;
  const std::size_t up = (j + 1) * grid.ni;
  const double north = field[up + west] * (1 - wx) + field[up + east] * wx;
  return south * (1 - wy) + north * wy;
}

void read_currents(const std::filesystem::path& folder, Forcing& forcing) {
  const InputFile file(folder / "monthly_navy_winds.cdf");
  const WindGrid wind_grid;
  const Monthly wind_u = read_wind(file, wind_grid, "UWND");
  const Monthly wind_v = read_wind(file, wind_grid, "VWND");
  const Grid& grid = forcing.grid;
  for (std::size_t m = 0; m < months; ++m) {
    forcing.u[m].resize(grid.size());
    forcing.v[m].resize(grid.size());
    for (int j = 0; j < grid.nj; ++j) {
      const double lat = grid.lat[static_cast<std::size_t>(j)];
      for (int i = 0; i < grid.ni; ++i) {
        const double lon = grid.lon[static_cast<std::size_t>(i)];
        const Vector drift = drift_of(
            {bilinear(wind_grid, wind_u[m], lon, lat), bilinear(wind_grid, wind_v[m], lon, lat)},
            lat);
        forcing.u[m][cell(grid, i, j)] = drift.u;
        forcing.v[m][cell(grid, i, j)] = drift.v;
      }
    }
  }
}

}  // namespace

void fill_holes(std::vector<double>& field, int ni, int nj, const std::string& name) {
  if (std::ranges::all_of(field, [](double x) { return std::isnan(x); })) {
    throw std::runtime_error(name + " is not there (all values are missing). Is the file whole?");
  }
  while (grow_once(ni, nj, field)) {
  }
}

Vector drift_of(const Vector& wind, double lat) {
  const double turn = radians(ekman_degrees) * std::clamp(lat / full_ekman_latitude, -1.0, 1.0);
  return {drift_share * (wind.u * std::cos(turn) + wind.v * std::sin(turn)),
          drift_share * (wind.v * std::cos(turn) - wind.u * std::sin(turn))};
}

Forcing read_forcing(const std::filesystem::path& folder) {
  const InputFile climatology(folder / "coads_climatology.cdf");
  Forcing forcing;
  Grid& grid = forcing.grid;
  grid.lon = climatology.read("COADSX", static_cast<std::size_t>(grid.ni));
  grid.lat = climatology.read("COADSY", static_cast<std::size_t>(grid.nj));
  read_mask(folder, grid);
  read_temperature(climatology, grid, forcing.sst);
  read_currents(folder, forcing);
  return forcing;
}

MonthWeights month_weights(double day) {
  constexpr std::array<double, months> mid{15.5,  45.0,  74.5,  105.0, 135.5, 166.0,
                                           196.5, 227.5, 258.0, 288.5, 319.0, 349.5};
  std::size_t after = 0;
  while (after < months && mid[after] <= day) ++after;
  const std::size_t before = (after + months - 1) % months;
  after %= months;
  double span = mid[after] - mid[before];
  double since = day - mid[before];
  if (span < 0) span += 365.0;
  if (since < 0) since += 365.0;
  return {before, after, since / span};
}

}  // namespace ocean
