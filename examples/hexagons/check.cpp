// Reads the example's file with the distribution's serial NetCDF, without EPIOS, and checks what
// must be true of it whoever wrote it: cells cover the sphere, dust is neither made nor lost, and
// it is where the wind has carried it. usage: hexagons_check <folder> <level> <days>
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
constexpr double period_days = 12;

/// What is not as it must be, so far.
int& failures() {
  static int count = 0;
  return count;
}
void expect(bool condition, const std::string& what) {
  if (condition) return;
  std::fprintf(stderr, "hexagons_check: %s\n", what.c_str());
  ++failures();
}

class File {
 public:
  explicit File(const std::string& path) { check(nc_open(path.c_str(), NC_NOWRITE, &id_), path); }
  File(const File&) = delete;
  File(File&&) = delete;
  File& operator=(const File&) = delete;
  File& operator=(File&&) = delete;
  ~File() { nc_close(id_); }  // read only

  std::vector<double> read(const std::string& name, std::size_t count) const {
    int variable = -1;
    check(nc_inq_varid(id_, name.c_str(), &variable), name);
    int rank = 0;
    std::array<int, NC_MAX_VAR_DIMS> dimensions{};
    check(nc_inq_var(id_, variable, nullptr, nullptr, &rank, dimensions.data(), nullptr), name);
    std::size_t volume = 1;
    for (int d = 0; d < rank; ++d) {
      std::size_t length = 0;
      check(nc_inq_dimlen(id_, dimensions[static_cast<std::size_t>(d)], &length), name);
      volume *= length;
    }
    if (volume != count) {
      throw std::runtime_error(name + " has " + std::to_string(volume) + " values instead of " +
                               std::to_string(count));
    }
    std::vector<double> out(count);
    check(nc_get_var_double(id_, variable, out.data()), name);
    return out;
  }
  std::string attribute(const std::string& variable, const std::string& name) const {
    int id = -1;
    std::size_t length = 0;
    check(nc_inq_varid(id_, variable.c_str(), &id), variable);
    check(nc_inq_attlen(id_, id, name.c_str(), &length), name);
    std::string out(length, ' ');
    check(nc_get_att_text(id_, id, name.c_str(), out.data()), name);
    return out;
  }

 private:
  static void check(int status, const std::string& what) {
    if (status != NC_NOERR) throw std::runtime_error(what + ": " + nc_strerror(status));
  }
  int id_ = -1;
};

using Point = std::array<double, 3>;
Point point(double lon, double lat) {
  return {std::cos(lat * degree) * std::cos(lon * degree),
          std::cos(lat * degree) * std::sin(lon * degree), std::sin(lat * degree)};
}
double volume(const Point& a, const Point& b, const Point& c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

void check_cells(const File& file, std::size_t cells) {
  constexpr std::size_t vertices = 6;
  const auto lon = file.read("lon", cells);
  const auto lat = file.read("lat", cells);
  const auto area = file.read("area", cells);
  const auto bounds_lon = file.read("bounds_lon", cells * vertices);
  const auto bounds_lat = file.read("bounds_lat", cells * vertices);
  expect(file.attribute("lon", "bounds") == "bounds_lon", "longitudes have no bounds");
  expect(file.attribute("dust", "coordinates").find("lon") != std::string::npos,
         "dust has no coordinates");
  double whole = 0;
  int outside = 0;
  int pentagons = 0;
  for (std::size_t c = 0; c < cells; ++c) {
    whole += area[c];
    const Point centre = point(lon[c], lat[c]);
    int edges = 0;
    for (std::size_t k = 0; k < vertices; ++k) {
      const std::size_t a = c * vertices + k;
      const std::size_t b = c * vertices + (k + 1) % vertices;
      if (bounds_lon[a] == bounds_lon[b] && bounds_lat[a] == bounds_lat[b]) continue;
      ++edges;
      // Counter-clockwise around the centre.
      const double turn =
          volume(centre, point(bounds_lon[a], bounds_lat[a]), point(bounds_lon[b], bounds_lat[b]));
      if (!(turn > 0)) ++outside;
    }
    if (edges == 5) ++pentagons;
  }
  expect(outside == 0, std::to_string(outside) + " edges do not lead around their cell");
  expect(pentagons == 12, "there are " + std::to_string(pentagons) + " pentagons");
  const double sphere = 4 * std::numbers::pi * earth_radius_m * earth_radius_m;
  expect(std::abs(whole / sphere - 1) < 1e-12, "cells do not cover the sphere");
}

void check_dust(const File& file, std::size_t cells, std::size_t days) {
  const auto lon = file.read("lon", cells);
  const auto lat = file.read("lat", cells);
  const auto area = file.read("area", cells);
  const auto dust = file.read("dust", cells * days);
  const auto total = file.read("dust_total", days);
  for (std::size_t d = 0; d < days; ++d) {
    double sum = 0;
    Point centre{};
    double least = 0;
    double most = 0;
    for (std::size_t c = 0; c < cells; ++c) {
      const double value = dust[d * cells + c];
      const Point p = point(lon[c], lat[c]);
      sum += value * area[c];
      for (std::size_t k = 0; k < 3; ++k) centre[k] += value * area[c] * p[k];
      least = std::min(least, value);
      most = std::max(most, value);
    }
    const std::string day = "day " + std::to_string(d + 1) + ": ";
    expect(std::abs(sum / total[d] - 1) < 1e-9, day + "the sum over cells is not the total");
    expect(std::abs(total[d] / total[0] - 1) < 1e-8, day + "dust was made or lost");
    expect(least >= 0 && most > 0.02 && most <= 1.01, day + "the amounts are out of range");
    // Two puffs at 150 and 210 degrees, carried once around and meanwhile drawn out to both sides.
    const double turned = (180 + 360 * static_cast<double>(d + 1) / period_days) * degree;
    const double along = centre[0] * std::cos(turned) + centre[1] * std::sin(turned);
    const double beside = centre[1] * std::cos(turned) - centre[0] * std::sin(turned);
    expect(std::abs(beside) < 0.02 * sum,
           day + "the dust is not on both sides of where it was carried");
    const bool is_back = std::fmod(static_cast<double>(d + 1), period_days) == 0;
    expect(!is_back || along > 0.3 * sum, day + "the dust is not back");
    expect(std::abs(centre[2]) < 0.01 * sum, day + "the dust is not on both sides of the equator");
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: hexagons_check <folder> <level> <days>\n");
    return EXIT_FAILURE;
  }
  try {
    const File file(std::string(argv[1]) + "/dust_daily.nc");
    const std::size_t cells = 10 * (std::size_t{1} << (2 * std::strtoul(argv[2], nullptr, 10))) + 2;
    check_cells(file, cells);
    check_dust(file, cells, std::strtoul(argv[3], nullptr, 10));
  } catch (const std::exception& error) {
    expect(false, error.what());
  }
  if (failures() == 0) std::printf("hexagons_check: cells, amounts and places are right\n");
  return failures() == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
