#include "grids/resolved_layout.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <utility>
#include <vector>

#include "config/model.hpp"

namespace epios::client {
namespace {

/// Calls visit(name, value) for each attribute.
template <class Visit>
void for_each(const config::DomainAttributes& attributes, const Visit& visit) {
#define DOMAIN(name, ...) visit(#name, attributes.name);
#include "config/attributes.def"
}
template <class Visit>
void for_each(const config::AxisAttributes& attributes, const Visit& visit) {
#define AXIS(name, ...) visit(#name, attributes.name);
#include "config/attributes.def"
}

template <class Id, class Element>
std::optional<config::Value> find(const IndexedVector<Id, Element>& elements, std::string_view id,
                                  std::string_view attribute, std::optional<config::Value> given) {
  const auto element = std::find_if(elements.begin(), elements.end(),
                                    [&](const Element& candidate) { return candidate.id == id; });
  if (element == elements.end()) return given;
  const bool is_made = !element->transformations.empty();
  for_each(element->attributes, [&]<class T>(std::string_view name, const std::optional<T>& value) {
    if (name != attribute) return;
    if constexpr (std::same_as<T, std::int64_t>) {
      if (value) given = *value;
    } else if constexpr (requires { value->shape; }) {
      if (is_made) given = value ? std::optional<config::Value>(*value) : std::nullopt;
    }
  });
  return given;
}

}  // namespace

std::optional<config::Value> resolved_layout(const config::Model& model, std::string_view tag,
                                             std::string_view id, std::string_view attribute,
                                             std::optional<config::Value> given) {
  if (tag == "domain") return find(model.domains, id, attribute, std::move(given));
  if (tag == "axis") return find(model.axes, id, attribute, std::move(given));
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
