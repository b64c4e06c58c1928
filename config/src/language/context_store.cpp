// Stores the elements of one context as nodes with their settings, and finds them by kind, form and
// id.
#include "language/context_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

namespace epios::config {

namespace {

/// Kinds that have a definition element, in the order of their nodes.
constexpr std::array<ElementKind, 11> defined_kinds{
    ElementKind::scalar,      ElementKind::axis, ElementKind::domain,   ElementKind::grid,
    ElementKind::field,       ElementKind::file, ElementKind::variable, ElementKind::coupler_in,
    ElementKind::coupler_out, ElementKind::pool, ElementKind::service};
constexpr int first_definition = 2;

std::string key(ElementKind kind, Form form, int owner, std::string_view id) {
  const int scope = kind == ElementKind::variable ? owner : 0;
  return fmt::format("{} {} {} {}", static_cast<int>(kind), form == Form::element ? 'e' : 'g',
                     scope, id);
}

Node new_node(ElementKind kind, Form form, const std::string& id, const Origin& origin) {
  Node node;
  node.kind = kind;
  node.form = form;
  node.id = id;
  node.origin = origin;
  return node;
}

}  // namespace

const Setting* Node::find(std::string_view attribute) const {
  const auto found = std::find_if(settings.begin(), settings.end(), [attribute](const Setting& s) {
    return s.row->name == attribute;
  });
  return found == settings.end() ? nullptr : &*found;
}

std::string Node::title() const {
  if (form == Form::definition) return fmt::format("<{}>", id);
  const std::string_view group = form == Form::element ? "" : "_group";
  if (has_automatic_id || id.empty()) return fmt::format("<{}{}>", name(kind), group);
  return fmt::format("{}{} '{}'", name(kind), group, id);
}

ContextStore::ContextStore(std::string id, const Origin& origin) : id_(std::move(id)) {
  append(new_node(ElementKind::context, Form::element, id_, origin));
  append(new_node(ElementKind::calendar, Form::element, "", origin));
  for (const ElementKind kind : defined_kinds) {
    const std::string definition = fmt::format("{}_definition", name(kind));
    by_key_[key(kind, Form::group, 0, definition)] =
        append(new_node(kind, Form::definition, definition, origin));
  }
}

int ContextStore::append(Node node) {
  nodes_.push_back(std::move(node));
  return size() - 1;
}

int ContextStore::root_of(ElementKind kind) const {
  if (kind == ElementKind::context) return context_node();
  if (kind == ElementKind::calendar) return calendar_node();
  const auto found = std::find(defined_kinds.begin(), defined_kinds.end(), kind);
  return first_definition + static_cast<int>(found - defined_kinds.begin());
}

int ContextStore::find_form(ElementKind kind, Form form, std::string_view id, int owner) const {
  const auto found = by_key_.find(key(kind, form, owner, id));
  return found == by_key_.end() ? -1 : found->second;
}

int ContextStore::find(ElementKind kind, std::string_view id, int owner) const {
  if (kind == ElementKind::calendar) return calendar_node();
  if (kind == ElementKind::context) return id.empty() || id == id_ ? context_node() : -1;
  const int element = find_form(kind, Form::element, id, owner);
  return element >= 0 ? element : find_form(kind, Form::group, id, owner);
}

std::vector<int> ContextStore::elements_below(int from, ElementKind kind) const {
  std::vector<int> result;
  std::unordered_set<int> seen;
  std::vector<int> stack(at(from).children.rbegin(), at(from).children.rend());
  while (!stack.empty()) {
    const int node = stack.back();
    stack.pop_back();
    if (at(node).kind != kind || !seen.insert(node).second) continue;
    if (at(node).form == Form::element) {
      result.push_back(node);
    } else {
      stack.insert(stack.end(), at(node).children.rbegin(), at(node).children.rend());
    }
  }
  return result;
}

std::vector<std::string_view> ContextStore::ids(ElementKind kind) const {
  std::vector<std::string_view> result;
  for (const Node& node : nodes_) {
    if (node.kind == kind && node.form == Form::element && !node.has_automatic_id) {
      result.push_back(node.id);
    }
  }
  return result;
}

int ContextStore::open(ElementKind kind, Form form, const std::string& id, int owner,
                       const Origin& origin) {
  if (form == Form::definition) return root_of(kind);
  if (!id.empty()) {
    if (const int found = find_form(kind, form, id, owner); found >= 0) return found;
  }
  Node node = new_node(kind, form, id, origin);
  node.has_automatic_id = id.empty();
  if (id.empty()) {
    do {  // a resolved configuration that was printed brings such ids of its own
      node.id = fmt::format("{}__{}_undef_id_{}", id_, name(kind),
                            automatic_ids_[static_cast<int>(kind)]++);
    } while (find_form(kind, form, node.id, owner) >= 0);
  }
  const std::string its_key = key(kind, form, owner, node.id);
  return by_key_[its_key] = append(std::move(node));
}

void ContextStore::give_id(int node, const std::string& id) {
  Node& named = at(node);
  by_key_.erase(key(named.kind, named.form, 0, named.id));
  named.id = id;
  named.has_automatic_id = false;
  by_key_[key(named.kind, named.form, 0, id)] = node;
}

bool ContextStore::adopt(int parent, int child) {
  const std::vector<int>& known = at(child).parents;
  if (std::find(known.begin(), known.end(), parent) != known.end()) return true;
  if (at(child).children.empty() && parent != child) {  // nothing is below it yet
    at(parent).children.push_back(child);
    at(child).parents.push_back(parent);
    return true;
  }
  std::vector<int> above{parent};
  std::unordered_set<int> seen{parent};
  while (!above.empty()) {
    const int node = above.back();
    above.pop_back();
    if (node == child) return false;
    for (const int next : at(node).parents) {
      if (seen.insert(next).second) above.push_back(next);
    }
  }
  at(parent).children.push_back(child);
  at(child).parents.push_back(parent);
  return true;
}

Call ContextStore::call(const char* function, int node, std::string_view attribute) {
  std::shared_ptr<const std::string>& title = at(node).shared_title;
  if (!title) title = std::make_shared<const std::string>(at(node).title());
  return {function, title, attribute};
}

Setting& ContextStore::set(int node, const AttributeInfo& row, std::optional<Value> value,
                           Origin origin, bool is_broken) {
  std::vector<Setting>& settings = at(node).settings;
  if (settings.empty()) settings.reserve(8);  // models set many, and a setting is large
  const auto same = std::find_if(settings.begin(), settings.end(),
                                 [&row](const Setting& s) { return s.row == &row; });
  Setting setting{&row, std::move(value), std::move(origin), is_broken, node};
  if (same == settings.end()) return settings.emplace_back(std::move(setting));
  return *same = std::move(setting);
}

}  // namespace epios::config
