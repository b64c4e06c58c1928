/// @file
/// The kinds of elements of a configuration.
#pragma once

#include <string_view>

namespace epios::config {

enum class ElementKind {
  any,
  simulation,
  context,
  calendar,
  scalar,
  axis,
  domain,
  grid,
  field,
  file,
  variable,
  coupler_in,
  coupler_out,
  pool,
  service,
  // Transformations are children of a domain, an axis or a scalar. The same tag below another
  // parent is another kind.
  extract_domain,
  interpolate_domain,
  generate_rectilinear_domain,
  compute_connectivity_domain,
  expand_domain,
  reorder_domain,
  redistribute_domain,
  extract_axis,
  interpolate_axis,
  inverse_axis,
  reduce_axis_to_axis,
  reduce_domain_to_axis,
  extract_domain_to_axis,
  temporal_splitting,
  duplicate_scalar,
  redistribute_axis,
  reduce_axis_to_scalar,
  reduce_domain_to_scalar,
  extract_axis_to_scalar,
  reduce_scalar,
  redistribute_scalar
};
inline constexpr int element_kind_count = static_cast<int>(ElementKind::redistribute_scalar) + 1;
/// Returns the tag: "axis", "domain", ...
std::string_view name(ElementKind kind);
/// Returns true for elements that change data or grids and are written below a domain, an axis or a
/// scalar.
constexpr bool is_transformation(ElementKind kind) { return kind >= ElementKind::extract_domain; }

}  // namespace epios::config
