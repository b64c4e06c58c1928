#include "cf/cf_stations.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "config/model.hpp"
#include "config/stations.hpp"
#include "grid/index.hpp"
#include "grid/missing.hpp"

namespace epios::io {

namespace {

/// Stations of a grid, and axes beside them.
struct FeatureGrid {
  bool has_stations = false;
  int axes = 0;
  bool has_other_domain = false;
};

FeatureGrid feature_grid(const config::Model& model, config::GridId grid) {
  FeatureGrid out;
  for (const config::GridElement& element : model.grids[grid].elements) {
    if (element.kind == config::GridElement::Kind::axis) ++out.axes;
    if (element.kind != config::GridElement::Kind::domain) continue;
    const auto* const stations = config::stations_of(model.domains[element.domain()]);
    const bool is_named = stations != nullptr && !config::is_section(*stations);
    (is_named ? out.has_stations : out.has_other_domain) = true;
  }
  return out;
}

}  // namespace

std::int64_t bytes_of_names(const config::Domain& domain) {
  const config::Transformation* const stations = config::stations_of(domain);
  std::int64_t bytes = 0;
  if (stations == nullptr) return bytes;
  for (const std::string& name : config::station_names(*stations)) {
    bytes = std::max(bytes, static_cast<std::int64_t>(name.size()));
  }
  return bytes;
}

VariableSpec names_of_stations(const config::Transformation& stations, const std::string& name,
                               int dimension, int text_dimension, std::int64_t text_bytes,
                               const CoordinateSlab* slab) {
  VariableSpec out;
  out.name = name;
  out.kind = ValueKind::text;
  out.dimensions = {dimension, text_dimension};
  out.attributes = {{"long_name", std::string("Name of the station")},
                    {"cf_role", std::string("timeseries_id")}};
  if (slab == nullptr || slab->window.is_empty()) return out;
  const std::int64_t begin = slab->window.begin.front();
  const std::int64_t count = slab->window.size.front();
  out.fixed.box = {{begin, 0}, {count, text_bytes}};
  out.fixed.texts = config::station_names(stations).subspan(as_index(begin), as_index(count));
  return out;
}

VariableSpec distances_of_stations(const config::Transformation& stations, const std::string& name,
                                   int dimension, const CoordinateSlab* slab) {
  VariableSpec out;
  out.name = name;
  out.kind = ValueKind::float64;
  out.dimensions = {dimension};
  out.fill = missing;
  out.attributes = {{"long_name", std::string("Distance from the centre of the cell")},
                    {"units", std::string("km")}};
  if (slab == nullptr || slab->window.is_empty()) return out;
  out.fixed.box = slab->window;
  out.fixed.numbers = config::noted_distances(stations).subspan(
      as_index(slab->window.begin.front()), as_index(slab->window.size.front()));
  return out;
}

VariableSpec distances_of_section(const config::Transformation& stations, const std::string& name,
                                  int dimension, const CoordinateSlab* slab,
                                  std::vector<double>& numbers) {
  VariableSpec out;
  out.name = name;
  out.kind = ValueKind::float64;
  out.dimensions = {dimension};
  out.attributes = {{"long_name", std::string("Distance along the section")},
                    {"units", std::string("km")}};
  if (slab == nullptr || slab->window.is_empty()) return out;
  const config::StationPoints points = config::station_points(config::station_list(stations));
  const auto begin = points.distance_km.begin() + slab->window.begin.front();
  numbers.assign(begin, begin + slab->window.size.front());
  out.fixed.box = slab->window;
  out.fixed.numbers = numbers;
  return out;
}

Features features_of(const config::Model& model, const config::File& file) {
  Features out;
  bool has_stations = false;
  int axes = -1;
  for (const config::StreamId s : file.streams) {
    const config::Stream& stream = model.streams[s];
    const FeatureGrid grid = feature_grid(model, stream.grid);
    has_stations = has_stations || grid.has_stations;
    const bool is_time_series = config::has_time(stream.sampling.operation);
    if (grid.has_stations && !is_time_series && grid.axes == 0) continue;  // of each station
    if (axes < 0) axes = grid.axes;
    const bool fits = grid.has_stations && !grid.has_other_domain && is_time_series &&
                      grid.axes == axes && axes <= 1;
    if (!fits && out.misfit.empty()) out.misfit = stream.name;
  }
  if (!has_stations || axes < 0) return {};
  if (out.misfit.empty()) out.type = axes == 0 ? "timeSeries" : "timeSeriesProfile";
  return out;
}

}  // namespace epios::io
