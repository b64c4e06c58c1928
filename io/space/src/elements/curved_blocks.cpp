// Describes blocks of curvilinear cells. Which way the corners of a cell go around, and with which
// one they begin, is not known: outer corners are those far from the rest of the block.
#include "elements/curved_blocks.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>

#include "config/elementary.hpp"
#include "config/model.hpp"
#include "sphere/sphere_points.hpp"
#include "sphere/sphere_polygon.hpp"

namespace epios::io {

namespace {

constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
constexpr double to_degrees = 180 / std::numbers::pi;

using config::value::reals;

/// Points of a list of coordinates, on the sphere or on the plane.
class PointList {
 public:
  PointList(const reals& lon, const reals& lat, Surface surface)
      : lon_(lon.values), lat_(lat.values), surface_(surface) {}
  bool is_known(std::size_t k) const { return std::isfinite(lon_[k]) && std::isfinite(lat_[k]); }
  Vector at(std::size_t k) const {
    return surface_ == Surface::plane ? Vector{lon_[k], lat_[k], 0} : point_at(lon_[k], lat_[k]);
  }
  double lon(std::size_t k) const { return lon_[k]; }
  double lat(std::size_t k) const { return lat_[k]; }

 private:
  const std::vector<double>& lon_;
  const std::vector<double>& lat_;
  Surface surface_;
};

Vector mean_of(const PointList& points, std::size_t first, std::size_t end) {
  Vector sum;
  double count = 0;
  for (std::size_t k = first; k < end; ++k) {
    if (!points.is_known(k)) continue;
    sum = sum + points.at(k);
    ++count;
  }
  return count > 0 ? (1 / count) * sum : Vector{nowhere, nowhere, nowhere};
}

std::pair<double, double> centre_of(const PointList& points, Surface surface, std::size_t first,
                                    std::size_t end) {
  const Vector mean = mean_of(points, first, end);
  if (surface == Surface::plane) return {mean.x, mean.y};
  if (!(length(mean) > 0)) return {nowhere, nowhere};
  const double lat = to_degrees * config::arc_tangent(mean.z, std::hypot(mean.x, mean.y));
  const double lon = to_degrees * config::arc_tangent(mean.y, mean.x);
  constexpr double circle = 360;
  const double near = std::isfinite(points.lon(first)) ? points.lon(first) : lon;
  return {lon + circle * std::round((near - lon) / circle), lat};
}

/// Returns the corner of the cell, counted from its first one, that is nearest to a point.
std::size_t nearest_corner(const PointList& corners, std::size_t cell, const Vector& to) {
  std::size_t nearest = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t v = 0; v < curved_corners; ++v) {
    const double distance = length(corners.at(curved_corners * cell + v) - to);
    if (distance >= least) continue;
    least = distance;
    nearest = v;
  }
  return nearest;
}

/// Returns the first of two neighbouring corners of a cell that are farthest from a point.
std::size_t far_side(const PointList& corners, std::size_t cell, const Vector& from) {
  const auto distance = [&](std::size_t v) {
    return length(corners.at(curved_corners * cell + v % curved_corners) - from);
  };
  std::size_t farthest = 0;
  for (std::size_t v = 1; v < curved_corners; ++v) {
    if (distance(v) + distance(v + 1) > distance(farthest) + distance(farthest + 1)) farthest = v;
  }
  return farthest;
}

/// Returns places of the outer corners of a block in lists of corners, one after the other around
/// it.
std::array<std::size_t, curved_corners> outer_corners(const PointList& corners, std::size_t first,
                                                      std::size_t count) {
  const auto place = [](std::size_t cell, std::size_t corner) {
    return curved_corners * cell + corner % curved_corners;
  };
  const auto middle = [&](std::size_t begin, std::size_t end) {
    return mean_of(corners, curved_corners * begin, curved_corners * end);
  };
  if (count == 1) return {place(first, 0), place(first, 1), place(first, 2), place(first, 3)};
  if (count == 2) {
    const std::size_t a = far_side(corners, first, middle(first + 1, first + 2));
    const std::size_t b = far_side(corners, first + 1, middle(first, first + 1));
    return {place(first, a), place(first, a + 1), place(first + 1, b), place(first + 1, b + 1)};
  }
  const Vector amid = middle(first, first + count);
  std::array<std::size_t, curved_corners> out{};
  constexpr std::array<std::size_t, 4> around{0, 1, 3, 2};
  for (std::size_t k = 0; k < around.size(); ++k) {
    const std::size_t cell = first + around.at(k);
    out.at(k) = place(cell, nearest_corner(corners, cell, amid) + 2);
  }
  return out;
}

}  // namespace

