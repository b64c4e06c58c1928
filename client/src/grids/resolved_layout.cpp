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

template <class Id, class Element, class Rows>
std::optional<config::Value> find(const IndexedVector<Id, Element>& elements, const Rows& rows,
                                  std::string_view id, std::string_view attribute) {
  const auto element = std::find_if(elements.begin(), elements.end(),
                                    [&](const Element& candidate) { return candidate.id == id; });
  const auto row = std::find_if(std::begin(rows), std::end(rows), [&](const auto& candidate) {
    return candidate.first == attribute;
  });
  if (element == elements.end() || row == std::end(rows)) return std::nullopt;
  const std::optional<std::int64_t>& number = element->attributes.*row->second;
  return number ? std::optional<config::Value>(*number) : std::nullopt;
}

}  // namespace

std::optional<config::Value> resolved_layout(const config::Model& model, std::string_view tag,
                                             std::string_view id, std::string_view attribute) {
  if (tag == "domain") return find(model.domains, of_domains, id, attribute);
  if (tag == "axis") return find(model.axes, of_axes, id, attribute);
  return std::nullopt;
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
