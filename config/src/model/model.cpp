#include "config/model.hpp"

#include <cstdint>

namespace epios::config {

Model::Model() = default;
Model::Model(const Model&) = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(const Model&) = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

int Model::find_source(std::string_view id) const {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i].id == id) return static_cast<int>(i);
  }
  return -1;
}

std::optional<std::int64_t> Model::points(int grid) const {
  std::int64_t result = 1;
  const auto times = [&result](const std::optional<std::int64_t>& size) {
    if (size && __builtin_mul_overflow(result, *size, &result)) result = INT64_MAX;
    return size.has_value();
  };
  for (const GridElement& element : grids[static_cast<std::size_t>(grid)].elements) {
    const auto at = static_cast<std::size_t>(element.index);
    if (element.kind == GridElement::Kind::axis && !times(axes[at].attributes.n_glo)) return {};
    if (element.kind != GridElement::Kind::domain) continue;
    const DomainAttributes& domain = domains[at].attributes;
    if (!times(domain.ni_glo) || !times(domain.nj_glo)) return {};
  }
  return result;
}

}  // namespace epios::config
