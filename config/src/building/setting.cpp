// Sets attributes from outside of the XML: through the API and through options of the command. It
// finds the element and the row of the attribute, checks the value, and stores it with its
// provenance.
#include "building/setting.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "language/grammar.hpp"
#include "language/inheritance.hpp"
#include "language/value_text.hpp"
#include "text/findings.hpp"
#include "text/printable.hpp"
#include "text/text.hpp"

namespace epios::config {

namespace {

/// group_ref stands beside the attributes of a group: it is not inherited. All groups have it, on
/// those of fields alone it has an effect.
constexpr std::string_view group_ref = "group_ref";

Setting& group_ref_of(ContextStore& store, int node, const Call& call) {
  Node& group = store.at(node);
  if (group.form == Form::element) {
    refuse_call(call,
                fmt::format("attribute 'group_ref' of {} (only groups take it)", group.title()));
  }
  return group.group_ref;
}

void set_group_ref(ContextStore& store, int node, Value value, Call call) {
  const AttributeInfo& row = *find_attribute(ElementKind::any, group_ref);
  ParsedValue accepted = accept_value(row, std::move(value));
  if (!accepted.value) refuse_call(call, fmt::format("attribute 'group_ref' ({})", accepted.why));
  Setting& setting = group_ref_of(store, node, call);
  setting = {
      &row, std::move(accepted.value), {{}, std::move(call).of(row.name)}, false, setting.owner};
}

/// Only groups have a group_ref, whatever element has the same id.
int node_of(const ContextStore& store, const AttributePath& path, const Call& call) {
  if (path.attribute != group_ref) return node_or_throw(store, path.kind, path.id, call);
  if (const int group = store.find_form(path.kind, Form::group, path.id); group >= 0) return group;
  refuse_call(call, fmt::format("there is no {}_group '{}' in context '{}'", name(path.kind),
                                path.id, store.id()));
}

/// An option taken apart.
struct NamedValue {
  std::string_view context, kind, id, attribute, value;
};

std::optional<NamedValue> named_value_of(std::string_view text) {
  const std::size_t equal = text.find('=');
  if (equal == std::string_view::npos) return std::nullopt;
  NamedValue result;
  result.value = text.substr(equal + 1);
  std::string_view path = text.substr(0, equal);
  if (const auto slash = path.substr(0, path.find(':')).find('/'); slash != path.npos) {
    result.context = path.substr(0, slash);
    path.remove_prefix(slash + 1);
  }
  const std::size_t colon = path.find(':');
  // Ids may have dots, attributes have none; a variable is its text.
  const bool is_variable = path.substr(0, colon) == name(ElementKind::variable);
  const std::size_t dot = is_variable ? path.size() : path.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string_view element = path.substr(0, dot);
  result.kind = element.substr(0, colon);
  if (!is_variable) result.attribute = path.substr(dot + 1);
  if (colon != std::string_view::npos) result.id = element.substr(colon + 1);
  return result;
}

[[noreturn]] void refuse_setting(const std::string& text, const std::string& problem,
                                 const std::string& suggestion) {
  throw Error(ErrorCode::argument, fmt::format("--set '{}' {}.{}{}", text, problem,
                                               suggestion.empty() ? "" : " ", suggestion));
}

/// Meaning of a word like "field" or "field_group". Without a form it means the element, or else
/// the group.
struct Meant {
  ElementKind kind = ElementKind::any;
  std::optional<Form> form;
};

Meant meant_or_throw(const std::string& text, std::string_view word) {
  std::vector<std::string_view> words;
  for (const AttributeInfo& row : attribute_table()) {
    if (row.element == ElementKind::any) continue;
    if (name(row.element) == word) return {row.element, std::nullopt};
    words.push_back(name(row.element));
  }
  for (const Tag& tag : grammar()) {
    if (tag.form == Form::element || tag.kind == ElementKind::any) continue;
    if (tag.name == word) return {tag.kind, tag.form};
    words.push_back(tag.name);
  }
  refuse_setting(text, fmt::format("has no effect (nothing is called '{}')", word),
                 did_you_mean(word, words));
}

int find_meant(const ContextStore& store, const Meant& meant, const NamedValue& setting) {
  if (meant.form == Form::definition) {
    return setting.id.empty() ? store.root_of(meant.kind) : -1;
  }
  if (meant.form == Form::group || setting.attribute == group_ref) {
    return store.find_form(meant.kind, Form::group, setting.id);
  }
  return find_node(store, meant.kind, setting.id);
}

/// Ids of users, of what could have been meant.
void add_ids(const ContextStore& store, const Meant& meant, std::vector<std::string_view>& ids) {
  for (int i = 0; i < store.size(); ++i) {
    const Node& node = store.at(i);
    const Form form = meant.form.value_or(Form::element);
    if (node.kind == meant.kind && node.form == form && !node.has_automatic_id) {
      ids.push_back(node.id);
    }
  }
}

[[noreturn]] void refuse_unknown(const std::string& text, const Contexts& contexts,
                                 const Meant& meant, const NamedValue& setting) {
  std::vector<std::string_view> ids;
  for (const ContextStore& known : contexts.all()) {
    if (setting.context.empty() || known.id() == setting.context) add_ids(known, meant, ids);
  }
  const std::string problem =
      setting.context.empty()
          ? fmt::format("has no effect (no context has {} '{}')", setting.kind, setting.id)
          : fmt::format("has no effect (context '{}' has no {} '{}')", setting.context,
                        setting.kind, setting.id);
  refuse_setting(text, problem, did_you_mean(setting.id, ids));
}

void require_context(const std::string& text, const Contexts& contexts, std::string_view id) {
  if (contexts.find(id) != nullptr) return;
  std::vector<std::string_view> ids;
  for (const ContextStore& known : contexts.all()) ids.push_back(known.id());
  refuse_setting(text, fmt::format("has no effect (there is no context '{}')", id),
                 did_you_mean(id, ids));
}

}  // namespace

void refuse_call(const Call& call, const std::string& problem, const std::string& suggestion) {
  throw Error(ErrorCode::configuration,
              fmt::format("{}: {}.{}{}", printable(call.place()), shortened(problem),
                          suggestion.empty() ? "" : " ", shortened(suggestion)));
}

namespace {

[[noreturn]] void refuse_context(const Contexts& contexts, std::string_view id) {
  std::vector<std::string_view> ids;
  for (const ContextStore& known : contexts.all()) ids.push_back(known.id());
  const std::string suggestion = did_you_mean(id, ids);
  throw Error(ErrorCode::configuration, fmt::format("there is no context '{}' (known: {}).{}{}", id,
                                                    ids.empty() ? "none" : joined(ids),
                                                    suggestion.empty() ? "" : " ", suggestion));
}

}  // namespace

const ContextStore& context_or_throw(const Contexts& contexts, std::string_view id) {
  if (const ContextStore* store = contexts.find(id)) return *store;
  refuse_context(contexts, id);
}

ContextStore& context_or_throw(Contexts& contexts, std::string_view id) {
  if (ContextStore* store = contexts.find(id)) return *store;
  refuse_context(contexts, id);
}

int find_lent(const ContextStore& store, ElementKind kind, std::string_view id) {
  const std::size_t at = id.find(element_separator);
  if (at == std::string_view::npos) return -1;
  const int field = store.find_form(ElementKind::field, Form::element, id.substr(0, at));
  if (field < 0) return -1;
  Findings findings(Findings::Mode::check);  // mistakes are reported when the definition closes
  Inheritance inheritance(store, findings);
  const std::string_view wanted = id.substr(at + element_separator.size());
  if (kind == ElementKind::grid) {
    const Setting* grid = inheritance.of(field).find("grid_ref");
    return grid == nullptr || !wanted.empty() ? -1 : inheritance.target(*grid);
  }
  std::vector<int> elements = inheritance.grid_elements(field, kind);
  if (!wanted.empty()) {
    std::erase_if(elements, [&](int node) { return inheritance.public_id(node) != wanted; });
  }
  return elements.size() == 1 ? elements.front() : -1;
}

int find_node(const ContextStore& store, ElementKind kind, std::string_view id) {
  const int node = store.find(kind, id);
  if (node < 0) {
    if (const int lent = find_lent(store, kind, id); lent >= 0) return lent;
  }
  if (node >= 0 || kind != ElementKind::variable) return node;
  for (int i = 0; i < store.size(); ++i) {
    const Node& candidate = store.at(i);
    if (candidate.kind == kind && candidate.form == Form::element && candidate.id == id) return i;
  }
  return -1;
}

int node_or_throw(const ContextStore& store, ElementKind kind, std::string_view id,
                  const Call& call) {
  const int node = find_node(store, kind, id);
  if (node >= 0) return node;
  refuse_call(call, fmt::format("there is no {} '{}' in context '{}'", name(kind), id, store.id()),
              did_you_mean(id, store.ids(kind)));
}

const AttributeInfo& row_or_throw(ElementKind kind, std::string_view attribute, const Call& call) {
  const AttributeInfo* row = find_attribute(kind, attribute);
  if (row != nullptr) return *row;
  std::vector<std::string_view> names;
  for (const AttributeInfo& known : attributes_of(kind)) names.push_back(known.name);
  refuse_call(call, fmt::format("unknown attribute '{}' of {}", attribute, name(kind)),
              did_you_mean(attribute, names));
}

namespace {

/// A value of the right type, which may still be none of those that are allowed.
void put_value(ContextStore& store, int node, const AttributeInfo& row, ParsedValue accepted,
               Call call) {
  const Node& element = store.at(node);
  if (!accepted.value) {
    refuse_call(call,
                fmt::format("attribute '{}' of {} ({})", row.name, element.title(), accepted.why),
                accepted.suggestion);
  }
  if (element.kind == ElementKind::calendar && row.name == "type") {
    const Setting* before = element.find(row.name);
    if (before != nullptr && before->value != accepted.value) {
      refuse_call(call, fmt::format("the type of the calendar is already '{}' (given at {})",
                                    std::get<std::string>(*before->value), before->origin.text()));
    }
  }
  store.set(node, row, std::move(accepted.value), {{}, std::move(call).of(row.name)});
}

}  // namespace

void set_value(ContextStore& store, int node, std::string_view attribute, Value value, Call call) {
  if (attribute == group_ref) {
    return set_group_ref(store, node, std::move(value), std::move(call));
  }
  const AttributeInfo& row = row_or_throw(store.at(node).kind, attribute, call);
  put_value(store, node, row, accept_value(row, std::move(value)), std::move(call));
}

void set_text(ContextStore& store, int node, std::string_view attribute, std::string_view text,
              Call call) {
  if (attribute == group_ref) {
    if (trimmed(text) != "_reset_") {
      return set_value(store, node, attribute, std::string(trimmed(text)), std::move(call));
    }
    group_ref_of(store, node, call) = {};
    return;
  }
  const Node& element = store.at(node);
  const AttributeInfo& row = row_or_throw(element.kind, attribute, call);
  if (trimmed(text) == "_reset_") {
    store.set(node, row, std::nullopt, {{}, std::move(call).of(row.name)});
    return;
  }
  ParsedValue parsed = parse_value(row, text);
  if (!parsed.value) {
    refuse_call(call,
                fmt::format("attribute '{}' of {} has the value '{}' ({})", attribute,
                            element.title(), text, parsed.why),
                parsed.suggestion);
  }
  put_value(store, node, row, std::move(parsed), std::move(call));
}

void set_value(Contexts& contexts, const AttributePath& path, Value value, std::string_view call) {
  Call its_call(call);
  ContextStore& store = context_or_throw(contexts, path.context);
  const int node = node_of(store, path, its_call);
  set_value(store, node, path.attribute, std::move(value), std::move(its_call));
}

void set_text(Contexts& contexts, const AttributePath& path, std::string_view text,
              std::string_view call) {
  Call its_call(call);
  ContextStore& store = context_or_throw(contexts, path.context);
  const int node = node_of(store, path, its_call);
  set_text(store, node, path.attribute, text, std::move(its_call));
}

void apply_setting(Contexts& contexts, const std::string& text) {
  const std::optional<NamedValue> setting = named_value_of(text);
  if (!setting) {
    refuse_setting(text,
                   "is not understood (it reads kind:id.attribute=value, or variable:id=value)",
                   "Write --set domain:globe.ni_glo=360?");
  }
  const Meant meant = meant_or_throw(text, setting->kind);
  if (!setting->context.empty()) require_context(text, contexts, setting->context);
  bool is_set = false;
  for (const ContextStore& known : contexts.all()) {
    if (!setting->context.empty() && known.id() != setting->context) continue;
    const int node = find_meant(known, meant, *setting);
    if (node < 0) continue;
    is_set = true;
    ContextStore& store = *contexts.find(known.id());
    if (meant.kind == ElementKind::variable && !meant.form) {
      store.at(node).text = setting->value;
    } else {
      set_text(store, node, setting->attribute, setting->value, "--set " + text);
    }
  }
  if (!is_set) refuse_unknown(text, contexts, meant, *setting);
}

}  // namespace epios::config
