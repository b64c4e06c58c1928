// Builds the grids of a Model: those written in the XML, and implicit ones from axis_ref,
// domain_ref and scalar_ref. An element is added at its first use; its inherited attributes and
// transformations are resolved and checked then.
#include "grids/grid_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "check/name_check.hpp"
#include "check/stations_check.hpp"
#include "check/transformation_check.hpp"
#include "config/model.hpp"
#include "config/spatial.hpp"
#include "config/stations.hpp"
#include "config/transformation_traits.hpp"
#include "language/attribute_fill.hpp"
#include "language/availability.hpp"
#include "language/value_text.hpp"
#include "text/text.hpp"

namespace epios::config {

namespace {

constexpr std::array<std::string_view, 4> grid_names{"grid_ref", "domain_ref", "axis_ref",
                                                     "scalar_ref"};

/// Makes an extraction of listed points take the points between them, too, as XIOS does.
void take_covering_interval(Transformation& extract) {
  const auto list = extracted_list(extract);
  if (extract.kind != ElementKind::extract_axis || !list || list->empty()) return;
  const auto [least, greatest] = std::minmax_element(list->begin(), list->end());
  extract.attributes = {{"begin", *least}, {"n", *greatest - *least + 1}};
}

/// A ring by corners is one by edges there.
void take_edges(Transformation& expand) {
  if (expand.kind != ElementKind::expand_domain) return;
  for (Property& property : expand.attributes) {
    if (property.name == "type") property.value = std::string("edge");
  }
}

void behave_as_xios(Transformation& transformation) {
  take_covering_interval(transformation);
  take_edges(transformation);
}

}  // namespace

GridId GridBuilder::grid_of(int field) {
  if (const auto found = by_field_.find(field); found != by_field_.end()) return found->second;
  const Resolved& resolved = inheritance_.of(field);
  const Node& node = store_.at(field);
  std::vector<const Setting*> references;
  for (const char* name : {"domain_ref", "axis_ref", "scalar_ref"}) {
    if (const Setting* setting = resolved.find(name)) references.push_back(setting);
  }
  const Setting* grid = resolved.find("grid_ref");
  GridId& result = by_field_[field] = GridId();
  if (grid != nullptr && !references.empty()) {
    findings_.error(Code::two_grids, grid->origin,
                    fmt::format("{} has grid_ref together with {}", inheritance_.title(field),
                                references.front()->row->name),
                    fmt::format("{} is given at {}", references.front()->row->name,
                                references.front()->origin.text()),
                    "Name a grid, or the elements of an implicit grid.");
  } else if (const int lender = grid == nullptr ? -1 : inheritance_.lender(*grid); lender >= 0) {
    lending_.insert(field);
    if (lending_.contains(lender)) {
      findings_.error(Code::circle, grid->origin,
                      fmt::format("grid_ref of {} leads in a circle", node.title()));
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

bool GridBuilder::names_grid(int field) const {
  const Resolved& resolved = inheritance_.of(field);
  return std::any_of(grid_names.begin(), grid_names.end(),
                     [&](std::string_view name) { return resolved.find(name) != nullptr; });
}

void GridBuilder::report_missing_grid(int field) {
  // To blame is the field that all others refer to.
  int cause = field;
  for (int next = field; next >= 0 && !names_grid(next); next = inheritance_.reference(next)) {
    cause = next;
  }
  if (!without_grid_.insert(cause).second) return;
  findings_.error(Code::no_grid, store_.at(cause).origin,
                  fmt::format("{} has no grid", inheritance_.title(cause)),
                  "nothing says what its data looks like",
                  "Add grid_ref, or domain_ref, axis_ref or scalar_ref.");
}

bool GridBuilder::is_lacking(int field) {
  int at = field;
  while (at >= 0 && !lacking_.contains(at)) at = inheritance_.reference(at);
  return at >= 0;
}

GridId GridBuilder::explicit_grid(int grid) {
  if (const auto found = by_grid_.find(grid); found != by_grid_.end()) return found->second;
  const Node& node = store_.at(grid);
  check_available(node, inheritance_.of(grid), findings_);
  Grid result{inheritance_.public_id(grid), {}};
  for (const int child : node.children) {
    if (store_.at(child).kind == ElementKind::hierarchy) continue;
    const GridElement e = element(child);
    if (e.index < 0) return by_grid_[grid] = GridId();
    result.elements.push_back(e);
  }
  const Resolved& resolved = inheritance_.of(grid);
  inheritance_.need_arrays(resolved);
  check_grid_masks({node.title(), node.origin, resolved, findings_}, shapes_of(result));
  for (const AttributeInfo& row : attributes_of(ElementKind::grid)) {
    const Setting* mask = row.name.starts_with("mask_") ? resolved.find(row) : nullptr;
    if (mask != nullptr) result.mask = std::get<value::booleans>(*mask->value);
  }
  warn_of_other_tiles(node, result);
  return by_grid_[grid] = model_.grids.push_back(std::move(result));
}

/// An array comes in the tiles of one domain.
void GridBuilder::warn_of_other_tiles(const Node& node, const Grid& grid) {
  const Domain* first = nullptr;
  for (const GridElement& element : grid.elements) {
    if (element.kind != GridElement::Kind::domain) continue;
    const Domain& domain = model_.domains[element.domain()];
    if (!domain.attributes.ntiles) continue;
    if (first == nullptr) {
      first = &domain;
      continue;
    }
    findings_.warning(Code::without_effect, node.origin,
                      fmt::format("tiles of domain '{}' in {}", domain.id, node.title()),
                      fmt::format("its arrays come in the tiles of domain '{}', each of which has "
                                  "the other one whole",
                                  first->id));
  }
}

void GridBuilder::warn_of_mask(const GridElement& element, const Transformation& step) {
  const auto mask = own_masks_.find({element.kind, element.index});
  if (mask == own_masks_.end() || traits_of(step.kind).shape == ShapeRule::own) return;
  const bool is_axis = element.kind == GridElement::Kind::axis;
  findings_.warning(
      Code::without_effect, mask->second,
      fmt::format("mask of {} '{}' has no effect", is_axis ? "axis" : "domain",
                  is_axis ? model_.axes[element.axis()].id : model_.domains[element.domain()].id),
      fmt::format("what <{}> makes is masked where its source is", name(step.kind)),
      "Mask that, or the grid?");
  own_masks_.erase(mask);
}

bool GridBuilder::is_lent_to_step(const GridElement& element) const {
  if (!has_lent_shape(element)) return false;
  const std::vector<Transformation>& all = config::transformations_of(model_, element);
  return std::any_of(all.begin(), all.end(),
                     [](const Transformation& t) { return is_step(t.kind); });
}

/// Two forms: a domain has two dimensions, or its cells have one, which is usual for cells in a
/// row.
std::vector<GridShape> GridBuilder::shapes_of(const Grid& grid) const {
  bool has_rows_of_cells = false;
  const auto shape_of = [&](bool is_flat) {
    std::vector<std::optional<std::int64_t>> sizes;
    for (const GridElement& element : grid.elements) {
      const bool is_known = !is_lent_to_step(element);
      if (element.kind == GridElement::Kind::axis) {
        sizes.push_back(is_known ? model_.axes[element.axis()].attributes.n : std::nullopt);
      } else if (element.kind == GridElement::Kind::domain) {
        const DomainAttributes& domain = model_.domains[element.domain()].attributes;
        has_rows_of_cells = has_rows_of_cells || is_row_of_cells(domain.type.value_or(""));
        if (!is_known) {
          sizes.insert(sizes.end(), is_flat ? 1 : 2, std::nullopt);
        } else if (is_flat && domain.ni && domain.nj) {
          sizes.emplace_back(*domain.ni * *domain.nj);
        } else {
          sizes.push_back(domain.ni);
          if (!is_flat) sizes.push_back(domain.nj);
        }
      }
    }
    GridShape shape{sizes.size(), {}};
    if (std::all_of(sizes.begin(), sizes.end(), [](const auto& size) { return size; })) {
      for (const auto& size : sizes) shape.sizes.push_back(*size);
    }
    return shape;
  };
  std::vector<GridShape> shapes = {shape_of(false), shape_of(true)};
  if (has_rows_of_cells) std::swap(shapes[0], shapes[1]);
  return shapes;
}

GridId GridBuilder::implicit_grid(const std::vector<const Setting*>& references) {
  std::vector<int> nodes;
  std::string id;
  for (const Setting* reference : references) {
    const int target = inheritance_.target(*reference);
    if (target < 0) return GridId();
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
    if (e.index < 0) return by_elements_[nodes] = GridId();
    result.elements.push_back(e);
  }
  return by_elements_[nodes] = model_.grids.push_back(std::move(result));
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
  const Resolved& resolved = inheritance_.of(node);
  const bool has_no_size = resolved.is_broken("n_glo") || resolved.is_broken("ni_glo") ||
                           resolved.is_broken("nj_glo") || resolved.is_broken("type");
  const char* size = result.kind == GridElement::Kind::axis ? "n_glo" : "ni_glo";
  const Setting* given = resolved.find(size);
  if (given != nullptr && inheritance_.is_lent(node, *given)) {
    lent_shapes_.insert({result.kind, result.index});
  }
  for (const char* const attribute : {"mask", "mask_1d", "mask_2d"}) {
    const Setting* const mask =
        result.kind == GridElement::Kind::scalar ? nullptr : resolved.find(attribute);
    if (mask == nullptr || inheritance_.is_lent(node, *mask)) continue;
    own_masks_.insert_or_assign({result.kind, result.index}, mask->origin);
  }
  if (nodes_with_own_data_.contains(node)) with_own_data_.insert({result.kind, result.index});
  if (nodes_with_other_data_.contains(node)) with_other_data_.insert({result.kind, result.index});
  if (inheritance_.is_lost(node) || has_no_size) broken_.insert({result.kind, result.index});
  return by_element_[node] = result;
}

/// One setting that both have, by inheritance, is the same on each client, whatever its value.
void GridBuilder::compare_settings(int node, int other, Likeness& likeness) {
  const Resolved& own = inheritance_.of(node);
  const Resolved& theirs = inheritance_.of(other);
  for (const AttributeInfo& row : attributes_of(store_.at(node).kind)) {
    if (row.scope != Scope::local) continue;
    const Setting* a = own.find(row);
    const Setting* b = theirs.find(row);
    if (a == b) continue;
    const auto is_of_client = [](const Setting* s) {
      return s != nullptr && !s->origin.call.is_empty();
    };
    likeness.is_by_client = likeness.is_by_client || is_of_client(a) || is_of_client(b);
    if (a == nullptr || b == nullptr || a->value != b->value) likeness.is_alike = false;
  }
}

GridBuilder::Likeness GridBuilder::likeness(const GridElement& element, const GridElement& other) {
  int node = -1;
  int their_node = -1;
  for (const auto& [at, made] : by_element_) {
    if (made == element) node = at;
    if (made == other) their_node = at;
  }
  Likeness out;
  if (node < 0 || their_node < 0) return {false, false};
  compare_settings(node, their_node, out);
  const std::vector<int>& steps = inheritance_.transformations(node);
  const std::vector<int>& their_steps = inheritance_.transformations(their_node);
  if (steps.size() != their_steps.size()) return {false, false};
  for (std::size_t i = 0; i < steps.size(); ++i) compare_settings(steps[i], their_steps[i], out);
  return out;
}

std::unordered_set<int> GridBuilder::elements_of(int field) {
  std::unordered_set<int> nodes;
  const Resolved& resolved = inheritance_.of(field);
  for (const ElementKind kind : {ElementKind::scalar, ElementKind::axis, ElementKind::domain}) {
    const bool is_named = resolved.find("grid_ref") != nullptr ||
                          resolved.find(fmt::format("{}_ref", name(kind))) != nullptr;
    if (!is_named) continue;
    for (const int node : inheritance_.grid_elements(field, kind)) nodes.insert(essence(node));
  }
  return nodes;
}

void GridBuilder::has_own_data(int field) { nodes_with_own_data_.merge(elements_of(field)); }

void GridBuilder::has_other_data(int field, int other) {
  const Resolved& resolved = inheritance_.of(field);
  const auto is_own = [&](std::string_view name) {
    const Setting* setting = resolved.find(name);
    return setting != nullptr && !inheritance_.is_lent(field, *setting);
  };
  if (std::none_of(grid_names.begin(), grid_names.end(), is_own)) return;
  const std::unordered_set<int> theirs = other < 0 ? std::unordered_set<int>() : elements_of(other);
  for (const int node : elements_of(field)) {
    if (!theirs.contains(node)) nodes_with_other_data_.insert(node);
  }
}

std::vector<int> GridBuilder::coordinates_of(int field) {
  std::vector<int> result;
  const Resolved& resolved = inheritance_.of(field);
  if (resolved.find("axis_ref") == nullptr && resolved.find("grid_ref") == nullptr) return result;
  for (const int node : inheritance_.grid_elements(field, ElementKind::axis)) {
    for (const int step : inheritance_.transformations(node)) {
      for (const Setting& setting : store_.at(step).settings) {
        if (!setting.value || !setting.row->name.starts_with("coordinate")) continue;
        const auto* id = std::get_if<std::string>(&*setting.value);
        const int named =
            id == nullptr ? -1 : store_.find_form(ElementKind::field, Form::element, trimmed(*id));
        if (named >= 0) result.push_back(named);
      }
    }
  }
  return result;
}

int GridBuilder::add_element(int node, GridElement::Kind kind) {
  inheritance_.need(node);
  const Node& element = store_.at(node);
  const Resolved& resolved = inheritance_.of(node);
  const std::string name = inheritance_.output_name(node);
  check_available(element, resolved, findings_);
  check_names(element, resolved, findings_);
  if (const std::string why = name_complaint(name); !why.empty()) {
    findings_.error(Code::bad_name, origin_of(resolved, "name", element),
                    fmt::format("{} has the name '{}'", element.title(), name),
                    fmt::format("no coordinate can have it: {}", why),
                    "Add name=\"...\" that NetCDF takes.");
  }
  const LayoutContext context{element.title(), element.origin, resolved, findings_, gap_of(node)};
  const bool is_checked = !inheritance_.is_lost(node) && !is_shaped_by_source(node);
  if (kind == GridElement::Kind::axis) {
    Axis axis{element.id, name, filled<AxisAttributes>(resolved), {}};
    if (element.has_automatic_id) axis.attributes.name = name;
    if (is_checked) check_axis(context, axis.attributes);
    axis.transformations = transformations_of(node);
    return model_.axes.push_back(std::move(axis));
  }
  if (kind == GridElement::Kind::domain) {
    Domain domain{element.id, name, filled<DomainAttributes>(resolved), {}};
    if (element.has_automatic_id) domain.attributes.name = name;
    if (complete_points(node, context, domain.attributes) && is_checked) {
      check_domain(context, domain.attributes);
    }
    if (is_dealt_out(node)) {  // by the run
      for (const auto part :
           {&DomainAttributes::ni, &DomainAttributes::nj, &DomainAttributes::ibegin,
            &DomainAttributes::jbegin, &DomainAttributes::data_ni, &DomainAttributes::data_nj}) {
        domain.attributes.*part = std::nullopt;
      }
    }
    domain.transformations = transformations_of(node);
    return model_.domains.push_back(std::move(domain));
  }
  Scalar scalar{element.id, name, filled<ScalarAttributes>(resolved), {}};
  if (element.has_automatic_id) scalar.attributes.name = name;
  if (is_checked) check_scalar(context, scalar.attributes);
  scalar.transformations = transformations_of(node);
  return model_.scalars.push_back(std::move(scalar));
}

Gap GridBuilder::gap_of(int node) {
  Gap gap{store_.id(), std::string(name(store_.at(node).kind)), {}, {}};
  for (int at = node; at >= 0; at = inheritance_.reference(at)) {
    if (!store_.at(at).has_automatic_id) gap.id = store_.at(at).id;
  }
  return gap;
}

bool GridBuilder::is_shaped_by_source(int node) {
  const std::vector<int> transformations = inheritance_.transformations(node);
  const auto keeps = [this](int child) { return keeps_to_source(store_.at(child).kind); };
  if (transformations.empty()) return false;
  if (!std::all_of(transformations.begin(), transformations.end(), keeps)) return false;
  const Resolved& resolved = inheritance_.of(node);
  const bool is_axis = store_.at(node).kind == ElementKind::axis;
  return resolved.find(is_axis ? "n_glo" : "ni_glo") == nullptr;
}

bool GridBuilder::complete_points(int node, const LayoutContext& context,
                                  DomainAttributes& domain) {
  const std::vector<int> all = inheritance_.transformations(node);
  const auto found = std::find_if(all.begin(), all.end(), [this](int child) {
    return store_.at(child).kind == ElementKind::stations;
  });
  if (found == all.end()) return true;
  const bool is_alone = all.size() == 1;
  return complete_stations(context, {store_.at(*found), inheritance_.of(*found), is_alone}, domain);
}

bool GridBuilder::is_dealt_out(int node) {
  const std::vector<int> transformations = inheritance_.transformations(node);
  const bool is_generated =
      std::any_of(transformations.begin(), transformations.end(), [this](int child) {
        const ElementKind kind = store_.at(child).kind;
        return kind == ElementKind::generate_rectilinear_domain || kind == ElementKind::stations;
      });
  const Resolved& resolved = inheritance_.of(node);
  const Setting* const type = resolved.find("type");
  const bool has_pixels = type != nullptr && *type->value == Value(std::string("healpix"));
  constexpr std::array<std::string_view, 11> parts{
      "ibegin",  "jbegin",  "ni",           "nj",           "i_index",    "j_index",
      "data_ni", "data_nj", "data_i_index", "data_j_index", "data_ibegin"};
  return (is_generated || has_pixels) &&
         std::none_of(parts.begin(), parts.end(),
                      [&](std::string_view part) { return resolved.find(part) != nullptr; });
}

void GridBuilder::check_rest() {
  for (int node = 0; node < store_.size(); ++node) {
    const Node& element = store_.at(node);
    if (element.form != Form::element || inheritance_.needed().contains(node)) continue;
    const bool is_axis = element.kind == ElementKind::axis;
    const bool is_domain = element.kind == ElementKind::domain;
    if (!(is_axis || is_domain || element.kind == ElementKind::scalar)) continue;
    if (essence(node) != node || inheritance_.is_lost(node) || is_shaped_by_source(node)) continue;
    const Resolved& resolved = inheritance_.of(node);
    const LayoutContext context{element.title(), element.origin, resolved, findings_};
    if (is_axis) {
      AxisAttributes axis = filled<AxisAttributes>(resolved);
      check_axis(context, axis);
    } else if (is_domain) {
      DomainAttributes domain = filled<DomainAttributes>(resolved);
      if (complete_points(node, context, domain)) check_domain(context, domain);
    } else {
      check_scalar(context, filled<ScalarAttributes>(resolved));
    }
  }
}

std::vector<Transformation> GridBuilder::transformations_of(int node) {
  std::vector<Transformation> result;
  for (const int child : inheritance_.transformations(node)) {
    const Node& element = store_.at(child);
    Transformation transformation;
    transformation.id = element.id;
    transformation.kind = element.kind;
    transformation.where = element.origin.text();
    origins_.emplace(transformation.where, element.origin);
    inheritance_.need(child);
    const Resolved& resolved = inheritance_.of(child);
    for (const AttributeInfo& row : attributes_of(element.kind)) {
      if (resolved.is_broken(row.name)) broken_steps_.insert(transformation.where);
      const std::optional<Value> value = value_or_default(row, resolved);
      if (!value) continue;
      auto& properties =
          row.scope == Scope::global ? transformation.attributes : transformation.local_attributes;
      properties.push_back({std::string(row.name), *value});
    }
    check_transformation(element, resolved, store_.at(node), inheritance_.of(node), store_.id(),
                         findings_);
    if (transformation.kind == ElementKind::stations) complete_names(transformation);
    if (findings_.is_compatible()) behave_as_xios(transformation);
    check_available(element, resolved, findings_);
    result.push_back(std::move(transformation));
  }
  return result;
}

}  // namespace epios::config
