// Domains of each kind. Another convention (UGRID) is another plan of the same domain.
#include <string>
#include <utility>
#include <vector>

#include "cf/cf_plan.hpp"
#include "config/model_elements.hpp"
#include "grid/part.hpp"

namespace epios::io {

namespace {

using Dimensions = std::vector<PlannedDimension>;
using Role = PlannedDimension::Role;

PlannedVariable latitude(const std::string& name, ValueKind kind, Dimensions dimensions,
                         bool is_axis) {
  PlannedVariable out{CoordinateList::lat, name, kind, std::move(dimensions), {}, 0};
  if (is_axis) out.attributes.push_back({"axis", std::string("Y")});
  out.attributes.push_back({"standard_name", std::string("latitude")});
  out.attributes.push_back({"long_name", std::string("Latitude")});
  out.attributes.push_back({"units", std::string("degrees_north")});
  return out;
}

PlannedVariable longitude(const std::string& name, ValueKind kind, Dimensions dimensions,
                          bool is_axis) {
  PlannedVariable out{CoordinateList::lon, name, kind, std::move(dimensions), {}, 0};
  if (is_axis) out.attributes.push_back({"axis", std::string("X")});
  out.attributes.push_back({"standard_name", std::string("longitude")});
  out.attributes.push_back({"long_name", std::string("Longitude")});
  out.attributes.push_back({"units", std::string("degrees_east")});
  return out;
}

/// CF 7.1: bounds take units and names from their coordinate, so they carry none themselves.
PlannedVariable bounds(CoordinateList list, const std::string& name,
                       const PlannedVariable& coordinate, const PlannedDimension& vertices) {
  PlannedVariable out{list, name, coordinate.kind, {}, {}, 0};
  out.dimensions = coordinate.dimensions;
  out.dimensions.push_back(vertices);
  return out;
}

}  // namespace

ElementPlan plan_domain(const config::Domain& domain, const CoordinateForm& form,
                        std::int64_t vertices, const config::ElementNames& names) {
  const auto& a = domain.attributes;
  const std::int64_t ni = a.ni_glo.value_or(0);
  const std::int64_t nj = a.nj_glo.value_or(0);
  const bool is_rectilinear = a.type.value_or("rectilinear") == "rectilinear";
  ElementPlan plan{"domain '" + domain.id + "'", {}, {}};
  if (is_unstructured(domain)) {
    plan.dimensions = {{Role::cell, names.dimensions[0], ni * nj}};
  } else {
    plan.dimensions = {{Role::row, names.dimensions[0], nj},
                       {Role::column, names.dimensions[1], ni}};
  }
  const Dimensions& all = plan.dimensions;
  const ValueKind kind = coordinate_kind(a.prec);
  PlannedVariable lat = latitude(names.coordinates[0], kind,
                                 is_rectilinear ? Dimensions{all[0]} : all, is_rectilinear);
  PlannedVariable lon = longitude(names.coordinates[1], kind,
                                  is_rectilinear ? Dimensions{all[1]} : all, is_rectilinear);
  PlannedDimension vertex{Role::vertex, names.vertices, vertices};
  if (is_rectilinear) vertex = {Role::bound};
  auto& variables = plan.variables;
  if (form.has_lat) variables.push_back(lat);
  if (form.has_lon) variables.push_back(lon);
  if (form.has_bounds_lat && vertices > 0) {
    variables.push_back(bounds(CoordinateList::bounds_lat, names.bounds[0], lat, vertex));
  }
  if (form.has_bounds_lon && vertices > 0) {
    variables.push_back(bounds(CoordinateList::bounds_lon, names.bounds[1], lon, vertex));
  }
  if (form.has_area) {
    PlannedVariable area{CoordinateList::area, names.area, kind, all, {}, 0};
    area.attributes.push_back({"standard_name", std::string("cell_area")});
    area.attributes.push_back({"units", std::string("m2")});
    variables.push_back(std::move(area));
  }
  return plan;
}

}  // namespace epios::io
