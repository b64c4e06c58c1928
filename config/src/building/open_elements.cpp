#include "building/open_elements.hpp"

#include "building/resolve.hpp"
#include "config/model.hpp"
#include "config/spatial.hpp"

namespace epios::config {

Model draft_of(const ContextStore& store) {
  Findings ignored(Findings::Mode::plan, {});
  return resolve_context(store, ignored);
}

bool is_row_of_cells(const DomainAttributes& domain) {
  return is_row_of_cells(domain.type.value_or(""));
}

bool has_coordinates(const AxisAttributes& axis) { return axis.value || axis.bounds || axis.label; }

bool has_coordinates(const DomainAttributes& d) {
  if (d.type == "healpix") return true;  // they follow from its type
  return d.lonvalue_1d || d.lonvalue_2d || d.latvalue_1d || d.latvalue_2d || d.bounds_lon_1d ||
         d.bounds_lon_2d || d.bounds_lat_1d || d.bounds_lat_2d;
}

bool is_size(const std::optional<std::int64_t>& size) { return size && *size != 0; }

ElementKind kind_of(const GridElement& element) {
  return element.kind == GridElement::Kind::axis ? ElementKind::axis : ElementKind::domain;
}

const std::string& id_of(const Model& model, const GridElement& element) {
  return element.kind == GridElement::Kind::axis ? model.axes[element.axis()].id
                                                 : model.domains[element.domain()].id;
}

int OpenElements::add(const GridElement& element) {
  const std::string& id = id_of(model_, element);
  const auto [found, is_new] = numbers_.try_emplace({kind_of(element), id}, elements_.size());
  if (!is_new) return found->second;
  if (element.kind == GridElement::Kind::axis) {
    const AxisAttributes& axis = model_.axes[element.axis()].attributes;
    elements_.push_back({ElementKind::axis, id, !is_size(axis.n_glo), has_coordinates(axis)});
  } else {
    const DomainAttributes& domain = model_.domains[element.domain()].attributes;
    const bool lacks = !domain.type || !is_size(domain.ni_glo) ||
                       (!is_row_of_cells(domain) && !is_size(domain.nj_glo));
    elements_.push_back({ElementKind::domain, id, lacks, has_coordinates(domain)});
  }
  return found->second;
}

}  // namespace epios::config
