#include "language/transformation_tags.hpp"

#include <array>

namespace epios::config {

std::span<const TransformationTag> transformation_tags() {
  using K = ElementKind;
  static constexpr std::array<TransformationTag, 23> tags{{
      {"extract_domain", K::extract_domain, K::domain, "a window of a domain"},
      {"zoom_domain", K::extract_domain, K::domain, "an old name of extract_domain",
       "extract_domain"},
      {"interpolate_domain", K::interpolate_domain, K::domain,
       "conservative remapping to this domain"},
      {"generate_rectilinear_domain", K::generate_rectilinear_domain, K::domain,
       "makes the coordinates of a regular grid"},
      {"compute_connectivity_domain", K::compute_connectivity_domain, K::domain,
       "finds the neighbours of the cells"},
      {"expand_domain", K::expand_domain, K::domain, "adds one ring of neighbours"},
      {"reorder_domain", K::reorder_domain, K::domain, "another order of latitudes and longitudes"},
      {"redistribute_domain", K::redistribute_domain, K::domain,
       "another distribution over the processes"},
      {"extract_axis", K::extract_axis, K::axis, "an interval of an axis"},
      {"zoom_axis", K::extract_axis, K::axis, "an old name of extract_axis", "extract_axis"},
      {"interpolate_axis", K::interpolate_axis, K::axis,
       "interpolation to the values of this axis"},
      {"inverse_axis", K::inverse_axis, K::axis, "the opposite order"},
      {"reduce_axis", K::reduce_axis_to_axis, K::axis,
       "combines values of points that several processes have"},
      {"reduce_domain", K::reduce_domain_to_axis, K::axis,
       "reduction of a domain in one direction"},
      {"extract_domain", K::extract_domain_to_axis, K::axis, "one row or column of a domain"},
      {"temporal_splitting", K::temporal_splitting, K::axis,
       "successive values of a scalar side by side"},
      {"duplicate_scalar", K::duplicate_scalar, K::axis, "the value of a scalar at every point"},
      {"redistribute_axis", K::redistribute_axis, K::axis,
       "another distribution over the processes"},
      {"reduce_axis", K::reduce_axis_to_scalar, K::scalar, "reduction of an axis to one value"},
      {"reduce_domain", K::reduce_domain_to_scalar, K::scalar,
       "reduction of a domain to one value"},
      {"extract_axis", K::extract_axis_to_scalar, K::scalar, "one point of an axis"},
      {"reduce_scalar", K::reduce_scalar, K::scalar, "reduction over the processes"},
      {"redistribute_scalar", K::redistribute_scalar, K::scalar,
       "another distribution over the processes"},
  }};
  return tags;
}

std::vector<std::string_view> transformation_names(ElementKind within) {
  std::vector<std::string_view> names;
  for (const TransformationTag& tag : transformation_tags()) {
    if (tag.within == within) names.push_back(tag.name);
  }
  return names;
}

bool keeps_to_source(ElementKind transformation) {
  switch (transformation) {
    case ElementKind::interpolate_domain:
    case ElementKind::generate_rectilinear_domain:
    case ElementKind::interpolate_axis:
    case ElementKind::temporal_splitting:
    case ElementKind::duplicate_scalar:
      return false;
    default:
      return true;
  }
}

}  // namespace epios::config
