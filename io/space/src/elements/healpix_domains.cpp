#include "elements/healpix_domains.hpp"

#include <cstdint>
#include <optional>
#include <utility>

#include "config/model_elements.hpp"
#include "grid/index.hpp"
#include "sphere/healpix.hpp"

namespace epios::io {

namespace {

HealpixGrid grid_of(const config::DomainAttributes& domain) {
  const bool is_ring = domain.order == "ring";
  return {domain.nside.value_or(1),
          is_ring ? HealpixGrid::Order::ring : HealpixGrid::Order::nested};
}

}  // namespace

bool is_healpix(const config::DomainAttributes& domain) { return domain.type == "healpix"; }

void set_centres_of_pixels(config::DomainAttributes& domain) {
  const HealpixGrid grid = grid_of(domain);
  const LocalCells cells = local_cells(domain);
  config::value::reals lon;
  config::value::reals lat;
  for (const std::int64_t pixel : cells.i) {
    const HealpixGrid::Point centre = grid.centre(pixel);
    lon.values.push_back(centre.lon);
    lat.values.push_back(centre.lat);
  }
  lon.shape = lat.shape = {cells.count()};
  domain.lonvalue_1d = std::move(lon);
  domain.latvalue_1d = std::move(lat);
}

void add_pixels(const config::DomainAttributes& domain, const LocalCells& local, Cells& cells) {
  const HealpixGrid grid = grid_of(domain);
  const auto corners = local.i.size() * as_index(grid.corners_each());
  cells.lon.reserve(cells.lon.size() + corners);
  cells.lat.reserve(cells.lat.size() + corners);
  for (const std::int64_t pixel : local.i) {
    grid.add_corners(pixel, cells.lon, cells.lat);
    cells.offsets.push_back(static_cast<std::int64_t>(cells.lon.size()));
  }
}

}  // namespace epios::io
