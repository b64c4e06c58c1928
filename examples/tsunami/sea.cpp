#include "sea.hpp"

#include <netcdf.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

namespace tsunami {
namespace {

constexpr double degree = std::numbers::pi / 180;

/// Heights on a regular grid of the earth.
class Relief {
 public:
  explicit Relief(const std::filesystem::path& path) {
    const auto check = [&](int status) {
      if (status == NC_NOERR) return;
      throw std::runtime_error(
          "cannot read relief " + path.string() + " (" + nc_strerror(status) +
          "). Install package ferret-datasets, or name its file with --relief.");
    };
    int id = -1;
    int variable = -1;
    int dimensions[2] = {-1, -1};
    check(nc_open(path.c_str(), NC_NOWRITE, &id));
    check(nc_inq_varid(id, "ROSE", &variable));
    check(nc_inq_vardimid(id, variable, dimensions));
    lat_ = coordinates(id, dimensions[0], check);
    lon_ = coordinates(id, dimensions[1], check);
    heights_.resize(lat_.size() * lon_.size());
    check(nc_get_var_double(id, variable, heights_.data()));
    check(nc_close(id));
  }

  /// Between the four points around.
  double height(const Place& place) const {
    const double di = lon_[1] - lon_[0];
    const double dj = lat_[1] - lat_[0];
    const double i = std::fmod(place.lon - lon_[0] + 720, 360) / di;
    const double j =
        std::clamp((place.lat - lat_[0]) / dj, 0.0, static_cast<double>(lat_.size()) - 1.001);
    const auto i0 = static_cast<std::size_t>(i);
    const auto j0 = static_cast<std::size_t>(j);
    const double a = i - static_cast<double>(i0);
    const double b = j - static_cast<double>(j0);
    return (1 - b) * ((1 - a) * at(i0, j0) + a * at(i0 + 1, j0)) +
           b * ((1 - a) * at(i0, j0 + 1) + a * at(i0 + 1, j0 + 1));
  }

 private:
  template <class Check>
  static std::vector<double> coordinates(int file, int dimension, const Check& check) {
    char name[NC_MAX_NAME + 1] = {};
    std::size_t length = 0;
    int variable = -1;
    check(nc_inq_dim(file, dimension, name, &length));
    check(nc_inq_varid(file, name, &variable));
    std::vector<double> out(length);
    check(nc_get_var_double(file, variable, out.data()));
    return out;
  }
  double at(std::size_t i, std::size_t j) const {
    return heights_[j * lon_.size() + i % lon_.size()];
  }

  std::vector<double> lon_, lat_, heights_;
};

}  // namespace

Place Grid::on_earth(double x, double y) const {
  const double u = std::cos(y * degree) * std::cos(x * degree);
  const double v = std::cos(y * degree) * std::sin(x * degree);
  const double w = std::sin(y * degree);
  const double tilt = centre.lat * degree;
  const double out_u = u * std::cos(tilt) - w * std::sin(tilt);
  const double out_w = u * std::sin(tilt) + w * std::cos(tilt);
  return {centre.lon + std::atan2(v, out_u) / degree, std::asin(out_w) / degree};
}

double Grid::width_m(double j) const {
  return earth_radius_m * step * degree * std::cos(y(j) * degree);
}

double Grid::height_m() const { return earth_radius_m * step * degree; }

std::vector<double> read_depths(const Grid& grid, const Place& earthquake,
                                const std::filesystem::path& relief) {
  const Relief heights(relief);
  const auto cells = static_cast<std::size_t>(grid.ni) * static_cast<std::size_t>(grid.nj);
  std::vector<double> depths(cells);
  std::size_t start = 0;
  double nearest = 1e9;
  for (std::size_t c = 0; c < cells; ++c) {
    const auto columns = static_cast<std::size_t>(grid.ni);
    const std::size_t row = c / columns;
    const auto i = static_cast<double>(c % columns);
    const auto j = static_cast<double>(row);
    const Place place = grid.on_earth(grid.x(i + 0.5), grid.y(j + 0.5));
    const double height = heights.height(place);
    depths[c] = height < -10 ? -height : 0;
    const double distance = std::hypot(place.lon - earthquake.lon, place.lat - earthquake.lat);
    if (depths[c] > 0 && distance < nearest) {
      nearest = distance;
      start = c;
    }
  }
  // Lakes and hollows of deserts are no sea.
  std::vector<double> sea(cells, 0.0);
  std::vector<std::size_t> front = {start};
  const auto ni = static_cast<std::size_t>(grid.ni);
  while (!front.empty()) {
    const std::size_t c = front.back();
    front.pop_back();
    if (sea[c] > 0 || depths[c] <= 0) continue;
    sea[c] = depths[c];
    if (c % ni > 0) front.push_back(c - 1);
    if (c % ni + 1 < ni) front.push_back(c + 1);
    if (c >= ni) front.push_back(c - ni);
    if (c + ni < cells) front.push_back(c + ni);
  }
  return sea;
}

}  // namespace tsunami
