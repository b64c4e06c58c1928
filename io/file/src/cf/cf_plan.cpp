// Plans which coordinate variables an element has in a file: values, bounds and labels of scalars
// and axes, with their attributes. Domains are in cf_domain.
#include "cf/cf_plan.hpp"

#include <utility>

#include "cf/cf_text.hpp"
#include "config/model_elements.hpp"

namespace epios::io {

namespace {

using Role = PlannedDimension::Role;

const std::vector<double>& numbers_of(const CoordinateSlab& slab, CoordinateList list) {
  switch (list) {
    case CoordinateList::bounds:
      return slab.bounds;
    case CoordinateList::lat:
      return slab.lat;
    case CoordinateList::bounds_lat:
      return slab.bounds_lat;
    case CoordinateList::lon:
      return slab.lon;
    case CoordinateList::bounds_lon:
      return slab.bounds_lon;
    case CoordinateList::area:
      return slab.area;
    case CoordinateList::values:
    case CoordinateList::labels:
      break;
  }
  return slab.values;
}

/// Value, bounds and labels of an axis or a scalar: attributes of both are named alike.
template <class Attributes>
void plan_values(const config::ElementNames& names, const Attributes& a, const CoordinateForm& form,
                 const std::vector<PlannedDimension>& dimensions, const std::string& own_name,
                 ElementPlan& plan) {
  if (!form.has_values && !form.has_bounds && form.label_bytes == 0) return;
  const std::string& name = names.coordinates[0];
  if (form.has_values) {
    PlannedVariable values{
        CoordinateList::values, name, coordinate_kind(a.prec), dimensions, {}, 0};
    if (!own_name.empty()) values.attributes.push_back({"name", own_name});
    add_text(values.attributes, "axis", a.axis_type);
    add_text(values.attributes, "standard_name", a.standard_name);
    add_text(values.attributes, "long_name", a.long_name);
    add_text(values.attributes, "units", a.unit);
    add_text(values.attributes, "positive", a.positive);
    plan.variables.push_back(std::move(values));
  }
  if (form.has_bounds) {
    // CF 7.1: bounds take their names from their coordinate.
    PlannedVariable bounds{
        CoordinateList::bounds, names.bounds[0], coordinate_kind(a.prec), dimensions, {}, 0};
    bounds.dimensions.push_back({Role::bound});
    plan.variables.push_back(std::move(bounds));
  }
  if (form.label_bytes > 0) {
    PlannedVariable labels{CoordinateList::labels,
                           form.has_values ? names.labels : name,
                           ValueKind::text,
                           dimensions,
                           {},
                           0};
    labels.dimensions.push_back({Role::text});
    add_text(labels.attributes, "standard_name", a.standard_name);
    add_text(labels.attributes, "long_name", a.long_name);
    plan.variables.push_back(std::move(labels));
  }
}

}  // namespace

bool has_list(const CoordinateForm& form, CoordinateList list) {
  switch (list) {
    case CoordinateList::bounds:
      return form.has_bounds;
    case CoordinateList::lat:
      return form.has_lat;
    case CoordinateList::bounds_lat:
      return form.has_bounds_lat;
    case CoordinateList::lon:
      return form.has_lon;
    case CoordinateList::bounds_lon:
      return form.has_bounds_lon;
    case CoordinateList::labels:
      return form.label_bytes > 0;
    case CoordinateList::area:
      return form.has_area;
    case CoordinateList::values:
      break;
  }
  return form.has_values;
}

bool are_bounds(CoordinateList list) {
  return list == CoordinateList::bounds || list == CoordinateList::bounds_lat ||
         list == CoordinateList::bounds_lon;
}

CoordinateList bounds_of(CoordinateList list) {
  if (list == CoordinateList::values) return CoordinateList::bounds;
  if (list == CoordinateList::lat) return CoordinateList::bounds_lat;
  if (list == CoordinateList::lon) return CoordinateList::bounds_lon;
  return list;
}

ValueKind coordinate_kind(const std::optional<std::int64_t>& prec) {
  if (prec == 8) return ValueKind::float64;
  return prec == 2 ? ValueKind::int16 : ValueKind::float32;
}

ElementPlan plan_scalar(const config::Scalar& scalar, const CoordinateForm& form,
                        const config::ElementNames& names) {
  ElementPlan plan{"scalar '" + scalar.id + "'", {}, {}};
  plan_values(names, scalar.attributes, form, {}, {}, plan);
  return plan;
}

ElementPlan plan_axis(const config::Axis& axis, const CoordinateForm& form,
                      const config::ElementNames& names) {
  const auto& a = axis.attributes;
  const PlannedDimension dimension{Role::axis, names.dimensions[0], a.n_glo.value_or(0)};
  ElementPlan plan{"axis '" + axis.id + "'", {dimension}, {}};
  plan_values(names, a, form, plan.dimensions, axis.name, plan);
  for (PlannedVariable& variable : plan.variables) {
    if (variable.list == CoordinateList::values) {
      add_text(variable.attributes, "formula", a.formula);
      add_text(variable.attributes, "formula_terms", a.formula_term);
    }
    if (variable.list == CoordinateList::bounds) {
      // Bounds have the units of the coordinate anyway (CF 7.1), but scripts look here.
      add_text(variable.attributes, "units", a.unit);
      add_text(variable.attributes, "formula", a.formula_bounds);
      add_text(variable.attributes, "formula_terms", a.formula_term_bounds);
    }
  }
  return plan;
}

FixedPart part_of(const PlannedVariable& variable, const Extents& shape,
                  const CoordinateSlab* slab) {
  FixedPart part;
  if (slab == nullptr || slab->window.is_empty()) return part;
  part.box = whole(shape);
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const Role role = variable.dimensions[d].role;
    if (role == Role::vertex || role == Role::bound || role == Role::text) continue;
    const std::size_t in_window = role == Role::column ? 1 : 0;
    part.box.begin[d] = slab->window.begin[in_window];
    part.box.size[d] = slab->window.size[in_window];
  }
  if (variable.list == CoordinateList::labels) {
    part.texts = slab->labels;
  } else {
    part.numbers = numbers_of(*slab, variable.list);
  }
  return part;
}

}  // namespace epios::io
