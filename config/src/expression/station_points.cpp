// Points of <stations>. First come great circles, then the points of a section.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "config/elementary.hpp"
#include "config/stations.hpp"

namespace epios::config {

namespace {

constexpr double degree = std::numbers::pi / 180;
constexpr double radius_km = 6371.229;

using Direction = std::array<double, 3>;

Direction direction_of(double lon, double lat) {
  const double flat = cosine(lat * degree);
  return {flat * cosine(lon * degree), flat * sine(lon * degree), sine(lat * degree)};
}

double angle_between(const Direction& a, const Direction& b) {
  const double x = a[1] * b[2] - a[2] * b[1];
  const double y = a[2] * b[0] - a[0] * b[2];
  const double z = a[0] * b[1] - a[1] * b[0];
  return arc_tangent(std::sqrt(x * x + y * y + z * z), a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
}

/// Returns into how many equal parts a leg is cut.
double parts_of(double length_km, double spacing_km) {
  constexpr double rounding = 1e-9;
  if (!(spacing_km > 0)) return 1;
  return std::max(1.0, std::ceil(length_km / spacing_km - rounding));
}

/// Points of a section from the first one on; legs are added one by one.
class Section {
 public:
  void begin(double lon, double lat) { add(lon, lat, 0); }

  void add_leg(double lon, double lat, double spacing_km) {
    const double from_lon = points_.lon.back();
    const double begin_km = points_.distance_km.back();
    const Direction a = direction_of(from_lon, points_.lat.back());
    const Direction b = direction_of(lon, lat);
    const double angle = angle_between(a, b);
    const double parts = parts_of(angle * radius_km, spacing_km);
    for (double part = 1; part < parts; ++part) {
      const double of_b = sine(angle * part / parts) / sine(angle);
      const double of_a = sine(angle * (parts - part) / parts) / sine(angle);
      Direction p{};
      for (std::size_t k = 0; k < p.size(); ++k) p.at(k) = of_a * a.at(k) + of_b * b.at(k);
      const double flat = std::sqrt(p[0] * p[0] + p[1] * p[1]);
      const double east = arc_tangent(p[1], p[0]) / degree;
      // Longitudes continue over 180 and 360 degrees.
      add(east + 360 * std::round((from_lon - east) / 360), arc_tangent(p[2], flat) / degree,
          begin_km + angle * radius_km * part / parts);
    }
    add(lon, lat, begin_km + angle * radius_km);
  }

  StationPoints take() { return std::move(points_); }

 private:
  void add(double lon, double lat, double km) {
    points_.lon.push_back(lon);
    points_.lat.push_back(lat);
    points_.distance_km.push_back(km);
  }

  StationPoints points_;
};

}  // namespace

double distance_km(double lon, double lat, double other_lon, double other_lat) {
  return radius_km * angle_between(direction_of(lon, lat), direction_of(other_lon, other_lat));
}

double count_of_points(const StationList& list) {
  if (!list.is_section) return static_cast<double>(list.lon.size());
  double count = list.lon.empty() ? 0 : 1;
  for (std::size_t k = 1; k < list.lon.size(); ++k) {
    const double leg = distance_km(list.lon[k - 1], list.lat[k - 1], list.lon[k], list.lat[k]);
    count += parts_of(leg, list.spacing_km);
  }
  return count;
}

StationPoints station_points(const StationList& list) {
  if (!list.is_section || list.lon.empty()) return {list.lon, list.lat, {}};
  Section section;
  section.begin(list.lon.front(), list.lat.front());
  for (std::size_t k = 1; k < list.lon.size(); ++k) {
    section.add_leg(list.lon[k], list.lat[k], list.spacing_km);
  }
  return section.take();
}

}  // namespace epios::config
