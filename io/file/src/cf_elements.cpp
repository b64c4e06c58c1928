#include "cf_elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cf_text.hpp"
#include "config/error.hpp"

namespace epios::io {

namespace {

ValueKind kind_of(const std::optional<std::int64_t>& prec) {
  return prec.value_or(4) == 8 ? ValueKind::float64 : ValueKind::float32;
}

std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

CfElements::CfElements(const config::Model& model, const ElementCoordinates& coordinates,
                       FileSpec& spec)
    : model_(model), coordinates_(coordinates), spec_(spec) {}

void CfElements::add(const std::vector<int>& streams) {
  std::set<int> domains;
  for (const int stream : streams) {
    for (const auto& element : model_.grids[at(model_.streams[at(stream)].grid)].elements) {
      if (element.kind == config::GridElement::Kind::domain) domains.insert(element.index);
    }
  }
  has_several_domains_ = domains.size() > 1;
  for (const int stream : streams) {
    for (const auto& element : model_.grids[at(model_.streams[at(stream)].grid)].elements) {
      add_element(element);
    }
  }
}

void CfElements::add_element(const config::GridElement& element) {
  const std::pair key{element.kind, element.index};
  if (placed_.count(key) > 0) return;
  switch (element.kind) {
    case config::GridElement::Kind::domain:
      placed_[key] = add_domain(element.index);
      break;
    case config::GridElement::Kind::axis:
      placed_[key] = add_axis(element.index);
      break;
    case config::GridElement::Kind::scalar:
      placed_[key] = add_scalar(element.index);
      break;
  }
}

std::vector<int> CfElements::dimensions(int grid) const {
  std::vector<int> out;
  const auto& elements = model_.grids[at(grid)].elements;
  // The file's slowest dimension is the model's last.
  const std::vector<config::GridElement> in_file_order(elements.rbegin(), elements.rend());
  for (const auto& element : in_file_order) {
    const Placed& placed = placed_.at({element.kind, element.index});
    out.insert(out.end(), placed.dimensions.begin(), placed.dimensions.end());
  }
  return out;
}

std::vector<std::string> CfElements::auxiliary(int grid) const {
  std::vector<std::string> out;
  for (const auto& element : model_.grids[at(grid)].elements) {
    const Placed& placed = placed_.at({element.kind, element.index});
    out.insert(out.end(), placed.auxiliary.begin(), placed.auxiliary.end());
  }
  return out;
}

int CfElements::bounds_dimension() {
  if (bounds_dimension_ < 0) bounds_dimension_ = add_dimension("dimension", "axis_nbounds", 2);
  return bounds_dimension_;
}

CfElements::Placed CfElements::add_domain(int index) {
  const config::Domain& domain = model_.domains[at(index)];
  const auto& a = domain.attributes;
  const std::string suffix = has_several_domains_ ? "_" + domain.name : "";
  const std::string lon = a.lon_name.value_or("lon") + suffix;
  const std::string lat = a.lat_name.value_or("lat") + suffix;
  Coordinate y{lat,
               a.dim_j_name ? *a.dim_j_name + suffix : lat,
               "bounds_" + lat,
               "latitude of domain '" + domain.id + "'",
               a.nj_glo.value_or(0),
               kind_of(a.prec),
               {}};
  y.attributes = {{"axis", std::string("Y")},
                  {"standard_name", std::string("latitude")},
                  {"long_name", std::string("Latitude")},
                  {"units", std::string("degrees_north")}};
  Coordinate x{lon,
               a.dim_i_name ? *a.dim_i_name + suffix : lon,
               "bounds_" + lon,
               "longitude of domain '" + domain.id + "'",
               a.ni_glo.value_or(0),
               kind_of(a.prec),
               {}};
  x.attributes = {{"axis", std::string("X")},
                  {"standard_name", std::string("longitude")},
                  {"long_name", std::string("Longitude")},
                  {"units", std::string("degrees_east")}};
  Placed placed;
  add_coordinate(y, coordinates_.lat[at(index)], placed);
  add_coordinate(x, coordinates_.lon[at(index)], placed);
  return placed;
}

CfElements::Placed CfElements::add_axis(int index) {
  const config::Axis& axis = model_.axes[at(index)];
  const auto& a = axis.attributes;
  Coordinate coordinate{axis.name,
                        a.dim_name.value_or(axis.name),
                        a.bounds_name.value_or(axis.name + "_bounds"),
                        "axis '" + axis.id + "'",
                        a.n_glo.value_or(0),
                        kind_of(a.prec),
                        {}};
  add_text(coordinate.attributes, "axis", a.axis_type);
  add_text(coordinate.attributes, "standard_name", a.standard_name);
  add_text(coordinate.attributes, "long_name", a.long_name);
  add_text(coordinate.attributes, "units", a.unit);
  add_text(coordinate.attributes, "positive", a.positive);
  Placed placed;
  add_coordinate(coordinate, coordinates_.axes[at(index)], placed);
  return placed;
}

CfElements::Placed CfElements::add_scalar(int index) {
  const config::Scalar& scalar = model_.scalars[at(index)];
  const auto& a = scalar.attributes;
  Placed placed;
  if (!a.value) return placed;
  VariableSpec variable;
  variable.name = scalar.name;
  variable.kind = kind_of(a.prec);
  add_text(variable.attributes, "axis", a.axis_type);
  add_text(variable.attributes, "standard_name", a.standard_name);
  add_text(variable.attributes, "long_name", a.long_name);
  add_text(variable.attributes, "units", a.unit);
  add_text(variable.attributes, "positive", a.positive);
  variable.values = {*a.value};
  const bool has_bounds = a.bounds && a.bounds->values.size() == 2;
  if (has_bounds) variable.attributes.push_back({"bounds", scalar.name + "_bounds"});
  const ValueKind kind = variable.kind;
  add_variable("scalar '" + scalar.id + "'", std::move(variable));
  if (has_bounds) {
    VariableSpec bounds;
    bounds.name = scalar.name + "_bounds";
    bounds.kind = kind;
    bounds.dimensions = {bounds_dimension()};
    bounds.values = a.bounds->values;
    add_variable("bounds of scalar '" + scalar.id + "'", std::move(bounds));
  }
  placed.auxiliary = {scalar.name};
  return placed;
}

void CfElements::add_coordinate(const Coordinate& coordinate, const CoordinateValues& values,
                                Placed& placed) {
  const int dimension = add_dimension(coordinate.what, coordinate.dimension_name, coordinate.size);
  placed.dimensions.push_back(dimension);
  if (values.values.empty()) return;
  VariableSpec variable;
  variable.name = coordinate.name;
  variable.kind = coordinate.kind;
  variable.dimensions = {dimension};
  variable.attributes = coordinate.attributes;
  variable.values = values.values;
  if (!values.bounds.empty()) variable.attributes.push_back({"bounds", coordinate.bounds_name});
  add_variable(coordinate.what, std::move(variable));
  if (coordinate.name != coordinate.dimension_name) placed.auxiliary.push_back(coordinate.name);
  if (values.bounds.empty()) return;
  // CF 7.1: bounds take units and names from their coordinate, so they carry none themselves.
  VariableSpec bounds;
  bounds.name = coordinate.bounds_name;
  bounds.kind = coordinate.kind;
  bounds.dimensions = {dimension, bounds_dimension()};
  bounds.values = values.bounds;
  add_variable("bounds of " + coordinate.what, std::move(bounds));
}

int CfElements::add_dimension(const std::string& what, const std::string& name,
                              std::int64_t length) {
  check_name(spec_.path, "dimension", name);
  const bool is_taken = std::any_of(spec_.dimensions.begin(), spec_.dimensions.end(),
                                    [&](const DimensionSpec& d) { return d.name == name; });
  if (is_taken) {
    throw Error(ErrorCode::configuration,
                fmt::format("file '{}': dimension '{}' of {} exists already (two elements share a "
                            "name). Give one of them another name?",
                            spec_.path, name, what));
  }
  spec_.dimensions.push_back({name, length});
  return static_cast<int>(spec_.dimensions.size()) - 1;
}

void CfElements::add_variable(const std::string& what, VariableSpec variable) {
  check_name(spec_.path, "variable", variable.name);
  const bool is_taken = std::any_of(spec_.variables.begin(), spec_.variables.end(),
                                    [&](const VariableSpec& v) { return v.name == variable.name; });
  if (is_taken) {
    throw Error(ErrorCode::configuration,
                fmt::format("file '{}': variable '{}' of {} exists already (two elements share a "
                            "name). Give one of them another name?",
                            spec_.path, variable.name, what));
  }
  spec_.variables.push_back(std::move(variable));
}

}  // namespace epios::io
