#include "config/model.hpp"

#include <cstdint>

namespace epios::config {

Model::Model() = default;
Model::Model(const Model&) = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(const Model&) = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

SourceId Model::find_source(std::string_view id) const {
  for (const SourceId i : sources.ids()) {
    if (sources[i].id == id) return i;
  }
  return SourceId();
}

std::optional<std::int64_t> Model::points(GridId grid) const {
  std::int64_t result = 1;
  const auto times = [&result](const std::optional<std::int64_t>& size) {
    if (size && __builtin_mul_overflow(result, *size, &result)) result = INT64_MAX;
    return size.has_value();
  };
  for (const GridElement& element : grids[grid].elements) {
    if (element.kind == GridElement::Kind::axis && !times(axes[element.axis()].attributes.n_glo))
      return {};
    if (element.kind != GridElement::Kind::domain) continue;
    const DomainAttributes& domain = domains[element.domain()].attributes;
    if (!times(domain.ni_glo) || !times(domain.nj_glo)) return {};
  }
  return result;
}

}  // namespace epios::config
