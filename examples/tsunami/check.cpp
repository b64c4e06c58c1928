// Reads the example's files with the distribution's serial NetCDF, without EPIOS, and checks what
// must be true of them whoever wrote them: cells are where the rotated grid has them, land is
// missing everywhere, no water comes or goes, and the wave is not faster than the depth allows.
// usage: tsunami_check <folder> <hours>
#include <netcdf.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr double degree = std::numbers::pi / 180;
constexpr double earth_radius_m = 6'371'229.0;
constexpr std::size_t ni = 180, nj = 100, cells = ni * nj;
constexpr double missing = 1e20;

/// What is not as it must be, so far.
int& failures() {
  static int count = 0;
  return count;
}
void expect(bool condition, const std::string& what) {
  if (condition) return;
  std::fprintf(stderr, "tsunami_check: %s\n", what.c_str());
  ++failures();
}

std::vector<double> read(const std::string& path, const std::string& name) {
  const auto check = [&](int status) {
    if (status != NC_NOERR)
      throw std::runtime_error(path + ": " + name + ": " + nc_strerror(status));
  };
  int file = -1;
  int variable = -1;
  int rank = 0;
  std::array<int, NC_MAX_VAR_DIMS> dimensions{};
  check(nc_open(path.c_str(), NC_NOWRITE, &file));
  check(nc_inq_varid(file, name.c_str(), &variable));
  check(nc_inq_var(file, variable, nullptr, nullptr, &rank, dimensions.data(), nullptr));
  std::size_t volume = 1;
  for (int d = 0; d < rank; ++d) {
    std::size_t length = 0;
    check(nc_inq_dimlen(file, dimensions[static_cast<std::size_t>(d)], &length));
    volume *= length;
  }
  std::vector<double> out(volume);
  check(nc_get_var_double(file, variable, out.data()));
  check(nc_close(file));
  return out;
}

using Point = std::array<double, 3>;
Point point(double lon, double lat) {
  return {std::cos(lat * degree) * std::cos(lon * degree),
          std::cos(lat * degree) * std::sin(lon * degree), std::sin(lat * degree)};
}
double angle(const Point& a, const Point& b) {
  return std::acos(std::clamp(a[0] * b[0] + a[1] * b[1] + a[2] * b[2], -1.0, 1.0));
}

void check_cells(const std::string& path) {
  const auto lon = read(path, "nav_lon");
  const auto lat = read(path, "nav_lat");
  const auto bounds_lon = read(path, "bounds_nav_lon");
  const auto bounds_lat = read(path, "bounds_nav_lat");
  expect(lon.size() == cells && bounds_lon.size() == 4 * cells, "the grid has another size");
  if (failures() > 0) return;
  const Point centre = point(-15, 35);
  double off = 0;
  double wide = 0;
  for (std::size_t c = 0; c < cells; ++c) {
    const std::size_t row = c / ni;
    const double x = (-45 + 0.5 * (static_cast<double>(c % ni) + 0.5)) * degree;
    const double y = (-26 + 0.5 * (static_cast<double>(row) + 0.5)) * degree;
    const Point here = point(lon[c], lat[c]);
    off = std::max(off, std::abs(std::cos(angle(here, centre)) - std::cos(x) * std::cos(y)));
    if (c + ni < cells) {
      off = std::max(off, std::abs(angle(here, point(lon[c + ni], lat[c + ni])) - 0.5 * degree));
    }
    for (std::size_t k = 0; k < 4; ++k) {
      wide = std::max(wide, angle(here, point(bounds_lon[4 * c + k], bounds_lat[4 * c + k])));
    }
  }
  expect(off < 1e-7, "cells are not where the rotated grid has them");
  expect(wide > 0.35 * degree && wide < 0.36 * degree, "corners are not around their cells");
}

