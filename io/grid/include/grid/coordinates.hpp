/// @file
/// Coordinates of a context's elements: which there are, and the values that one server writes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/grid_element.hpp"
#include "config/model_fwd.hpp"
#include "grid/box.hpp"

namespace epios::io {

/// Which coordinates an element has: what any client gave. The same on all clients and servers.
struct CoordinateForm {
  bool has_values = false;  ///< of an axis or a scalar
  bool has_bounds = false;
  bool has_lon = false;  ///< of a domain
  bool has_lat = false;
  bool has_bounds_lon = false;
  bool has_bounds_lat = false;
  bool has_area = false;
  std::int32_t label_bytes = 0;  ///< of the longest label; 0: there are none
  bool operator==(const CoordinateForm&) const = default;
};
/// What elements that share their coordinates have together.
CoordinateForm unite(const CoordinateForm& a, const CoordinateForm& b);

/// Forms of all elements of a model.
struct CoordinateForms {
  std::vector<CoordinateForm> scalars, axes, domains;
  const CoordinateForm& of(const config::GridElement& element) const;
  bool operator==(const CoordinateForms&) const = default;
};

/// Coordinates of an element in a window of it, points in C order; NaN, or no text, where no client
/// has a point. A list is empty where the form has none of its kind, or where the window is empty.
///
/// Of an axis or a scalar: values, two bounds per point, labels. Of a rectilinear domain: as many
/// longitudes as the window has columns, as many latitudes as it has rows, two bounds of each. Of
/// any other domain: one of each per cell, bounds one per vertex of each cell (cell by cell).
struct CoordinateSlab {
  config::GridElement element;
  Box window;
  std::vector<double> values, bounds;
  std::vector<double> lon, lat, bounds_lon, bounds_lat, area;
  std::vector<std::string> labels;
};

/// Points per bound of an element: vertices of cells, or 2.
std::int64_t vertices_of(const config::Model& model, const config::GridElement& element);

}  // namespace epios::io
