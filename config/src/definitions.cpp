#include "config/definitions.hpp"

#include <fmt/format.h>

#include <utility>

#include "config/run_variables.hpp"
#include "definitions_impl.hpp"
#include "loader.hpp"
#include "resolve.hpp"
#include "server_plan_reader.hpp"
#include "text.hpp"
#include "value_text.hpp"
#include "xml_text.hpp"

namespace epios::config {

namespace {

[[noreturn]] void refuse(const std::string& call, const std::string& problem,
                         const std::string& suggestion = {}) {
  throw Error(ErrorCode::configuration, fmt::format("{}: {}.{}{}", place_of_call(call), problem,
                                                    suggestion.empty() ? "" : " ", suggestion));
}

const ContextStore& context_or_throw(const Contexts& contexts, std::string_view id) {
  const ContextStore* store = contexts.find(id);
  if (store != nullptr) return *store;
  std::vector<std::string_view> ids;
  for (const ContextStore& known : contexts.all()) ids.push_back(known.id());
  const std::string suggestion = did_you_mean(id, ids);
  throw Error(ErrorCode::configuration, fmt::format("there is no context '{}' (known: {}).{}{}", id,
                                                    ids.empty() ? "none" : joined(ids),
                                                    suggestion.empty() ? "" : " ", suggestion));
}

/// A variable is looked up in the context first, then below any file or field.
int find_node(const ContextStore& store, ElementKind kind, std::string_view id) {
  const int node = store.find(kind, id);
  if (node >= 0 || kind != ElementKind::variable) return node;
  for (int i = 0; i < store.size(); ++i) {
    const Node& candidate = store.at(i);
    if (candidate.kind == kind && candidate.form == Form::element && candidate.id == id) return i;
  }
  return -1;
}

int node_or_throw(const ContextStore& store, ElementKind kind, std::string_view id,
                  const std::string& call) {
  const int node = find_node(store, kind, id);
  if (node >= 0) return node;
  refuse(call, fmt::format("there is no {} '{}' in context '{}'", name(kind), id, store.id()),
         did_you_mean(id, store.ids(kind)));
}

const AttributeInfo& row_or_throw(ElementKind kind, std::string_view attribute,
                                  const std::string& call) {
  const AttributeInfo* row = find_attribute(kind, attribute);
  if (row != nullptr) return *row;
  std::vector<std::string_view> names;
  for (const AttributeInfo& known : attributes_of(kind)) names.push_back(known.name);
  refuse(call, fmt::format("unknown attribute '{}' of {}", attribute, name(kind)),
         did_you_mean(attribute, names));
}

/// group_ref stands beside the attributes of a group: it is not inherited, and groups of fields
/// alone have it.
constexpr std::string_view group_ref = "group_ref";

Setting& group_ref_of(ContextStore& store, ElementKind kind, std::string_view id,
                      const std::string& call) {
  const int node = store.find_form(kind, Form::group, id);
  if (kind != ElementKind::field) {
    refuse(call, fmt::format("attribute 'group_ref' of {} '{}' (only groups of fields take it)",
                             name(kind), id));
  }
  if (node < 0) {
    refuse(call, fmt::format("there is no field_group '{}' in context '{}'", id, store.id()));
  }
  return store.at(node).group_ref;
}

}  // namespace

Definitions::Definitions() : impl_(std::make_unique<Impl>()) {}

Definitions::Definitions(const Document& document) : impl_(std::make_unique<Impl>()) {
  Findings findings(Findings::Mode::run, policy_of(document.root()));
  load(document, impl_->contexts, findings);
  findings.throw_errors();
  impl_->warnings = findings.all();
}

Definitions::Definitions(const Definitions& other) : impl_(std::make_unique<Impl>(*other.impl_)) {}
Definitions::Definitions(Definitions&&) noexcept = default;
Definitions& Definitions::operator=(const Definitions& other) {
  if (this != &other) impl_ = std::make_unique<Impl>(*other.impl_);
  return *this;
}
Definitions& Definitions::operator=(Definitions&&) noexcept = default;
Definitions::~Definitions() = default;

const std::vector<Diagnostic>& Definitions::warnings() const { return impl_->warnings; }

bool Definitions::has_context(std::string_view context) const {
  return impl_->contexts.find(context) != nullptr;
}

std::vector<std::string> Definitions::contexts() const {
  std::vector<std::string> ids;
  for (const ContextStore& store : impl_->contexts.all()) ids.push_back(store.id());
  return ids;
}

void Definitions::open_context(const std::string& context) {
  if (context.empty()) throw Error(ErrorCode::argument, "the id of a context is empty.");
  impl_->contexts.open(context, {{}, fmt::format("open_context('{}')", context)});
}

bool Definitions::has(std::string_view context, ElementKind kind, std::string_view id) const {
  const ContextStore* store = impl_->contexts.find(context);
  return store != nullptr && find_node(*store, kind, id) >= 0;
}

void Definitions::add(std::string_view context, ElementKind kind, const std::string& id,
                      ElementKind parent_kind, std::string_view parent, std::string_view call) {
  const std::string call_text(call);
  context_or_throw(impl_->contexts, context);
  ContextStore& store = *impl_->contexts.find(context);
  const Tag* tag = find_tag(name(kind));
  if (tag == nullptr || tag->kind == ElementKind::context || tag->kind == ElementKind::calendar) {
    refuse(call_text, fmt::format("elements of kind '{}' cannot be added", name(kind)));
  }
  int around = store.root_of(kind);
  int owner = store.context_node();
  if (!parent.empty()) {
    const Form form = parent_kind == kind ? Form::group : Form::element;
    const Tag* parent_tag = find_tag(name(parent_kind));
    if (form == Form::element && (parent_tag == nullptr || !parent_tag->has_child(tag->name))) {
      refuse(call_text, fmt::format("<{}> cannot stand in <{}>", tag->name, name(parent_kind)));
    }
    around = store.find_form(parent_kind, form, parent);
    if (around < 0) {
      refuse(call_text,
             fmt::format("there is no {}{} '{}' in context '{}'", name(parent_kind),
                         form == Form::group ? "_group" : "", parent, context),
             did_you_mean(parent, store.ids(parent_kind)));
    }
    if (form == Form::element && kind == ElementKind::variable) owner = around;
  }
  const int node = store.open(kind, Form::element, id, owner, {{}, call_text});
  store.adopt(around, node);
}

void Definitions::set(std::string_view context, ElementKind kind, std::string_view id,
                      std::string_view attribute, Value value, std::string_view call) {
  const std::string call_text(call);
  context_or_throw(impl_->contexts, context);
  ContextStore& store = *impl_->contexts.find(context);
  if (attribute == group_ref) {
    const AttributeInfo& row = *find_attribute(ElementKind::any, group_ref);
    ParsedValue accepted = accept_value(row, std::move(value));
    if (!accepted.value) refuse(call_text, fmt::format("attribute 'group_ref' ({})", accepted.why));
    group_ref_of(store, kind, id, call_text) = {
        &row, std::move(accepted.value), {{}, call_text}, false};
    return;
  }
  const int node = node_or_throw(store, kind, id, call_text);
  const AttributeInfo& row = row_or_throw(kind, attribute, call_text);
  ParsedValue accepted = accept_value(row, std::move(value));
  if (!accepted.value) {
    refuse(
        call_text,
        fmt::format("attribute '{}' of {} ({})", attribute, store.at(node).title(), accepted.why),
        accepted.suggestion);
  }
  const Setting* before = store.at(node).find(attribute);
  if (kind == ElementKind::calendar && attribute == "type" && before != nullptr &&
      before->value != accepted.value) {
    refuse(call_text, fmt::format("the type of the calendar is already '{}' (given at {})",
                                  std::get<std::string>(*before->value), before->origin.text()));
  }
  store.set(node, row, std::move(accepted.value), {{}, call_text});
}

void Definitions::set_text(std::string_view context, ElementKind kind, std::string_view id,
                           std::string_view attribute, std::string_view text,
                           std::string_view call) {
  const std::string call_text(call);
  if (attribute == group_ref) {
    if (trimmed(text) != "_reset_") {
      return set(context, kind, id, attribute, std::string(trimmed(text)), call);
    }
    context_or_throw(impl_->contexts, context);
    group_ref_of(*impl_->contexts.find(context), kind, id, call_text) = {};
    return;
  }
  const AttributeInfo& row = row_or_throw(kind, attribute, call_text);
  if (trimmed(text) == "_reset_") {
    context_or_throw(impl_->contexts, context);
    ContextStore& store = *impl_->contexts.find(context);
    store.set(node_or_throw(store, kind, id, call_text), row, std::nullopt, {{}, call_text});
    return;
  }
  ParsedValue parsed = parse_value(row, text);
  if (!parsed.value) {
    refuse(call_text,
           fmt::format("attribute '{}' of {} '{}' has the value '{}' ({})", attribute, name(kind),
                       id, text, parsed.why),
           parsed.suggestion);
  }
  set(context, kind, id, attribute, std::move(*parsed.value), call);
}

std::optional<Value> Definitions::get(std::string_view context, ElementKind kind,
                                      std::string_view id, std::string_view attribute) const {
  const ContextStore& store = context_or_throw(impl_->contexts, context);
  const std::string call = fmt::format("get({} '{}', '{}')", name(kind), id, attribute);
  const int node = node_or_throw(store, kind, id, call);
  row_or_throw(kind, attribute, call);
  const Setting* setting = store.at(node).find(attribute);
  return setting == nullptr ? std::nullopt : setting->value;
}

std::optional<std::string> Definitions::variable(std::string_view context,
                                                 std::string_view id) const {
  const ContextStore* store = impl_->contexts.find(context);
  if (store == nullptr) return std::nullopt;
  int node = store->find_form(ElementKind::variable, Form::element, id);
  if (node < 0 && context == parameter_context) {
    const RunVariable* row = find_run_variable(id);
    if (row == nullptr) return std::nullopt;
    const std::string_view other = row->id == id ? row->xios : row->id;
    node = store->find_form(ElementKind::variable, Form::element, other);
  }
  if (node < 0) return std::nullopt;
  return store->at(node).text;
}

ServerPlan Definitions::servers() const {
  const ContextStore* store = impl_->contexts.find(parameter_context);
  if (store == nullptr) return {};
  Findings findings(Findings::Mode::run, impl_->contexts.policy);
  ServerPlan plan = read_server_plan(*store, findings);
  findings.throw_errors();
  return plan;
}

Model Definitions::resolve(std::string_view context, Purpose purpose) const {
  const auto mode = purpose == Purpose::run ? Findings::Mode::run : Findings::Mode::plan;
  Findings findings(mode, impl_->contexts.policy);
  Model model = resolve_context(context_or_throw(impl_->contexts, context), findings);
  findings.throw_errors();
  return model;
}

}  // namespace epios::config
