#include "grid/coordinates.hpp"

#include <algorithm>

#include "config/model.hpp"
#include "grid/part.hpp"

namespace epios::io {

CoordinateForm unite(const CoordinateForm& a, const CoordinateForm& b) {
  return {a.has_values || b.has_values,
          a.has_bounds || b.has_bounds,
          a.has_lon || b.has_lon,
          a.has_lat || b.has_lat,
          a.has_bounds_lon || b.has_bounds_lon,
          a.has_bounds_lat || b.has_bounds_lat,
          a.has_area || b.has_area,
          std::max(a.label_bytes, b.label_bytes)};
}

const CoordinateForm& CoordinateForms::of(const config::GridElement& element) const {
  const auto index = static_cast<std::size_t>(element.index);
  switch (element.kind) {
    case config::GridElement::Kind::axis:
      return axes.at(index);
    case config::GridElement::Kind::domain:
      return domains.at(index);
    case config::GridElement::Kind::scalar:
      break;
  }
  return scalars.at(index);
}

std::int64_t vertices_of(const config::Model& model, const config::GridElement& element) {
  if (element.kind != config::GridElement::Kind::domain || is_rectilinear(model, element)) return 2;
  return model.domains[element.domain()].attributes.nvertex.value_or(0);
}

}  // namespace epios::io