void check_wave(const std::string& folder, std::size_t hours) {
  const std::string path = folder + "/tsunami_surface.nc";
  const auto surface = read(path, "surface");
  const auto highest = read(folder + "/tsunami_highest.nc", "highest");
  const auto area = read(path, "area");
  const auto lon = read(path, "nav_lon");
  const auto lat = read(path, "nav_lat");
  expect(surface.size() == 4 * hours * cells, "there are not four records an hour");
  expect(highest.size() == hours / 6 * cells, "there is not one record of six hours each");
  if (failures() > 0) return;
  double first_volume = 0;
  double farthest = 0;
  for (std::size_t r = 0; r < 4 * hours; ++r) {
    const std::string record = "record " + std::to_string(r) + ": ";
    const double seconds = 900.0 * static_cast<double>(r + 1);
    double volume = 0;
    double too_far = 0;
    int other_land = 0;
    int above = 0;
    for (std::size_t c = 0; c < cells; ++c) {
      const double here = surface[r * cells + c];
      const bool is_land = here == missing;
      if (is_land != (surface[c] == missing)) ++other_land;
      if (r / 24 < hours / 6) {
        const double most = highest[r / 24 * cells + c];
        if (is_land != (most == missing) || here > most) ++above;
      }
      if (is_land) continue;
      volume += here * area[c];
      const double distance = earth_radius_m * angle(point(lon[c], lat[c]), point(-10.5, 36.5));
      // The sea is nowhere deeper than 7,500 m; the uplift is 450 km wide.
      const double reach = 700'000 + std::sqrt(9.81 * 7500) * seconds;
      if (distance > reach) too_far = std::max(too_far, std::abs(here));
      if (std::abs(here) > 0.01) farthest = std::max(farthest, distance);
    }
    if (r == 0) first_volume = volume;
    expect(other_land == 0, record + "land is elsewhere than in the first record");
    expect(above == 0, record + "the sea is higher than it ever was");
    expect(std::abs(volume / first_volume - 1) < 1e-6, record + "water came or went");
    expect(too_far < 1e-3, record + "the wave is too fast");
  }
  expect(first_volume > 2e11 && first_volume < 4e11, "the earthquake lifted another volume");
  expect(hours < 6 || farthest > 3e6, "the wave has not crossed the Atlantic");
  int sea_in_the_sahara = 0;
  for (std::size_t c = 0; c < cells; ++c) {
    if (c % ni >= 120 && c / ni < 50 && surface[c] != missing) ++sea_in_the_sahara;
  }
  expect(sea_in_the_sahara == 0, "there is sea in the Sahara");
}

/// Gauges have the heights of the nearest cells of the sea, three records to each of the sea's.
void check_gauges(const std::string& folder, std::size_t hours) {
  const std::string path = folder + "/tsunami_surface.nc";
  const std::string gauges = folder + "/tsunami_gauges.nc";
  const auto surface = read(path, "surface");
  const auto lon = read(path, "nav_lon");
  const auto lat = read(path, "nav_lat");
  const auto seen = read(gauges, "surface");
  const auto harbour_lon = read(gauges, "lon");
  const auto harbour_lat = read(gauges, "lat");
  const std::size_t harbours = harbour_lon.size();
  expect(harbours == 5 && seen.size() == 12 * hours * harbours,
         "there are not twelve records of five gauges an hour");
  if (failures() > 0) return;
  for (std::size_t h = 0; h < harbours; ++h) {
    const Point here = point(harbour_lon[h], harbour_lat[h]);
    std::size_t nearest = cells;
    for (std::size_t c = 0; c < cells; ++c) {
      if (surface[c] == missing) continue;
      const auto distance = [&](std::size_t cell) {
        return angle(here, point(lon[cell], lat[cell]));
      };
      if (nearest == cells || distance(c) < distance(nearest)) nearest = c;
    }
    for (std::size_t r = 0; r < 4 * hours; ++r) {
      expect(seen[(3 * r + 2) * harbours + h] == surface[r * cells + nearest],
             "a gauge has not the height of the nearest cell of the sea");
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: tsunami_check <folder> <hours>\n");
    return EXIT_FAILURE;
  }
  try {
    const std::string folder = argv[1];
    check_cells(folder + "/tsunami_surface.nc");
    const std::size_t hours = std::strtoul(argv[2], nullptr, 10);
    check_wave(folder, hours);
    check_gauges(folder, hours);
  } catch (const std::exception& error) {
    expect(false, error.what());
  }
  if (failures() == 0)
    std::printf("tsunami_check: cells, land, volume, speed and gauges are right\n");
  return failures() == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
