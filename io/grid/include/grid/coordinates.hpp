/// @file
/// Coordinates of the elements of a context: which of them exist, and the values that one server
/// writes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/grid_element.hpp"
#include "config/model_fwd.hpp"
#include "grid/box.hpp"

namespace epios::io {

/// Says which coordinates an element has: those that any client gave. All clients and servers have
/// the same form.
struct CoordinateForm {
  bool has_values = false;  ///< for an axis or a scalar
  bool has_bounds = false;
  bool has_lon = false;  ///< for a domain
  bool has_lat = false;
  bool has_bounds_lon = false;
  bool has_bounds_lat = false;
  bool has_area = false;
  std::int32_t label_bytes = 0;  ///< bytes of the longest label; 0 if there are no labels
  bool operator==(const CoordinateForm&) const = default;
};
/// Returns the form of elements that share their coordinates.
CoordinateForm unite(const CoordinateForm& a, const CoordinateForm& b);

/// The forms of all elements of a model.
struct CoordinateForms {
  std::vector<CoordinateForm> scalars, axes, domains;
  const CoordinateForm& of(const config::GridElement& element) const;
  bool operator==(const CoordinateForms&) const = default;
};

/// Coordinates in a window of an element, points in C order. NaN, or an empty text, marks a point
/// that no client has. A list is empty if the form has no coordinate of its kind, or if the window
/// is empty.
///
/// An axis or a scalar has values, two bounds per point, and labels. A rectilinear domain has a
/// longitude per column of the window and a latitude per row, with two bounds of each. Any other
/// domain has one of each per cell, with one bound per vertex of each cell (cell by cell).
struct CoordinateSlab {
  config::GridElement element;
  Box window;
  std::vector<double> values, bounds;
  std::vector<double> lon, lat, bounds_lon, bounds_lat, area;
  std::vector<std::string> labels;
};

/// Returns the number of bounds per point of an element: the vertices of its cells, or 2.
std::int64_t vertices_of(const config::Model& model, const config::GridElement& element);

}  // namespace epios::io
