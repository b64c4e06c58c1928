/// @file
/// Coordinates of whole elements for tests of files, and the slabs of them that one of several
/// writers has.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "config/model.hpp"
#include "file/cf.hpp"
#include "grid/coordinates.hpp"
#include "grid/part.hpp"
#include "grid/routing.hpp"

namespace epios::io::test {

using config::GridElement;

inline GridElement axis_of(int index) { return {GridElement::Kind::axis, index}; }
inline GridElement domain_of(int index) { return {GridElement::Kind::domain, index}; }
inline GridElement scalar_of(int index) { return {GridElement::Kind::scalar, index}; }

/// What clients gave of all elements of a model.
class Coordinates {
 public:
  explicit Coordinates(const config::Model& model) : model_(&model) {
    forms_.scalars.resize(model.scalars.size());
    forms_.axes.resize(model.axes.size());
    forms_.domains.resize(model.domains.size());
    for (std::size_t s = 0; s < model.scalars.size(); ++s) {
      const auto& a = nth(model.scalars, s).attributes;
      CoordinateSlab& slab = whole_of(scalar_of(static_cast<int>(s)));
      if (a.value) slab.values = {*a.value};
      if (a.bounds) slab.bounds = a.bounds->values;
      if (a.label) slab.labels = {*a.label};
    }
  }

  /// The element's slab over all of its points, to be filled in.
  CoordinateSlab& whole_of(const GridElement& element) {
    for (CoordinateSlab& slab : whole_) {
      if (slab.element == element) return slab;
    }
    CoordinateSlab slab;
    slab.element = element;
    slab.window = whole(element_shape(*model_, element));
    return whole_.emplace_back(std::move(slab));
  }

  CoordinateForms forms() const {
    CoordinateForms out = forms_;
    for (const CoordinateSlab& slab : whole_) {
      auto& list = slab.element.kind == GridElement::Kind::axis     ? out.axes
                   : slab.element.kind == GridElement::Kind::domain ? out.domains
                                                                    : out.scalars;
      CoordinateForm& form = list[static_cast<std::size_t>(slab.element.index)];
      form.has_values = !slab.values.empty();
      form.has_bounds = !slab.bounds.empty();
      form.has_lon = !slab.lon.empty();
      form.has_lat = !slab.lat.empty();
      form.has_bounds_lon = !slab.bounds_lon.empty();
      form.has_bounds_lat = !slab.bounds_lat.empty();
      form.has_area = !slab.area.empty();
      for (const std::string& label : slab.labels) {
        form.label_bytes = std::max(form.label_bytes, static_cast<std::int32_t>(label.size()));
      }
    }
    return out;
  }

  /// What writer number `writer` of a file with so many has of every element.
  std::vector<CoordinateSlab> slabs(int writer, int writers) const {
    FilePlacement placement;
    placement.writers.resize(static_cast<std::size_t>(writers));
    std::vector<CoordinateSlab> out;
    for (const CoordinateSlab& slab : whole_) {
      const Box window =
          coordinate_windows(*model_, slab.element, placement)[static_cast<std::size_t>(writer)];
      out.push_back(cut(slab, window));
    }
    return out;
  }

 private:
  CoordinateSlab cut(const CoordinateSlab& from, const Box& window) const {
    if (window == from.window) return from;
    CoordinateSlab out;
    out.element = from.element;
    out.window = window;
    if (window.is_empty()) return out;
    const auto take = [&](const auto& list, auto& part) {
      const std::int64_t points = from.window.volume();
      const auto each = static_cast<std::int64_t>(list.size()) / points;
      const Extents& shape = from.window.size;
      for (std::int64_t p = 0; p < points; ++p) {
        const Extents point = shape.size() == 2 ? Extents{p / shape[1], p % shape[1]} : Extents{p};
        bool is_inside = true;
        for (std::size_t d = 0; d < point.size(); ++d) {
          is_inside = is_inside && point[d] >= window.begin[d] &&
                      point[d] < window.begin[d] + window.size[d];
        }
        if (!is_inside) continue;
        for (std::int64_t k = 0; k < each; ++k) {
          part.push_back(list[static_cast<std::size_t>(p * each + k)]);
        }
      }
    };
    take(from.values, out.values);
    take(from.bounds, out.bounds);
    take(from.labels, out.labels);
    take(from.lon, out.lon);
    take(from.lat, out.lat);
    take(from.bounds_lon, out.bounds_lon);
    take(from.bounds_lat, out.bounds_lat);
    take(from.area, out.area);
    return out;
  }

  const config::Model* model_;
  CoordinateForms forms_;
  std::deque<CoordinateSlab> whole_;  // what whole_of() gave stays where it is
};

inline std::vector<const CoordinateSlab*> pointers(const std::vector<CoordinateSlab>& slabs) {
  std::vector<const CoordinateSlab*> out;
  for (const CoordinateSlab& slab : slabs) out.push_back(&slab);
  return out;
}

/// A file of a model as one of its writers describes it, and what the description views.
struct Described {
  std::vector<CoordinateSlab> slabs;
  CfFile cf;
};

inline Described describe(const config::Model& model, const Coordinates& coordinates,
                          int writer = 0, int writers = 1) {
  FilePlacement placement;
  placement.writers.resize(static_cast<std::size_t>(writers));
  std::vector<StreamPlacement> streams;
  for (const int s : model.files[0].streams) {
    streams.push_back(place_stream(model, s, placement));
  }
  Described out{coordinates.slabs(writer, writers), {}};
  out.cf = describe_file(model, 0, coordinates.forms(), pointers(out.slabs), streams);
  return out;
}

}  // namespace epios::io::test
