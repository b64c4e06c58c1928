#include "elements/station_domains.hpp"

#include <cstdint>
#include <utility>

#include "config/model_elements.hpp"
#include "config/stations.hpp"
#include "elements/local_cells.hpp"
#include "grid/index.hpp"

namespace epios::io {

void set_station_points(config::Domain& domain) {
  const config::StationPoints points =
      config::station_points(config::station_list(*config::stations_of(domain)));
  const LocalCells cells = local_cells(domain.attributes);
  config::value::reals lon;
  config::value::reals lat;
  for (const std::int64_t point : cells.i) {
    lon.values.push_back(nth(points.lon, point));
    lat.values.push_back(nth(points.lat, point));
  }
  lon.shape = lat.shape = {cells.count()};
  domain.attributes.lonvalue_1d = std::move(lon);
  domain.attributes.latvalue_1d = std::move(lat);
}

}  // namespace epios::io
