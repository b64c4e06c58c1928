/// @file
/// Models made by hand: elements and grids as config would resolve them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/model.hpp"

namespace epios::io::test {

inline int add_axis(config::Model& model, std::int64_t n_glo) {
  config::Axis axis;
  axis.id = "axis" + std::to_string(model.axes.size());
  axis.attributes.n_glo = n_glo;
  model.axes.push_back(axis);
  return static_cast<int>(model.axes.size()) - 1;
}

inline int add_domain(config::Model& model, std::int64_t ni_glo, std::int64_t nj_glo) {
  config::Domain domain;
  domain.id = "domain" + std::to_string(model.domains.size());
  domain.attributes.ni_glo = ni_glo;
  domain.attributes.nj_glo = nj_glo;
  model.domains.push_back(domain);
  return static_cast<int>(model.domains.size()) - 1;
}

inline config::GridElement axis(int index) { return {config::GridElement::Kind::axis, index}; }
inline config::GridElement domain(int index) { return {config::GridElement::Kind::domain, index}; }
inline config::GridElement scalar() { return {config::GridElement::Kind::scalar, 0}; }

inline int add_grid(config::Model& model, std::vector<config::GridElement> elements) {
  if (model.scalars.empty()) model.scalars.push_back({"scalar0", "scalar0", {}});
  config::Grid grid;
  grid.id = "grid" + std::to_string(model.grids.size());
  grid.elements = std::move(elements);
  model.grids.push_back(grid);
  return static_cast<int>(model.grids.size()) - 1;
}

inline config::value::booleans mask(std::vector<std::uint8_t> values) {
  const auto size = static_cast<std::int64_t>(values.size());
  return {std::move(values), {size}};
}

}  // namespace epios::io::test
