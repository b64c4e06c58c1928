// References of the form "field::element", and transformations along references.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "language/inheritance.hpp"
#include "text/text.hpp"

namespace epios::config {

namespace {

/// A grid borrowed from a field that borrowed it from a field and so on.
constexpr int longest_chain = 64;

/// Attributes that give an element a shape of its own.
std::span<const std::string_view> geometry_of(ElementKind kind) {
  static constexpr std::array<std::string_view, 12> domain{
      "type", "ni_glo", "nj_glo", "ibegin",  "ni",      "jbegin",
      "nj",   "nside",  "order",  "i_index", "j_index", "nvertex"};
  static constexpr std::array<std::string_view, 4> axis{"n_glo", "begin", "n", "index"};
  if (kind == ElementKind::domain) return domain;
  if (kind == ElementKind::axis) return axis;
  return {};
}

}  // namespace

Inheritance::Lookup Inheritance::lent_element(const Setting& setting, ElementKind kind) {
  const std::string& text = std::get<std::string>(*setting.value);
  const std::size_t at = text.find(element_separator);
  const std::string field_id = text.substr(0, at);
  const std::string id = text.substr(at + element_separator.size());
  Lookup lookup;
  lookup.is_reported = false;
  if (kind == ElementKind::field) {
    lookup.why = "a field cannot be part of another one";
    lookup.suggestion = fmt::format("Write '{}'.", field_id);
    return lookup;
  }
  lookup.lender = store_.find_form(ElementKind::field, Form::element, field_id);
  if (lookup.lender < 0) {
    lookup.why = fmt::format("there is no field '{}' in context '{}'", field_id, store_.id());
    lookup.suggestion = suggestion(ElementKind::field, field_id, setting.owner);
    return lookup;
  }
  lookup.is_reported = kind == ElementKind::grid;  // it may have no element: see GridBuilder
  if (kind == ElementKind::grid) return lookup;
  std::optional<std::vector<int>> candidates = elements_of(lookup.lender, kind, 0);
  lookup.is_lenders_fault = !candidates;
  if (!candidates) return lookup;
  if (!id.empty()) {
    std::erase_if(*candidates, [&](int node) { return !is_called(node, id); });
  }
  lookup.is_reported = candidates->size() == 1;
  if (lookup.is_reported) {
    lookup.node = candidates->front();
    return lookup;
  }
  const std::string meant =
      id.empty() ? std::string(name(kind)) : fmt::format("{} '{}'", name(kind), id);
  const std::string& its = store_.at(lookup.lender).id;
  lookup.why = candidates->empty()
                   ? fmt::format("the grid of field '{}' has no {}", its, meant)
                   : fmt::format("the grid of field '{}' has {} of them", its, candidates->size());
  if (!candidates->empty()) lookup.suggestion = "Name the element after '::'.";
  return lookup;
}

std::optional<std::vector<int>> Inheritance::elements_of(int field, ElementKind kind, int depth) {
  const Resolved& resolved = of(field);
  const Setting* grid = resolved.find("grid_ref");
  std::vector<int> result;
  if (grid == nullptr) {
    const Setting* element = resolved.find(fmt::format("{}_ref", name(kind)));
    if (element == nullptr) return is_lost(field) ? std::nullopt : std::optional(result);
    const int node = look_up(*element).node;
    if (node < 0) return std::nullopt;
    result.push_back(node);
    return result;
  }
  if (const int next = look_up(*grid).lender; next >= 0) {
    return depth < longest_chain ? elements_of(next, kind, depth + 1) : std::nullopt;
  }
  const int node = look_up(*grid).node;
  if (node < 0) return std::nullopt;
  for (const int child : store_.at(node).children) {
    if (store_.at(child).kind != kind) continue;
    if (is_lost(child)) return std::nullopt;
    result.push_back(child);
  }
  return result;
}

std::vector<int> Inheritance::grid_elements(int field, ElementKind kind) {
  std::vector<int> elements = elements_of(field, kind, 0).value_or(std::vector<int>());
  for (int& element : elements) {
    const auto referred_to = [&] {
      const Node& node = store_.at(element);
      const bool only_refers =
          node.has_automatic_id && node.settings.size() == 1 && node.children.empty();
      return only_refers ? reference(element) : -1;
    };
    for (int next = referred_to(); next >= 0; next = referred_to()) element = next;
  }
  return elements;
}

void Inheritance::need_grid_of(int field) {
  std::unordered_set<int> seen;
  for (int at = field; at >= 0;) {
    const Setting* grid = of(at).find("grid_ref");
    if (!seen.insert(at).second) {
      findings_.error(Code::circle, grid->origin,
                      fmt::format("grid_ref of {} leads in a circle", store_.at(at).title()));
      return;
    }
    need(at);
    for (const char* attribute : {"grid_ref", "domain_ref", "axis_ref", "scalar_ref"}) {
      const Setting* setting = of(at).find(attribute);
      const int node = setting == nullptr ? -1 : target(*setting);
      if (node < 0) continue;
      need(node);
      for (const int child : store_.at(node).children) need(child);
    }
    at = grid == nullptr ? -1 : look_up(*grid).lender;
  }
}

/// Nameless elements of a grid go by the id of what they refer to.
bool Inheritance::is_called(int node, std::string_view id) {
  for (int at = node; at >= 0; at = reference(at)) {
    if (store_.at(at).id == id) return true;
  }
  return false;
}

std::vector<int> Inheritance::transformations(int node) {
  std::vector<int> chain;
  bool is_from_file = false;
  for (int at = node; at >= 0; at = reference(at)) {
    chain.push_back(at);
    is_from_file = is_from_file || store_.at(at).has_file_coordinates;
    const Resolved& own = without_reference(at);
    const auto is_given = [&own](std::string_view row) {
      return own.find(row) != nullptr || own.is_broken(row);
    };
    const auto geometry = geometry_of(store_.at(at).kind);
    if (std::any_of(geometry.begin(), geometry.end(), is_given)) break;
  }
  std::vector<int> result;
  for (std::size_t i = chain.size(); i-- > 0;) {
    for (const int child : store_.at(chain[i]).children) {
      const ElementKind kind = store_.at(child).kind;
      if (is_from_file && kind == ElementKind::generate_rectilinear_domain) continue;
      if (is_transformation(kind)) result.push_back(child);
    }
  }
  return result;
}

}  // namespace epios::config
