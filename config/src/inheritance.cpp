#include "inheritance.hpp"

#include <fmt/format.h>

#include <unordered_set>
#include <utility>

#include "text.hpp"

namespace epios::config {

namespace {

/// Groups nested deeper than this can only be made by reopening ids, and are refused.
constexpr int largest_group_depth = 256;

/// The elements of an implicit grid: a field has them or a grid_ref.
bool is_element_of_grid(std::string_view attribute) {
  return attribute == "domain_ref" || attribute == "axis_ref" || attribute == "scalar_ref";
}

/// Fills the empty slots of `to` with what may be inherited from `from`. A grid is not inherited in
/// pieces: who has a grid takes no elements, who has elements takes no grid.
void inherit(Resolved& to, const Resolved& from) {
  const bool has_grid = to.find("grid_ref") != nullptr;
  const bool has_elements = to.find("domain_ref") != nullptr || to.find("axis_ref") != nullptr ||
                            to.find("scalar_ref") != nullptr;
  for (std::size_t i = 0; i < to.size(); ++i) {
    const Setting* setting = from.at(i);
    if (to.at(i) != nullptr || setting == nullptr) continue;
    if (setting->row->element == ElementKind::field) {
      if (has_grid && is_element_of_grid(setting->row->name)) continue;
      if (has_elements && setting->row->name == "grid_ref") continue;
    }
    const bool is_given = setting->value || setting->is_broken;
    if (is_given && setting->row->inheritable) to.at(i) = setting;
  }
}

ElementKind kind_of_reference(const AttributeInfo& row) {
  for (int i = 0; i < element_kind_count; ++i) {
    if (name(static_cast<ElementKind>(i)) == row.words) return static_cast<ElementKind>(i);
  }
  return ElementKind::any;
}

}  // namespace

const Setting* Resolved::find(const AttributeInfo& row) const {
  const Setting* setting = by_row_[index(row)];
  return setting != nullptr && setting->value ? setting : nullptr;
}

const Setting* Resolved::find(std::string_view attribute) const {
  const AttributeInfo* row = find_attribute(kind_, attribute);
  return row == nullptr ? nullptr : find(*row);
}

bool Resolved::is_broken(std::string_view attribute) const {
  const AttributeInfo* row = find_attribute(kind_, attribute);
  const Setting* setting = row == nullptr ? nullptr : by_row_[index(*row)];
  return setting != nullptr && setting->is_broken;
}

Origin origin_of(const Resolved& resolved, std::string_view attribute, const Node& node) {
  const Setting* setting = resolved.find(attribute);
  return setting != nullptr ? setting->origin : node.origin;
}

Inheritance::Inheritance(const ContextStore& store, Findings& findings)
    : store_(store), findings_(findings) {
  switch_off_fields_of_disabled_files();
}

Resolved Inheritance::own_settings(int node) const {
  const Node& element = store_.at(node);
  Resolved result(element.kind);
  for (const Setting& setting : element.settings) result.slot(*setting.row) = &setting;
  if (const auto off = switched_off_.find(node); off != switched_off_.end()) {
    result.slot(*off->second.row) = &off->second;
  }
  return result;
}

void Inheritance::switch_off_fields_of_disabled_files() {
  const AttributeInfo& row = *find_attribute(ElementKind::field, "enabled");
  std::unordered_set<int> written;
  const int root = store_.root_of(ElementKind::file);
  for (const int file : store_.elements_below(root, ElementKind::file)) {
    const Setting* enabled = of(file).find("enabled");
    const bool is_off = enabled != nullptr && !std::get<bool>(*enabled->value);
    for (const int field : store_.elements_below(file, ElementKind::field)) {
      if (is_off) {
        switched_off_.emplace(field, Setting{&row, Value(false), enabled->origin, false});
      } else {
        written.insert(field);
      }
    }
  }
  for (const int field : written) switched_off_.erase(field);
}

const Resolved& Inheritance::of_group(int group, int depth) {
  if (const auto found = groups_.find(group); found != groups_.end()) return found->second;
  const Node& node = store_.at(group);
  Resolved result = own_settings(group);
  if (depth > largest_group_depth) {
    findings_.error(node.origin, fmt::format("groups nest too deep below {}", node.title()),
                    fmt::format("limit {}", largest_group_depth));
    return groups_[group] = std::move(result);
  }
  for (const int parent : node.parents) {
    if (store_.at(parent).kind == node.kind) inherit(result, of_group(parent, depth + 1));
  }
  return groups_[group] = std::move(result);
}

const Resolved& Inheritance::without_reference(int node) {
  if (const auto found = partial_.find(node); found != partial_.end()) return found->second;
  const Node& element = store_.at(node);
  Resolved result = own_settings(node);
  for (const int parent : element.parents) {
    const Node& around = store_.at(parent);
    if (around.kind == element.kind && around.form != Form::element) {
      inherit(result, of_group(parent, 0));
    }
  }
  return partial_[node] = std::move(result);
}

/// In the compatible modes, a reference that only brings attributes and leads to nothing counts as
/// not given.
bool Inheritance::is_silent(const Setting& setting) const {
  return findings_.is_compatible() && setting.row->words == name(setting.row->element);
}

int Inheritance::target(const Setting& setting) {
  if (const auto found = targets_.find(&setting); found != targets_.end()) return found->second;
  const ElementKind kind = kind_of_reference(*setting.row);
  const std::string& id = std::get<std::string>(*setting.value);
  if (const int field = lender(setting); field >= 0) {
    targets_[&setting] = -1;  // while it is looked for, so that a circle ends
    return targets_[&setting] = lent_element(setting, kind, field);
  }
  if (lenders_.contains(&setting)) return targets_[&setting] = -1;
  const int node = store_.find_form(kind, Form::element, id);
  if (node < 0 && is_list(kind, id)) {
    findings_.error(setting.origin, fmt::format("{} '{}' names several", setting.row->name, id),
                    fmt::format("a field has one {} of its own", name(kind)),
                    "Define a grid of them and name it in grid_ref.");
  } else if (node < 0 && !is_silent(setting)) {
    const bool is_group = store_.find_form(kind, Form::group, id) >= 0;
    const std::string nothing =
        fmt::format("there is no {} '{}' in context '{}'", name(kind), id, store_.id());
    findings_.error(setting.origin, fmt::format("{} '{}' refers to nothing", setting.row->name, id),
                    is_group ? fmt::format("'{}' is a group", id) : nothing,
                    is_group ? fmt::format("Refer to an element, not to <{}_group>.", name(kind))
                             : suggestion(kind, id));
  }
  return targets_[&setting] = node;
}

/// Several ids in one reference, each of an element.
bool Inheritance::is_list(ElementKind kind, std::string_view ids) const {
  constexpr std::string_view separators = " ,;\t\n";
  int count = 0;
  while (!ids.empty()) {
    const std::size_t end = ids.find_first_of(separators);
    const std::string_view id = ids.substr(0, end);
    if (!id.empty() && store_.find_form(kind, Form::element, id) < 0) return false;
    count += id.empty() ? 0 : 1;
    ids = end == std::string_view::npos ? std::string_view{} : ids.substr(end + 1);
  }
  return count > 1;
}

std::string Inheritance::suggestion(ElementKind kind, std::string_view id) {
  return findings_.suggestion(fmt::format("{}:{}", name(kind), store_.id()), id,
                              [&] { return store_.ids(kind); });
}

int Inheritance::raw_reference(int node) {
  const std::string_view kind = name(store_.at(node).kind);
  const Setting* setting = without_reference(node).find(fmt::format("{}_ref", kind));
  return setting == nullptr ? -1 : target(*setting);
}

int Inheritance::reference(int node) {
  of(node);  // finds circles
  const auto circular = circular_.find(node);
  return circular != circular_.end() ? -1 : raw_reference(node);
}

const Resolved& Inheritance::of(int node) {
  if (const auto found = solved_.find(node); found != solved_.end()) return found->second;
  // Along the references first, then back: no recursion, since chains may be long.
  std::vector<int> chain;
  std::unordered_set<int> in_chain;
  int at = node;
  while (at >= 0 && !solved_.contains(at) && in_chain.insert(at).second) {
    chain.push_back(at);
    at = raw_reference(at);
  }
  if (at >= 0 && !solved_.contains(at)) {
    const std::string_view kind = name(store_.at(at).kind);
    const Setting* setting = partial_[chain.back()].find(fmt::format("{}_ref", kind));
    std::string circle;
    for (const int step : chain) {
      if (step == at || !circle.empty()) circle += store_.at(step).id + " -> ";
    }
    findings_.error(setting->origin, fmt::format("{}_ref leads in a circle", kind),
                    circle + store_.at(at).id);
    circular_[chain.back()] = true;
  }
  for (std::size_t i = chain.size(); i-- > 0;) {
    Resolved result = partial_[chain[i]];
    const int from = circular_.contains(chain[i]) ? -1 : raw_reference(chain[i]);
    if (from >= 0) inherit(result, solved_[from]);
    solved_[chain[i]] = std::move(result);
  }
  return solved_[node];
}

std::string Inheritance::public_id(int node) {
  for (int at = node; at >= 0; at = reference(at)) {
    if (!store_.at(at).has_automatic_id) return store_.at(at).id;
  }
  return store_.at(node).id;
}

std::string Inheritance::title(int node) {
  const std::string id = public_id(node);
  const bool is_named = !store_.at(node).has_automatic_id || id != store_.at(node).id;
  if (!is_named) return store_.at(node).title();
  return fmt::format("{} '{}'", name(store_.at(node).kind), id);
}

std::string Inheritance::output_name(int node) {
  if (const Setting* setting = of(node).find("name")) {
    return std::get<std::string>(*setting->value);
  }
  return public_id(node);
}

void Inheritance::check_text_reference(const Setting& setting) {
  const bool is_path = setting.row->name == "grid_path";
  if (!setting.value || !(is_path || setting.row->name.starts_with("coordinate"))) return;
  const ElementKind kind = is_path ? ElementKind::grid : ElementKind::field;
  std::string_view rest = std::get<std::string>(*setting.value);
  while (!rest.empty()) {
    const std::size_t comma = is_path ? rest.find(',') : std::string_view::npos;
    const std::string id(trimmed(rest.substr(0, comma)));
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
    const bool is_lent = id.find("::") != std::string::npos;
    if (is_lent || store_.find_form(kind, Form::element, id) >= 0) continue;
    findings_.error(setting.origin, fmt::format("{} '{}' refers to nothing", setting.row->name, id),
                    fmt::format("there is no {} '{}' in context '{}'", name(kind), id, store_.id()),
                    suggestion(kind, id));
  }
}

void Inheritance::check_references() {
  for (int node = 0; node < store_.size(); ++node) {
    const Node& element = store_.at(node);
    for (const Setting& setting : element.settings) {
      if (setting.row->type == ValueType::reference && setting.value) target(setting);
      check_text_reference(setting);
    }
    if (element.form == Form::element) of(node);
  }
}

}  // namespace epios::config
