// Expands group_ref: gives a group the attributes of the group it refers to, and a field for each
// of its fields. Each group is expanded once, after the group that it refers to.
#include "language/group_ref.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "text/text.hpp"

namespace epios::config {

namespace {

bool refers(const Node& node) { return node.kind == ElementKind::field && node.group_ref.value; }

class GroupRefExpander {
 public:
  GroupRefExpander(ContextStore& store, GroupRefs& result, Findings& findings)
      : store_(store), result_(result), findings_(findings) {}

  /// Whole before anybody takes from it, so that the order of groups in the text does not matter.
  void expand(int group) {
    State& state = states_[group];
    if (state == State::done || !refers(store_.at(group))) return;
    const Setting reference = store_.at(group).group_ref;
    if (state == State::open) {
      std::string circle;
      std::for_each(std::find(path_.begin(), path_.end(), group), path_.end(),
                    [&](int passed) { circle += store_.at(passed).id + " -> "; });
      circle += store_.at(group).id;
      result_.mistakes.push_back(
          {group,
           fmt::format("group_ref of {} leads in a circle", store_.at(group).title()),
           std::move(circle),
           {},
           Code::circle});
      return;
    }
    state = State::open;
    path_.push_back(group);
    const int target = target_of(group, reference);
    if (target >= 0) {
      result_.targets[group] = target;
      expand_below(target);
      copy_attributes(target, group);
      add_fields(target, group, reference.origin);
    }
    path_.pop_back();
    states_[group] = State::done;
  }

 private:
  enum class State { untouched, open, done };

  int target_of(int group, const Setting& reference) {
    const std::string& id = std::get<std::string>(*reference.value);
    const int target = store_.find_form(ElementKind::field, Form::group, id);
    if (target >= 0) return target;
    const auto ids = [this] {
      std::vector<std::string_view> result;
      for (int node = 0; node < store_.size(); ++node) {
        const Node& known = store_.at(node);
        const bool is_named = known.kind == ElementKind::field && !known.has_automatic_id;
        if (is_named && known.form == Form::group) result.push_back(known.id);
      }
      return result;
    };
    result_.mistakes.push_back(
        {group, fmt::format("group_ref '{}' refers to nothing", id),
         fmt::format("there is no field_group '{}' in context '{}'", id, store_.id()),
         findings_.suggestions().text(fmt::format("field_group:{}", store_.id()), id, ids,
                                      store_.at(group).id)});
    return -1;
  }

  /// The target and the groups inside it bring their own group_ref.
  void expand_below(int group) {
    expand(group);
    for (std::size_t i = 0; i < store_.at(group).children.size(); ++i) {
      const int child = store_.at(group).children[i];
      if (store_.at(child).kind == ElementKind::field && store_.at(child).form == Form::group) {
        expand_below(child);
      }
    }
  }

  void copy_attributes(int from, int to) {
    const auto has = [&](std::string_view name) { return store_.at(to).find(name) != nullptr; };
    // A grid is not taken over in pieces.
    const bool has_grid = has("grid_ref");
    const bool has_elements = has("domain_ref") || has("axis_ref") || has("scalar_ref");
    for (const Setting& setting : store_.at(from).settings) {
      const std::string_view name = setting.row->name;
      const bool is_element = name == "domain_ref" || name == "axis_ref" || name == "scalar_ref";
      if ((has_grid && is_element) || (has_elements && name == "grid_ref")) continue;
      // Its fields stand here by reference: their data have been through its expression.
      if (setting.value && name != "expr" && !has(name)) {
        store_.at(to).settings.push_back(setting);
      }
    }
  }

  void add_fields(int from, int to, const Origin& origin) {
    const AttributeInfo* row = find_attribute(ElementKind::field, "field_ref");
    for (const int field : store_.elements_below(from, ElementKind::field)) {
      std::optional<Value> id = name_of(field, *row);
      if (!id) {
        findings_.tolerate(
            Code::without_effect, store_.at(field).origin,
            fmt::format("a <field> of {} is not taken over by group_ref", store_.at(from).title()),
            "it has neither id nor field_ref nor expression: nothing is in it");
        continue;
      }
      const int child = store_.open(ElementKind::field, Form::element, "", 0, origin);
      store_.set(child, *row, std::move(id), origin);
      store_.adopt(to, child);
    }
  }

  /// Returns what a child refers to. A child made by another group_ref stands for the field it
  /// refers to. Fields without id are included, too: groups of output contain `<field
  /// field_ref="sst"/>`.
  std::optional<Value> name_of(int field, const AttributeInfo& reference_row) const {
    const Node& node = store_.at(field);
    if (!node.has_automatic_id) return Value(node.id);
    const bool is_made = node.settings.size() == 1 && node.settings.front().row == &reference_row &&
                         node.settings.front().origin.text() == node.origin.text();
    const bool has_expression = expression_of(field) != nullptr;
    if (is_made && !has_expression) return node.settings.front().value;
    return has_expression || node.find("field_ref") != nullptr ? std::optional<Value>(node.id)
                                                               : std::nullopt;
  }

  /// Its own, else that of the nearest group around it.
  const Setting* expression_of(int node) const {
    if (const Setting* own = store_.at(node).find("expr")) return own->value ? own : nullptr;
    for (const int parent : store_.at(node).parents) {
      if (store_.at(parent).kind != ElementKind::field) continue;
      if (store_.at(parent).form == Form::element) continue;
      if (const Setting* found = expression_of(parent)) return found;
    }
    return nullptr;
  }

  ContextStore& store_;
  GroupRefs& result_;
  Findings& findings_;
  std::unordered_map<int, State> states_;
  std::vector<int> path_;  ///< groups that are being expanded, outermost first
};

}  // namespace

GroupRefs follow_group_refs(const ContextStore& store, Findings& findings) {
  GroupRefs result;
  bool has_any = false;
  for (int node = 0; node < store.size(); ++node) {
    const Node& group = store.at(node);
    has_any = has_any || refers(group);
    if (group.kind == ElementKind::field || !group.group_ref.value) continue;
    findings.tolerate(Code::without_effect, group.group_ref.origin,
                      fmt::format("attribute 'group_ref' of {} is ignored", group.title()),
                      "only groups of fields take it");
  }
  if (!has_any) return result;
  result.store = store;
  GroupRefExpander expander(*result.store, result, findings);
  for (int node = 0; node < store.size(); ++node) expander.expand(node);
  return result;
}

}  // namespace epios::config
