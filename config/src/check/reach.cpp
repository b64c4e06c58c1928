#include "check/reach.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace epios::config {

namespace {

/// Returns true if elements of a kind may be defined without use.
bool is_chosen(ElementKind kind) {
  using K = ElementKind;
  constexpr std::array chosen{K::field, K::file,   K::coupler_in, K::coupler_out,
                              K::grid,  K::domain, K::axis,       K::scalar};
  return is_transformation(kind) || std::find(chosen.begin(), chosen.end(), kind) != chosen.end();
}

bool is_enabled_root(const Node& element, const Resolved& resolved) {
  const bool is_root = element.kind == ElementKind::file ||
                       element.kind == ElementKind::coupler_in ||
                       element.kind == ElementKind::coupler_out;
  if (!is_root || element.form != Form::element) return false;
  const Setting* enabled = resolved.find("enabled");
  return enabled == nullptr || !enabled->value || std::get<bool>(*enabled->value);
}

}  // namespace

std::unordered_set<int> reach(const ContextStore& store, const GroupRefs& groups,
                              Inheritance& inheritance) {
  const std::unordered_set<int>& needed = inheritance.needed();
  std::vector<int> open(needed.begin(), needed.end());
  for (int node = 0; node < store.size(); ++node) {
    const Node& element = store.at(node);
    if (!is_chosen(element.kind) || is_enabled_root(element, inheritance.of(node))) {
      open.push_back(node);
    }
  }
  std::unordered_set<int> reached;
  while (!open.empty()) {
    const int node = open.back();
    open.pop_back();
    if (!reached.insert(node).second) continue;
    const Node& element = store.at(node);
    open.insert(open.end(), element.parents.begin(), element.parents.end());
    if (const auto target = groups.targets.find(node); target != groups.targets.end()) {
      open.push_back(target->second);
    }
    if (element.form != Form::element) continue;
    for (const int child : element.children) {
      if (store.at(child).kind != ElementKind::field) open.push_back(child);
    }
  }
  return reached;
}

}  // namespace epios::config