std::optional<reals> areas_of(const CurvedCells& cells, double radius) {
  if (!cells.bounds_lon || !cells.bounds_lat) return std::nullopt;
  const PointList corners(*cells.bounds_lon, *cells.bounds_lat, cells.surface);
  reals out;
  const std::size_t count = cells.bounds_lon->values.size() / curved_corners;
  for (std::size_t cell = 0; cell < count; ++cell) {
    std::array<Corner, curved_corners> polygon{};
    double plane = 0;
    bool is_known = true;
    for (std::size_t v = 0; v < curved_corners; ++v) {
      const std::size_t k = curved_corners * cell + v;
      const std::size_t next = curved_corners * cell + (v + 1) % curved_corners;
      is_known = is_known && corners.is_known(k);
      polygon.at(v).at = corners.at(k);
      plane += (corners.lon(k) * corners.lat(next) - corners.lon(next) * corners.lat(k)) / 2;
    }
    const bool is_plane = cells.surface == Surface::plane;
    const double area = is_plane ? plane : radius * radius * area_of(polygon);
    out.values.push_back(is_known ? std::abs(area) : 0);
  }
  out.shape = {static_cast<std::int64_t>(count)};
  return out;
}

void describe_blocks(const CurvedCells& cells, const std::vector<std::size_t>& begin,
                     config::DomainAttributes& out) {
  const auto blocks = static_cast<std::int64_t>(begin.size()) - 1;
  if (cells.lon && cells.lat) {
    const PointList centres(*cells.lon, *cells.lat, cells.surface);
    reals lon;
    reals lat;
    for (std::size_t b = 0; b + 1 < begin.size(); ++b) {
      const auto [x, y] = centre_of(centres, cells.surface, begin[b], begin[b + 1]);
      lon.values.push_back(x);
      lat.values.push_back(y);
    }
    lon.shape = lat.shape = {blocks};
    out.lonvalue_1d = std::move(lon);
    out.latvalue_1d = std::move(lat);
  }
  out.nvertex = std::nullopt;
  if (!cells.bounds_lon || !cells.bounds_lat) return;
  const PointList corners(*cells.bounds_lon, *cells.bounds_lat, cells.surface);
  reals lon;
  reals lat;
  for (std::size_t b = 0; b + 1 < begin.size(); ++b) {
    bool is_known = true;
    for (std::size_t k = curved_corners * begin[b]; k < curved_corners * begin[b + 1]; ++k) {
      is_known = is_known && corners.is_known(k);
    }
    const auto outer = outer_corners(corners, begin[b], begin[b + 1] - begin[b]);
    for (const std::size_t k : outer) {
      lon.values.push_back(is_known ? corners.lon(k) : nowhere);
      lat.values.push_back(is_known ? corners.lat(k) : nowhere);
    }
  }
  lon.shape = lat.shape = {static_cast<std::int64_t>(curved_corners), blocks};
  out.nvertex = static_cast<std::int64_t>(curved_corners);
  out.bounds_lon_1d = std::move(lon);
  out.bounds_lat_1d = std::move(lat);
}

}  // namespace epios::io
