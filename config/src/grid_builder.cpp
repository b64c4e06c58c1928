#include "grid_builder.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "attribute_fill.hpp"
#include "availability.hpp"
#include "name_check.hpp"
#include "transformation_check.hpp"

namespace epios::config {

int GridBuilder::grid_of(int field) {
  if (const auto found = by_field_.find(field); found != by_field_.end()) return found->second;
  const Resolved& resolved = inheritance_.of(field);
  const Node& node = store_.at(field);
  std::vector<const Setting*> references;
  for (const char* name : {"domain_ref", "axis_ref", "scalar_ref"}) {
    if (const Setting* setting = resolved.find(name)) references.push_back(setting);
  }
  const Setting* grid = resolved.find("grid_ref");
  int& result = by_field_[field] = -1;
  if (grid != nullptr && !references.empty()) {
    findings_.error(grid->origin,
                    fmt::format("{} has grid_ref together with {}", inheritance_.title(field),
                                references.front()->row->name),
                    fmt::format("{} is given at {}", references.front()->row->name,
                                references.front()->origin.text()),
                    "Name a grid, or the elements of an implicit grid.");
  } else if (const int lender = grid == nullptr ? -1 : inheritance_.lender(*grid); lender >= 0) {
    lending_.insert(field);
    if (lending_.contains(lender)) {
      findings_.error(grid->origin, fmt::format("grid_ref of {} leads in a circle", node.title()));
    } else {
      result = grid_of(lender);
    }
    lending_.erase(field);
  } else if (grid != nullptr) {
    const int target = inheritance_.target(*grid);
    if (target >= 0) result = explicit_grid(target);
  } else if (!references.empty()) {
    result = implicit_grid(references);
  } else if (!is_lacking(field)) {
    report_missing_grid(field);
  }
  return result;
}

void GridBuilder::report_missing_grid(int field) {
  const auto has_grid = [this](int node) {
    for (const char* name : {"grid_ref", "domain_ref", "axis_ref", "scalar_ref"}) {
      if (inheritance_.of(node).find(name) != nullptr) return true;
    }
    return false;
  };
  // To blame is the field that all others refer to.
  int cause = field;
  for (int next = field; next >= 0 && !has_grid(next); next = inheritance_.reference(next)) {
    cause = next;
  }
  if (!without_grid_.insert(cause).second) return;
  findings_.error(store_.at(cause).origin, fmt::format("{} has no grid", inheritance_.title(cause)),
                  "nothing says what its data looks like",
                  "Add grid_ref, or domain_ref, axis_ref or scalar_ref.");
}

bool GridBuilder::is_lacking(int field) {
  int at = field;
  while (at >= 0 && !lacking_.contains(at)) at = inheritance_.reference(at);
  return at >= 0;
}

int GridBuilder::explicit_grid(int grid) {
  if (const auto found = by_grid_.find(grid); found != by_grid_.end()) return found->second;
  const Node& node = store_.at(grid);
  check_available(node, inheritance_.of(grid), findings_);
  Grid result{inheritance_.public_id(grid), {}};
  for (const int child : node.children) {
    const GridElement e = element(child);
    if (e.index < 0) return by_grid_[grid] = -1;
    result.elements.push_back(e);
  }
  if (const std::optional<GridShape> shape = shape_of(result)) {
    check_grid_masks({node.title(), node.origin, inheritance_.of(grid), findings_}, *shape);
  }
  model_.grids.push_back(std::move(result));
  return by_grid_[grid] = static_cast<int>(model_.grids.size()) - 1;
}

/// None when a domain is there whose number of dimensions is not said.
std::optional<GridShape> GridBuilder::shape_of(const Grid& grid) const {
  GridShape shape;
  std::vector<std::optional<std::int64_t>> sizes;
  for (const GridElement& element : grid.elements) {
    const auto at = static_cast<std::size_t>(element.index);
    if (element.kind == GridElement::Kind::axis) {
      sizes.push_back(model_.axes[at].attributes.n);
    } else if (element.kind == GridElement::Kind::domain) {
      const DomainAttributes& domain = model_.domains[at].attributes;
      if (domain.type != "rectilinear" && domain.type != "curvilinear") return std::nullopt;
      sizes.push_back(domain.ni);
      sizes.push_back(domain.nj);
    }
  }
  shape.rank = sizes.size();
  for (const auto& size : sizes) {
    if (!size) return GridShape{shape.rank, {}};
    shape.sizes.push_back(*size);
  }
  return shape;
}

int GridBuilder::implicit_grid(const std::vector<const Setting*>& references) {
  std::vector<int> nodes;
  std::string id;
  for (const Setting* reference : references) {
    const int target = inheritance_.target(*reference);
    if (target < 0) return -1;
    nodes.push_back(essence(target));
    if (!id.empty()) id += ',';
    id += store_.at(nodes.back()).id;
  }
  if (const auto found = by_elements_.find(nodes); found != by_elements_.end()) {
    return found->second;
  }
  Grid result{fmt::format("({})", id), {}};
  for (const int node : nodes) {
    const GridElement e = element(node);
    if (e.index < 0) return by_elements_[nodes] = -1;
    result.elements.push_back(e);
  }
  model_.grids.push_back(std::move(result));
  return by_elements_[nodes] = static_cast<int>(model_.grids.size()) - 1;
}

int GridBuilder::essence(int node) {
  int at = node;
  while (store_.at(at).has_automatic_id && store_.at(at).settings.size() == 1 &&
         store_.at(at).children.empty()) {
    const int next = inheritance_.reference(at);
    if (next < 0) break;
    at = next;
  }
  return at;
}

GridElement GridBuilder::element(int node) {
  node = essence(node);
  if (const auto found = by_element_.find(node); found != by_element_.end()) return found->second;
  GridElement result;
  if (store_.at(node).kind == ElementKind::axis) result.kind = GridElement::Kind::axis;
  if (store_.at(node).kind == ElementKind::domain) result.kind = GridElement::Kind::domain;
  result.index = add_element(node, result.kind);
  return by_element_[node] = result;
}

int GridBuilder::add_element(int node, GridElement::Kind kind) {
  const Node& element = store_.at(node);
  const Resolved& resolved = inheritance_.of(node);
  const std::string name = inheritance_.output_name(node);
  const Setting* reference = resolved.find(fmt::format("{}_ref", config::name(element.kind)));
  // What a reference to nothing would have brought is not missing too.
  const bool is_whole =
      reference == nullptr || inheritance_.target(*reference) >= 0 || findings_.is_compatible();
  check_available(element, resolved, findings_);
  check_names(element, resolved, findings_);
  if (const std::string why = name_complaint(name); !why.empty()) {
    findings_.error(origin_of(resolved, "name", element),
                    fmt::format("{} has the name '{}'", element.title(), printable(name)),
                    fmt::format("no coordinate can have it: {}", why),
                    "Add name=\"...\" that NetCDF takes.");
  }
  const LayoutContext context{element.title(), element.origin, resolved, findings_};
  if (kind == GridElement::Kind::axis) {
    Axis axis{element.id, name, filled<AxisAttributes>(resolved), {}};
    if (element.has_automatic_id) axis.attributes.name = name;
    if (is_whole) check_axis(context, axis.attributes);
    axis.transformations = transformations_of(node);
    model_.axes.push_back(std::move(axis));
    return static_cast<int>(model_.axes.size()) - 1;
  }
  if (kind == GridElement::Kind::domain) {
    Domain domain{element.id, name, filled<DomainAttributes>(resolved), {}};
    if (element.has_automatic_id) domain.attributes.name = name;
    if (is_whole) check_domain(context, domain.attributes);
    domain.transformations = transformations_of(node);
    model_.domains.push_back(std::move(domain));
    return static_cast<int>(model_.domains.size()) - 1;
  }
  Scalar scalar{element.id, name, filled<ScalarAttributes>(resolved), {}};
  if (element.has_automatic_id) scalar.attributes.name = name;
  if (is_whole) check_scalar(context, scalar.attributes);
  scalar.transformations = transformations_of(node);
  model_.scalars.push_back(std::move(scalar));
  return static_cast<int>(model_.scalars.size()) - 1;
}

std::vector<Transformation> GridBuilder::transformations_of(int node) {
  std::vector<Transformation> result;
  for (const int child : inheritance_.transformations(node)) {
    const Node& element = store_.at(child);
    Transformation transformation;
    transformation.kind = element.kind;
    transformation.where = element.origin.text();
    const Resolved& resolved = inheritance_.of(child);
    for (const AttributeInfo& row : attributes_of(element.kind)) {
      const std::optional<Value> value = value_or_default(row, resolved);
      if (!value) continue;
      auto& properties =
          row.scope == Scope::global ? transformation.attributes : transformation.local_attributes;
      properties.push_back({std::string(row.name), *value});
    }
    check_transformation(element, resolved, store_.at(node), findings_);
    findings_.not_yet(element.origin, fmt::format("transformation <{}> of {} is not available yet",
                                                  name(element.kind), store_.at(node).title()));
    result.push_back(std::move(transformation));
  }
  return result;
}

}  // namespace epios::config
