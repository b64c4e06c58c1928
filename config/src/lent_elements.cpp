// References of the form "field::element", and transformations along references.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "inheritance.hpp"
#include "text.hpp"

namespace epios::config {

namespace {

constexpr std::string_view separator = "::";
/// A grid borrowed from a field that borrowed it from a field and so on.
constexpr int largest_depth = 64;

/// Attributes that give an element a shape of its own.
std::span<const std::string_view> geometry_of(ElementKind kind) {
  static constexpr std::array<std::string_view, 10> domain{
      "type", "ni_glo", "nj_glo", "ibegin", "ni", "jbegin", "nj", "i_index", "j_index", "nvertex"};
  static constexpr std::array<std::string_view, 4> axis{"n_glo", "begin", "n", "index"};
  if (kind == ElementKind::domain) return domain;
  if (kind == ElementKind::axis) return axis;
  return {};
}

}  // namespace

int Inheritance::lender(const Setting& setting) {
  if (const auto found = lenders_.find(&setting); found != lenders_.end()) return found->second;
  const std::string& id = std::get<std::string>(*setting.value);
  const std::size_t at = id.find(separator);
  if (at == std::string::npos) return -1;
  const std::string field_id = id.substr(0, at);
  if (setting.row->words == name(ElementKind::field)) {
    findings_.error(setting.origin, fmt::format("field_ref '{}' refers to nothing", id),
                    "a field cannot be part of another one", fmt::format("Write '{}'.", field_id));
    return lenders_[&setting] = -1;
  }
  const int field = store_.find_form(ElementKind::field, Form::element, field_id);
  if (field < 0) {
    findings_.error(setting.origin, fmt::format("{} '{}' refers to nothing", setting.row->name, id),
                    fmt::format("there is no field '{}' in context '{}'", field_id, store_.id()),
                    suggestion(ElementKind::field, field_id));
  }
  return lenders_[&setting] = field;
}

int Inheritance::lent_element(const Setting& setting, ElementKind kind, int field) {
  const std::string& text = std::get<std::string>(*setting.value);
  const std::string id = text.substr(text.find(separator) + separator.size());
  if (kind == ElementKind::grid) return -1;  // whole grids may have no element: see GridBuilder
  std::vector<int> candidates = elements_of(field, kind, 0);
  if (!id.empty()) {
    std::erase_if(candidates, [&](int node) { return !is_called(node, id); });
  }
  if (candidates.size() == 1) return candidates.front();
  const std::string meant =
      id.empty() ? std::string(name(kind)) : fmt::format("{} '{}'", name(kind), id);
  findings_.error(setting.origin, fmt::format("{} '{}' refers to nothing", setting.row->name, text),
                  candidates.empty()
                      ? fmt::format("the grid of field '{}' has no {}", store_.at(field).id, meant)
                      : fmt::format("the grid of field '{}' has {} of them", store_.at(field).id,
                                    candidates.size()),
                  candidates.empty() ? "" : "Name the element after '::'.");
  return -1;
}

std::vector<int> Inheritance::elements_of(int field, ElementKind kind, int depth) {
  const Resolved& resolved = of(field);
  const Setting* grid = resolved.find("grid_ref");
  std::vector<int> result;
  if (grid == nullptr) {
    const Setting* element = resolved.find(fmt::format("{}_ref", name(kind)));
    const int node = element == nullptr ? -1 : target(*element);
    if (node >= 0) result.push_back(node);
    return result;
  }
  if (const int next = lender(*grid); next >= 0) {
    if (depth < largest_depth) return elements_of(next, kind, depth + 1);
    findings_.error(grid->origin,
                    fmt::format("grid_ref of {} leads in a circle", store_.at(field).title()));
    return result;
  }
  const int node = target(*grid);
  if (node < 0) return result;
  for (const int child : store_.at(node).children) {
    if (store_.at(child).kind == kind) result.push_back(child);
  }
  return result;
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
  for (int at = node; at >= 0; at = reference(at)) {
    chain.push_back(at);
    const Resolved& own = without_reference(at);
    const auto is_given = [&own](std::string_view row) { return own.find(row) != nullptr; };
    const auto geometry = geometry_of(store_.at(at).kind);
    if (std::any_of(geometry.begin(), geometry.end(), is_given)) break;
  }
  std::vector<int> result;
  for (std::size_t i = chain.size(); i-- > 0;) {
    for (const int child : store_.at(chain[i]).children) {
      if (is_transformation(store_.at(child).kind)) result.push_back(child);
    }
  }
  return result;
}

}  // namespace epios::config
