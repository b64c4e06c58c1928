#include "grids/resolved_layout.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "config/model.hpp"

namespace epios::client {
namespace {

template <class Attributes>
using Number = std::optional<std::int64_t> Attributes::*;

constexpr std::pair<std::string_view, Number<config::DomainAttributes>> of_domains[] = {
    {"ni_glo", &config::DomainAttributes::ni_glo},
    {"nj_glo", &config::DomainAttributes::nj_glo},
    {"ni", &config::DomainAttributes::ni},
    {"nj", &config::DomainAttributes::nj},
    {"ibegin", &config::DomainAttributes::ibegin},
    {"jbegin", &config::DomainAttributes::jbegin},
    {"data_dim", &config::DomainAttributes::data_dim},
    {"data_ni", &config::DomainAttributes::data_ni},
    {"data_nj", &config::DomainAttributes::data_nj},
    {"data_ibegin", &config::DomainAttributes::data_ibegin},
    {"data_jbegin", &config::DomainAttributes::data_jbegin}};
constexpr std::pair<std::string_view, Number<config::AxisAttributes>> of_axes[] = {
    {"n_glo", &config::AxisAttributes::n_glo},
    {"n", &config::AxisAttributes::n},
    {"begin", &config::AxisAttributes::begin},
    {"data_n", &config::AxisAttributes::data_n},
    {"data_begin", &config::AxisAttributes::data_begin}};

/// Calls `visit` with the names and values of arrays that say something of points.
template <class Visit>
void for_arrays(const config::DomainAttributes& a, const Visit& visit) {
  visit("lonvalue_1d", a.lonvalue_1d);
  visit("latvalue_1d", a.latvalue_1d);
  visit("lonvalue_2d", a.lonvalue_2d);
  visit("latvalue_2d", a.latvalue_2d);
  visit("bounds_lon_1d", a.bounds_lon_1d);
  visit("bounds_lat_1d", a.bounds_lat_1d);
  visit("bounds_lon_2d", a.bounds_lon_2d);
  visit("bounds_lat_2d", a.bounds_lat_2d);
  visit("area", a.area);
  visit("area_1d", a.area_1d);
  visit("area_2d", a.area_2d);
  visit("mask_1d", a.mask_1d);
  visit("mask_2d", a.mask_2d);
  visit("i_index", a.i_index);
  visit("j_index", a.j_index);
}
template <class Visit>
void for_arrays(const config::AxisAttributes& a, const Visit& visit) {
  visit("value", a.value);
  visit("bounds", a.bounds);
  visit("label", a.label);
  visit("mask", a.mask);
  visit("index", a.index);
}

template <class Id, class Element, class Rows>
std::optional<config::Value> find(const IndexedVector<Id, Element>& elements, const Rows& rows,
                                  std::string_view id, std::string_view attribute,
                                  std::optional<config::Value> given) {
  const auto element = std::find_if(elements.begin(), elements.end(),
                                    [&](const Element& candidate) { return candidate.id == id; });
  if (element == elements.end()) return given;
  const auto row = std::find_if(std::begin(rows), std::end(rows), [&](const auto& candidate) {
    return candidate.first == attribute;
  });
  if (row != std::end(rows)) {
    const std::optional<std::int64_t>& number = element->attributes.*row->second;
    return number ? std::optional<config::Value>(*number) : given;
  }
  if (element->transformations.empty()) return given;
  for_arrays(element->attributes, [&](std::string_view name, const auto& array) {
    if (name != attribute) return;
    given = array ? std::optional<config::Value>(*array) : std::nullopt;
  });
  return given;
}

}  // namespace

std::optional<config::Value> resolved_layout(const config::Model& model, std::string_view tag,
                                             std::string_view id, std::string_view attribute,
                                             std::optional<config::Value> given) {
  if (tag == "domain") return find(model.domains, of_domains, id, attribute, std::move(given));
  if (tag == "axis") return find(model.axes, of_axes, id, attribute, std::move(given));
  return given;
}

std::optional<config::Value> computed_value(const config::Model& model, std::string_view id,
                                            std::string_view attribute) {
  for (const config::Domain& domain : model.domains) {
    for (const config::Transformation& how : domain.transformations) {
      if (how.kind != config::ElementKind::compute_connectivity_domain || how.id != id) continue;
      for (const config::Property& property : how.local_attributes) {
        if (property.name == attribute) return property.value;
      }
    }
  }
  return std::nullopt;
}

}  // namespace epios::client
