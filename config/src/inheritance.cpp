#include "inheritance.hpp"

#include <fmt/format.h>

#include <unordered_set>
#include <utility>

#include "text.hpp"

namespace epios::config {

namespace {

/// Groups nested deeper than this can only be made by reopening ids, and are refused.
constexpr int largest_group_depth = 256;

/// Fills the empty slots of `to` with what may be inherited from `from`.
void inherit(Resolved& to, const Resolved& from) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    const Setting* setting = from.at(i);
    if (to.at(i) != nullptr || setting == nullptr) continue;
    const bool is_given = setting->value || setting->is_broken;
    if (is_given && setting->row->inheritable) to.at(i) = setting;
  }
}

Resolved own_settings(const Node& node) {
  Resolved result(node.kind);
  for (const Setting& setting : node.settings) result.slot(*setting.row) = &setting;
  return result;
}

ElementKind kind_of_reference(const AttributeInfo& row) {
  for (int i = 0; i <= static_cast<int>(ElementKind::variable); ++i) {
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
    : store_(store), findings_(findings) {}

const Resolved& Inheritance::of_group(int group, int depth) {
  if (const auto found = groups_.find(group); found != groups_.end()) return found->second;
  const Node& node = store_.at(group);
  Resolved result = own_settings(node);
  if (depth > largest_group_depth) {
    findings_.error(node.origin, fmt::format("{} is nested too deep", node.title()),
                    fmt::format("limit {}", largest_group_depth));
    return groups_[group] = std::move(result);
  }
  for (const int parent : node.parents) {
    if (store_.at(parent).kind == node.kind) inherit(result, of_group(parent, depth + 1));
  }
  return groups_[group] = std::move(result);
}

Resolved Inheritance::without_reference(int node) {
  const Node& element = store_.at(node);
  Resolved result = own_settings(element);
  for (const int parent : element.parents) {
    const Node& around = store_.at(parent);
    if (around.kind == element.kind && around.form != Form::element) {
      inherit(result, of_group(parent, 0));
    }
  }
  return result;
}

int Inheritance::target(const Setting& setting) {
  if (const auto found = targets_.find(&setting); found != targets_.end()) return found->second;
  const ElementKind kind = kind_of_reference(*setting.row);
  const std::string& id = std::get<std::string>(*setting.value);
  const int node = store_.find_form(kind, Form::element, id);
  if (node < 0) {
    const bool is_group = store_.find_form(kind, Form::group, id) >= 0;
    const std::string nothing =
        fmt::format("there is no {} '{}' in context '{}'", name(kind), id, store_.id());
    findings_.error(setting.origin, fmt::format("{} '{}' refers to nothing", setting.row->name, id),
                    is_group ? fmt::format("'{}' is a group", id) : nothing,
                    did_you_mean(id, store_.ids(kind)));
  }
  return targets_[&setting] = node;
}

int Inheritance::raw_reference(int node) {
  auto found = partial_.find(node);
  if (found == partial_.end()) found = partial_.emplace(node, without_reference(node)).first;
  const std::string_view kind = name(store_.at(node).kind);
  const Setting* setting = found->second.find(fmt::format("{}_ref", kind));
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

std::string Inheritance::output_name(int node) {
  if (const Setting* setting = of(node).find("name")) {
    return std::get<std::string>(*setting->value);
  }
  return public_id(node);
}

void Inheritance::check_references() {
  for (int node = 0; node < store_.size(); ++node) {
    const Node& element = store_.at(node);
    for (const Setting& setting : element.settings) {
      if (setting.row->type == ValueType::reference && setting.value) target(setting);
    }
    if (element.form == Form::element) of(node);
  }
}

}  // namespace epios::config
