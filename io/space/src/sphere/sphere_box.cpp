#include "sphere/sphere_box.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace epios::io {

namespace {

constexpr double radians = std::numbers::pi / 180;
/// Twice what the last bit of 360 degrees stands for, and of 90.
constexpr double lon_rounding = 1.2e-13;
constexpr double lat_rounding = 3e-14;

template <class DirectionOf>
double area_with(const LatLonBox& box, DirectionOf&& direction_of) {
  const double half = 0.5 * (box.north - box.south);
  return box.width * radians * 2 * direction_of(box.south + half).cosine * direction_of(half).sine;
}

template <class DirectionOf>
Vector moment_with(const LatLonBox& box, DirectionOf&& direction_of) {
  const double height = box.north - box.south;
  const double middle = box.south + 0.5 * height;
  const Direction twice_middle = direction_of(2 * middle);
  const double sine_of_height = direction_of(height).sine;
  // Integrals of the squared cosine and of cosine times sine over the latitudes.
  const double inner = 0.5 * (height * radians + twice_middle.cosine * sine_of_height);
  const double along = 0.5 * twice_middle.sine * sine_of_height;
  const Direction lon = direction_of(box.west + 0.5 * box.width);
  const double wide = 2 * direction_of(0.5 * box.width).sine;
  return {inner * wide * lon.cosine, inner * wide * lon.sine, along * box.width * radians};
}

}  // namespace

double area_in_plane(std::span<const double> lon, std::span<const double> lat) {
  double sum = 0;
  for (std::size_t k = 0; k < lon.size(); ++k) {
    const std::size_t next = k + 1 < lon.size() ? k + 1 : 0;
    sum += (lon[k] - lon[0]) * (lat[next] - lat[0]) - (lon[next] - lon[0]) * (lat[k] - lat[0]);
  }
  return sum;
}

std::optional<LatLonBox> box_of(std::span<const double> lon, std::span<const double> lat,
                                bool is_turned) {
  if (lon.size() < 4) return std::nullopt;
  const auto [west, east] = std::minmax_element(lon.begin(), lon.end());
  const auto [south, north] = std::minmax_element(lat.begin(), lat.end());
  // Bounds in single precision may go round the sphere by a little more than once.
  const double span = *east - *west;
  const double width = span > 360 && span <= 360 * (1 + 1e-6) ? 360 : span;
  if (!(width > 0) || !(*north > *south)) return std::nullopt;
  for (std::size_t k = 0; k < lon.size(); ++k) {
    const std::size_t next = k + 1 < lon.size() ? k + 1 : 0;
    if ((lon[k] != *west && lon[k] != *east) || (lat[k] != *south && lat[k] != *north) ||
        (lon[k] != lon[next] && lat[k] != lat[next])) {
      return std::nullopt;
    }
  }
  const double turned = area_in_plane(lon, lat) * (is_turned ? -1 : 1);
  if (turned == 0) return std::nullopt;
  if (width > 360) return std::nullopt;
  if (width > 180 && width < 360 && turned < 0)
    return LatLonBox{*east, 360 - width, *south, *north};
  return LatLonBox{*west, width, *south, *north};
}

double area_of(const LatLonBox& box) { return area_with(box, direction); }
double area_of(const LatLonBox& box, RecentDirections& directions) {
  return area_with(box, directions);
}

Vector moment_of(const LatLonBox& box) { return moment_with(box, direction); }
Vector moment_of(const LatLonBox& box, RecentDirections& directions) {
  return moment_with(box, directions);
}

CommonBoxes common(const LatLonBox& a, const LatLonBox& b) {
  CommonBoxes boxes;
  const double south = std::max(a.south, b.south);
  const double north = std::min(a.north, b.north);
  if (north - south <= lat_rounding) return boxes;
  double shift = std::fmod(b.west - a.west, 360.0);  // where b begins, seen from a's west
  if (shift < 0) shift += 360;
  const auto add = [&](double begin, double end) {
    if (end - begin <= lon_rounding) return;
    boxes.box.at(static_cast<std::size_t>(boxes.count++)) = {a.west + begin, end - begin, south,
                                                             north};
  };
  add(shift, std::min(a.width, shift + b.width));
  add(0, std::min(a.width, shift + b.width - 360));
  return boxes;
}

void corners_of(const LatLonBox& box, RecentDirections& directions, std::vector<Corner>& corners) {
  corners.clear();
  const Direction west = directions(box.west);
  const Direction east = directions(box.west + box.width);
  const Direction south = directions(box.south);
  const Direction north = directions(box.north);
  if (box.south <= -90) {
    corners.push_back({{0, 0, -1}, false});
  } else {
    // On the equator a parallel is a great circle.
    corners.push_back({point_at(west, south), box.south != 0});
    corners.push_back({point_at(east, south), false});
  }
  if (box.north >= 90) {
    corners.push_back({{0, 0, 1}, false});
  } else {
    corners.push_back({point_at(east, north), box.north != 0});
    corners.push_back({point_at(west, north), false});
  }
}

void sides_of(const LatLonBox& box, std::vector<PolygonSide>& sides) {
  sides.clear();
  const Direction west = direction(box.west);
  const Direction east = direction(box.west + box.width);
  sides.push_back({{-west.sine, west.cosine, 0}, {}, false});
  sides.push_back({{east.sine, -east.cosine, 0}, {}, false});
  if (box.south > -90)
    sides.push_back({{0, 0, 1}, {0, 0, direction(box.south).sine}, box.south != 0});
  if (box.north < 90)
    sides.push_back({{0, 0, -1}, {0, 0, direction(box.north).sine}, box.north != 0});
}

}  // namespace epios::io
