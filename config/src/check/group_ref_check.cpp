#include "check/group_ref_check.hpp"

namespace epios::config {

void GroupRefCheck::check_needed() {
  if (groups_.mistakes.empty()) return;
  for (const ElementKind kind :
       {ElementKind::file, ElementKind::coupler_in, ElementKind::coupler_out}) {
    for (const int owner : store_.elements_below(store_.root_of(kind), kind)) {
      const Setting* enabled = inheritance_.of(owner).find("enabled");
      if (enabled == nullptr || std::get<bool>(*enabled->value)) mark_below(owner);
    }
  }
  for (const int node : inheritance_.needed()) {
    if (store_.at(node).kind == ElementKind::field) mark_around(node);
  }
  report(true);
}

void GroupRefCheck::check_rest() { report(false); }

/// Groups of fields inside an element or a group, and those they take from.
void GroupRefCheck::mark_below(int node) {
  std::vector<int> stack{node};
  while (!stack.empty()) {
    const int at = stack.back();
    stack.pop_back();
    const Node& element = store_.at(at);
    const bool is_group = element.kind == ElementKind::field && element.form != Form::element;
    if (is_group) {
      const Setting* enabled = element.find("enabled");
      const bool is_off = enabled != nullptr && enabled->value == Value(false);
      if (is_off || !needed_.insert(at).second) continue;
      const auto target = groups_.targets.find(at);
      if (target != groups_.targets.end()) stack.push_back(target->second);
    }
    if (is_group || at == node) {
      stack.insert(stack.end(), element.children.begin(), element.children.end());
    }
  }
}

/// Groups around a field, from which it has attributes.
void GroupRefCheck::mark_around(int node) {
  std::vector<int> stack{node};
  while (!stack.empty()) {
    const int at = stack.back();
    stack.pop_back();
    for (const int parent : store_.at(at).parents) {
      const Node& around = store_.at(parent);
      const bool is_group = around.kind == ElementKind::field && around.form != Form::element;
      if (!is_group || !needed_.insert(parent).second) continue;
      stack.push_back(parent);
      for (auto target = groups_.targets.find(parent); target != groups_.targets.end();
           target = groups_.targets.find(target->second)) {
        if (!needed_.insert(target->second).second) break;
      }
    }
  }
}

void GroupRefCheck::report(bool is_needed) {
  for (const GroupRefMistake& mistake : groups_.mistakes) {
    if (needed_.contains(mistake.group) != is_needed) continue;
    findings_.error(mistake.code, store_.at(mistake.group).group_ref.origin, mistake.problem,
                    mistake.why, mistake.suggestion);
  }
}

}  // namespace epios::config
