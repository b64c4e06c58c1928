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
  hierarchy,
  variable,
  coupler_in,
  coupler_out,
  pool,
  service,
// Transformations are children of a domain, an axis or a scalar. The same tag below another parent
// is another kind.
#define TRANSFORMATION(kind, ...) kind,
#include "config/transformations.def"
};
inline constexpr int transformation_count = 0
#define TRANSFORMATION(...) +1
#include "config/transformations.def"
    ;
inline constexpr int element_kind_count =
    static_cast<int>(ElementKind::service) + 1 + transformation_count;
/// Returns the tag: "axis", "domain", ...
std::string_view name(ElementKind kind);
/// Returns true for elements that change data or grids and are written below a domain, an axis or a
/// scalar.
constexpr bool is_transformation(ElementKind kind) { return kind > ElementKind::service; }

}  // namespace epios::config
