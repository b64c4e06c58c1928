/// @file
/// Points at which <stations> looks at fields: stations, or points along a section. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "config/model_fwd.hpp"

namespace epios::config {

/// Largest number of points of one <stations>: each client and server has all of them.
inline constexpr std::int64_t most_stations = 1'000'000;

/// The attributes of <stations> that say where its points are.
struct StationList {
  std::vector<double> lon, lat;  ///< in degrees
  bool is_section = false;
  double spacing_km = 0;  ///< of a section; 0 if there is nothing between its corners
};

/// The points of the domain.
struct StationPoints {
  std::vector<double> lon, lat;     ///< in degrees
  std::vector<double> distance_km;  ///< of a section: from its first point; of stations: empty
};

/// Returns the number of points, as a real number, because it may be larger than any integer.
double count_of_points(const StationList& list);
/// Returns the points: those of the list and, in a section with spacing, points between them. Each
/// leg of a section is cut into equal parts that are not longer than the spacing. The list must be
/// valid.
StationPoints station_points(const StationList& list);
/// Returns the length of the great circle between two points, in km, on a sphere of 6371.229 km.
double distance_km(double lon, double lat, double other_lon, double other_lat);

/// Returns the <stations> that makes a domain, or null.
const Transformation* stations_of(const Domain& domain);
StationList station_list(const Transformation& stations);
bool is_section(const Transformation& stations);
/// Returns the names of stations; none of a section.
std::span<const std::string> station_names(const Transformation& stations);
/// Gives stations without names their numbers as names.
void complete_names(Transformation& stations);

/// Returns true if files have the distances of these stations from the centres of their cells.
bool writes_distances(const Transformation& stations);
/// Notes these distances in km, which are known once the clients have found the cells. NaN: no
/// cell.
void note_distances(Transformation& stations, std::vector<double> km);
/// Returns the distances that were noted; none before.
std::span<const double> noted_distances(const Transformation& stations);

}  // namespace epios::config
